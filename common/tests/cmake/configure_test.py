"""Configuring says nothing but what a reader needs, and modules are rebuilt by what they include.

The CMake that configures the tests is the one that is tested.
"""
from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
CMAKE = sys.argv.pop(1)

#: A compiler that writes its sources into the module, and a depfile that names the header beside each.
SIMTCC = """\
#!/bin/sh
while [ $# -gt 1 ]; do
  case "$1" in
    -MF) depfile=$2 ;;
    -MT) target=$2 ;;
    -o) output=$2 ;;
  esac
  shift
done
cat "$1" "${1%.cu}.hpp" > "$output"
echo "$target: \\\\
  $1 \\\\
  ${1%.cu}.hpp" > "$depfile"
"""

LISTS = """\
cmake_minimum_required(VERSION 3.25)
project(Small LANGUAGES NONE)
add_executable(simtcc IMPORTED GLOBAL)
set_target_properties(simtcc PROPERTIES IMPORTED_LOCATION "${PROJECT_SOURCE_DIR}/simtcc")
include("${WARPBOOK}/common/cmake/Warpbook.cmake")
add_subdirectory(modules)
"""


class Configuring(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="warpbook-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.labs = pathlib.Path(folder.name)  # a build of labs alone, for all tests of hand-ins

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="warpbook-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def cmake(self, *arguments: str) -> str:
        done = subprocess.run([CMAKE, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def assert_quiet(self, said: str) -> None:
        self.assertEqual([line for line in said.splitlines() if re.search("warning|deprecat", line, re.I)], [])

    def test_the_workbook_is_configured_without_a_warning(self) -> None:
        said = self.cmake("--preset", "sim", "-B", str(self.folder / "build"), f"-DPython3_EXECUTABLE={sys.executable}")
        self.assertIn("Build files have been written", said)
        self.assert_quiet(said)

    def configured_with(self, hand_ins: pathlib.Path) -> str:
        return self.cmake("--preset", "sim", "-B", str(self.labs), f"-DPython3_EXECUTABLE={sys.executable}", "-DWARPBOOK_TESTS=OFF",
                          "-DWARPBOOK_MUTANTS=OFF", f"-DWARPBOOK_HANDIN={hand_ins}")

    def hand_ins_listed(self) -> list[str]:
        lines = (self.labs / "labs/01/submissions.txt").read_text().splitlines()
        return [line.partition("|")[0] for line in lines if "|handin|" in line]

    def test_hand_ins_are_those_that_the_command_finds_whatever_their_names(self) -> None:
        folder = self.folder / "class"
        for name in ("alice", "Müller", "Möller", "a;b", 'q"[', "=x"):
            (folder / name).mkdir(parents=True)
            (folder / name / "coalescing.cu").write_text("// mine\n")
        (folder / "notes.cu").write_text("// mine\n")
        said = self.configured_with(folder)
        self.assert_quiet(said)
        self.assertIn("notes.cu: ", said)
        listed = self.hand_ins_listed()
        self.assertEqual(len(set(listed)), 6, listed)
        self.assertIn("handin-alice", listed)
        for line in (self.labs / "labs/01/submissions.txt").read_text().splitlines():
            if "|handin|" in line:
                self.assertTrue(pathlib.Path(line.split("|")[3]).exists(), line)

    def test_a_folder_of_hand_ins_that_is_lost_or_bad_is_a_warning_and_none(self) -> None:
        (self.folder / "file").write_text("")
        for bad in ("nowhere", "file"):
            said = self.configured_with(self.folder / bad)
            self.assertRegex(said, "CMake Warning(.|\n)*WARPBOOK_HANDIN names no\\s+folder of\\s+hand-ins")
            self.assertIn("Build files have been written", said)
            self.assertEqual(self.hand_ins_listed(), [])

    def test_a_module_is_built_again_when_a_file_that_it_includes_has_changed_and_only_then(self) -> None:
        (self.folder / "modules").mkdir()
        (self.folder / "CMakeLists.txt").write_text(LISTS)
        (self.folder / "modules/CMakeLists.txt").write_text("warpbook_simt_module(module SOURCE kernel.cu)\n")
        (self.folder / "modules/kernel.cu").write_text("kernel\n")
        header = self.folder / "modules/kernel.hpp"
        header.write_text("old header\n")
        (self.folder / "simtcc").write_text(SIMTCC)
        (self.folder / "simtcc").chmod(0o755)
        build = self.folder / "build"
        self.assert_quiet(self.cmake("-G", "Ninja", "-S", str(self.folder), "-B", str(build), f"-DWARPBOOK={ROOT}"))
        self.assertIn("simtcc module", self.cmake("--build", str(build)))
        self.assertNotIn("simtcc module", self.cmake("--build", str(build)))
        header.write_text("new header\n")
        later = time.time() + 5  # than the module, however coarse the file system's times are
        os.utime(header, (later, later))
        self.assertIn("simtcc module", self.cmake("--build", str(build)))
        self.assertEqual((build / "modules/module.so").read_text(), "kernel\nnew header\n")


if __name__ == "__main__":
    unittest.main()
