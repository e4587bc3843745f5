"""What the set-up finds: versions, tools on a fake PATH, headers, interpreters, and its memory of them."""
import json
import os
import sys
import time
import unittest
from unittest import mock

from fakes import CLANG, GXX, Scratch

from command import machine_setup, probe
from command.problem import Problem


class Versions(unittest.TestCase):
    def test_each_tool_tells_its_version_in_its_own_way(self):
        for text, expected in [
            ("g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022", (12, 2, 0)),
            ("g++ (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0", (13, 3, 0)),
            ("g++ (GCC) 15.1.1 20250521 (Red Hat 15.1.1-2)", (15, 1, 1)),
            ("c++ (SUSE Linux) 13.2.1 20240206 [revision 67ac78caf3]", (13, 2, 1)),
            ("Debian clang version 14.0.6", (14, 0, 6)),
            ("Ubuntu clang version 18.1.3 (1ubuntu1)", (18, 1, 3)),
            ("cmake version 3.25.1\n\nCMake suite", (3, 25, 1)),
            ("cmake version 4.0.0-rc2", (4, 0, 0)),
            ("1.11.1", (1, 11, 1)),
            ("1.13.0.git.kitware.jobserver-pipe-1", (1, 13, 0)),
            ("GNU addr2line (GNU Binutils for Debian) 2.40", (2, 40)),
            ("12.4.131", (12, 4, 131)),
            ("", ()), ("command not found", ()),
        ]:
            self.assertEqual(probe.parse_version(text), expected, text)

    def test_a_minor_version_is_compared_as_a_number(self):
        self.assertLess(probe.parse_version("cmake version 3.9.0"), (3, 25))


class Compiler(Scratch):
    def setUp(self):
        super().setUp()
        self.include, self.library = self.folder / "include", self.folder / "lib"
        for header in ("span", "stdio.h"):
            self.write(f"include/{header}")
        self.use_fake_path()

    def test_none_is_said_with_the_versions_that_do(self):
        finding = probe.find_compiler()
        self.assertIn("g++ 11 or clang++ 14", finding.problem)

    def test_gxx_is_found_with_its_version(self):
        path = self.compiler("g++", GXX.format("12.2.0"), self.include, self.library)
        finding = probe.find_compiler()
        self.assertEqual((finding.path, finding.version, finding.problem), (str(path), "g++ 12.2.0", ""))

    def test_an_old_gxx_gives_way_to_clang(self):
        self.compiler("g++", GXX.format("10.2.1"), self.include, self.library)
        self.compiler("clang++", CLANG.format("14.0.6"), self.include, self.library)
        self.assertEqual(probe.find_compiler().version, "clang++ 14.0.6")

    def test_an_old_compiler_alone_is_too_old(self):
        self.compiler("g++", GXX.format("10.2.1"), self.include, self.library)
        self.assertEqual(probe.find_compiler().problem, "g++ 10.2.1 is too old, 11 is needed")

    def test_an_old_clang_called_cxx_is_held_to_clangs_minimum(self):
        self.compiler("c++", CLANG.format("13.0.1"), self.include, self.library)
        self.assertEqual(probe.find_compiler().problem, "clang++ 13.0.1 is too old, 14 is needed")

    def test_a_compiler_without_its_standard_library_does_not_count(self):
        self.compiler("clang++", CLANG.format("14.0.6"), self.folder / "empty", self.library)
        self.assertIn("<span>", probe.find_compiler().problem)

    def test_the_users_choice_is_the_only_one_looked_at(self):
        self.compiler("g++", GXX.format("12.2.0"), self.include, self.library)
        with mock.patch.dict(os.environ, {"CXX": "g++-99"}):
            self.assertEqual(probe.find_compiler().problem, "CXX=g++-99 is not a program on PATH")

    def test_a_broken_tool_is_not_taken_for_a_tool(self):
        self.tool("g++", "exit 1")
        self.assertEqual(probe.find_compiler().problem, "does not answer to --version")


class Headers(Scratch):
    def setUp(self):
        super().setUp()
        self.use_fake_path()
        self.cxx = str(self.compiler("g++", GXX.format("12.2.0"), self.folder / "include", self.folder / "lib"))
        patch = mock.patch("command.probe._USUAL_LIBRARY_FOLDERS", [])
        patch.start()
        self.addCleanup(patch.stop)

    def by_name(self):
        return {finding.requirement.name: finding for finding in probe.find_headers(self.cxx)}

    def test_nothing_there_is_a_missing_header_each(self):
        self.assertEqual({finding.problem for finding in self.by_name().values()},
                         {"no <doctest/doctest.h>", "no <boost/context/detail/fcontext.hpp>", "no <ffi.h>",
                          "no <nlohmann/json.hpp>", "no <CLI/CLI.hpp>", "no <elfutils/libdwfl.h>",
                          "no <seccomp.h>"})

    def test_a_header_without_its_library_does_not_count(self):
        self.write("include/ffi.h", "libffi 3.4.4")
        self.assertEqual(self.by_name()["libffi"].problem, "no libffi.so")

    def test_header_and_library_are_found_where_the_compiler_looks(self):
        self.write("include/ffi.h", "   libffi 3.4.4\n")
        self.write("lib/libffi.so")
        finding = self.by_name()["libffi"]
        self.assertEqual((finding.problem, finding.version), ("", "3.4.4"))

    def test_a_prefix_of_the_users_counts_with_every_folder_that_cmake_looks_into(self):
        for number, library in enumerate(("lib", "lib64", "lib/x86_64-linux-gnu")):
            prefix = f"mine{number}"
            self.write(f"{prefix}/include/boost/context/detail/fcontext.hpp")
            self.write(f"{prefix}/{library}/libboost_context.a")
            with mock.patch.dict(os.environ, {"CMAKE_PREFIX_PATH": f"/nowhere:{self.folder}/{prefix}"}):
                self.assertEqual(self.by_name()["Boost.Context"].problem, "", library)

    def test_versions_are_read_from_the_headers(self):
        self.write("include/elfutils/libdwfl.h")
        self.write("include/elfutils/version.h", "#define _ELFUTILS_VERSION 188\n")
        self.write("lib/libdw.so")
        self.assertEqual(self.by_name()["libdw"].version, "188")
        self.write("include/seccomp.h", "#define SCMP_VER_MAJOR 2\n#define SCMP_VER_MINOR 5\n#define SCMP_VER_MICRO 4\n")
        self.write("lib/libseccomp.so")
        self.assertEqual(self.by_name()["libseccomp"].version, "2.5.4")
        self.write("include/doctest/doctest.h", "#define DOCTEST_VERSION_MAJOR 2\n#define DOCTEST_VERSION_MINOR 4\n"
                                                "#define DOCTEST_VERSION_PATCH 9\n")
        self.assertEqual(self.by_name()["doctest"].version, "2.4.9")


class Interpreters(Scratch):
    def setUp(self):
        super().setUp()
        self.use_fake_path()

    def python(self, path: str, *modules: str) -> str:
        rows = "\n".join(f"found|{name}|/lib/{name}/__init__.py|1.0" for name in modules)
        made = self.write(path, f"#!/bin/sh\nprintf '%s\\n' '{rows}'\n")
        made.chmod(0o755)
        return str(made)

    def find(self, *interpreters: str):
        system = interpreters[-1]
        real = probe.python_modules
        with mock.patch("command.probe.python_candidates", return_value=list(interpreters)), \
                mock.patch("command.probe.python_modules",
                           side_effect=lambda path: real(system if path == "/usr/bin/python3" else path)):
            return probe.find_python(self.folder)

    def test_the_first_interpreter_with_both_modules_is_taken(self):
        bare, full = self.python("a/python3"), self.python("b/python3", "matplotlib", "rich")
        interpreter, findings = self.find(bare, full)
        self.assertEqual(interpreter, full)
        self.assertFalse(any(finding.problem for finding in findings))

    def test_halves_in_two_interpreters_do_not_add_up(self):
        one, system = self.python("a/python3", "matplotlib"), self.python("b/python3", "rich")
        interpreter, findings = self.find(one, system)
        self.assertEqual(interpreter, "")
        # apt installs for the system's interpreter, and only matplotlib is missing there.
        problems = {finding.requirement.name: finding.problem for finding in findings}
        self.assertTrue(problems["matplotlib"])

    def test_without_any_module_both_are_missing(self):
        _, findings = self.find(self.python("a/python3"))
        self.assertTrue(all(finding.problem for finding in findings))

    def test_every_python3_on_the_path_is_a_candidate(self):
        here = self.bin / "python3"
        here.symlink_to(sys.executable)
        self.assertIn(str(here), probe.python_candidates(self.folder))

    def test_the_workbooks_own_venv_is_a_candidate(self):
        venv = self.python("build/venv/bin/python3")
        self.assertIn(venv, probe.python_candidates(self.folder))

    def test_an_interpreter_that_cannot_start_has_no_modules(self):
        self.assertEqual(probe.python_modules(str(self.folder / "nothing")), {})


class Memory(Scratch):
    """The stamp that makes the second set-up cost nothing."""

    def setUp(self):
        super().setUp()
        self.use_fake_path()
        self.header = self.write("include/ffi.h")
        self.stamp = self.folder / "build" / "setup.json"
        finding = probe.Finding(probe.requirements.LIBFFI, str(self.header), watched=[str(self.header)])
        machine_setup.write_stamp(self.stamp, probe.Machine([finding], "/usr/bin/g++", "/usr/bin/python3"))

    def test_it_is_believed_while_nothing_changes(self):
        self.assertEqual(machine_setup.read_stamp(self.stamp)["compiler"], "/usr/bin/g++")

    def test_a_removed_file_ends_it(self):
        self.header.unlink()
        self.assertIsNone(machine_setup.read_stamp(self.stamp))

    def test_a_changed_file_ends_it(self):
        os.utime(self.header, ns=(1, 1))
        self.assertIsNone(machine_setup.read_stamp(self.stamp))

    def test_a_further_requirement_ends_it(self):
        further = [*machine_setup._STAMP_FORMAT, "a new library"]
        with mock.patch("command.machine_setup._STAMP_FORMAT", further):
            self.assertIsNone(machine_setup.read_stamp(self.stamp))

    def test_another_path_ends_it(self):
        with mock.patch.dict(os.environ, {"PATH": "/elsewhere"}):
            self.assertIsNone(machine_setup.read_stamp(self.stamp))

    def test_a_damaged_stamp_is_no_stamp(self):
        for text in ("", "[]", "{", json.dumps({"format": 1})):
            self.stamp.write_text(text)
            self.assertIsNone(machine_setup.read_stamp(self.stamp), text)

    def test_with_it_no_program_is_started(self):
        with mock.patch("subprocess.run", side_effect=AssertionError("started a program")), \
                mock.patch("command.machine_setup.refuse_other_systems"):
            begun = time.monotonic()
            machine_setup.ensure(self.folder)
        self.assertLess(time.monotonic() - begun, 0.15)

    def test_a_folder_that_cannot_be_written_is_no_error(self):
        blocked = self.write("file") / "build" / "setup.json"
        machine_setup.write_stamp(blocked, probe.Machine([], "", ""))
        self.assertFalse(blocked.exists())


class OtherSystems(unittest.TestCase):
    def test_macos_windows_and_arm_are_refused_with_a_container(self):
        for system, machine in (("Darwin", "arm64"), ("Windows", "AMD64"), ("Linux", "aarch64")):
            with self.assertRaises(Problem) as caught:
                machine_setup.refuse_other_systems(system, machine)
            self.assertIn(system, caught.exception.sentence)
            self.assertIn("debian:12", "\n".join(caught.exception.details))

    def test_linux_on_x86_64_is_welcome(self):
        machine_setup.refuse_other_systems("Linux", "x86_64")


if __name__ == "__main__":
    unittest.main()
