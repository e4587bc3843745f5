"""Kept verdicts: made again when anything that they depend on has changed, and never taken from an entry that cannot be trusted."""
import datetime
import json
import os
import re
import subprocess
import sys
import unittest
from unittest import mock

import kept_audit
from fakes import AS_NOBODY, ROOT, Scratch

from command import files, kept, selftest
from command.problem import Problem

MUTANT = "01.mutant-no_guard.sim:fails as it should"
UNIT = "unit.something-without-a-row"
#: A tree in miniature: a file in each place that a row of READS names, and others.
FILES = {
    "CMakeLists.txt": "project", "common/cmake/Warpbook.cmake": "rules", "common/call/call.hpp": "call", "common/grader/grader.hpp": "grader",
    "common/runner/main.cpp": "runner", "common/simt/include/cuda_runtime.h": "headers", "common/simt/runtime/race.cpp": "runtime",
    "common/simt/translate/main.cpp": "simtcc", "common/tests/environment.cmake": "environment", "common/command/check.py": "command",
    "docs/guide.md": "text", "labs/01-first/lab.json": '{"kernel": "first"}', "labs/01-first/lab.hpp": "contract",
    "labs/01-first/grade.cpp": "rubric", "labs/01-first/messages.md": "messages", "labs/02-second/lab.json": '{"kernel": "second"}',
    "labs/02-second/grade.cpp": "rubric", "solutions/01-first/first.cu": "solution", "solutions/01-first/mutants/no_guard.cu": "mutant",
    "solutions/01-first/mutants/other.cu": "another mutant",
}


def described(name: str, command: list[str] | None = None, **properties: object) -> dict:
    """A test as `ctest --show-only=json-v1` describes it."""
    return {"name": name, "command": command or ["grade-01", "--submission", name], "properties":
            [{"name": key, "value": value} for key, value in {"LABELS": ["lab01"], "TIMEOUT": 600.0, **properties}.items()]}


class Tree(Scratch):
    """A tree, a store, and an environment, each of which a test may change."""

    def setUp(self) -> None:
        super().setUp()
        self.root = self.make_folder() / "book"
        for name, text in FILES.items():
            self.place(name, text)
        self.store = self.make_folder()
        self.options = {"CMAKE_BUILD_TYPE": "Release", "preset": "sim"}
        self.around = {"kernel": "Linux 6.1", "compiler": "g++ 12", "packages": "1", "variables": "{}"}

    def place(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def kept(self) -> kept.Kept:
        return kept.Kept(self.store, self.root, self.root / "build/sim", self.options, self.around)

    def key(self, name: str = MUTANT, **properties: object) -> str:
        return self.kept().key(described(name, **properties))


class Keys(Tree):
    def test_every_part_of_a_key_changes_it(self) -> None:
        before = self.key()
        self.assertEqual(self.key(), before)
        changes = {
            "the submission": "solutions/01-first/mutants/no_guard.cu", "the solution that it is composed with": "solutions/01-first/first.cu",
            "simtcc": "common/simt/translate/main.cpp", "the simulator's headers": "common/simt/include/cuda_runtime.h",
            "the runtime": "common/simt/runtime/race.cpp", "the runner": "common/runner/main.cpp", "the grader": "common/grader/grader.hpp",
            "the protocol": "common/call/call.hpp", "the rubric": "labs/01-first/grade.cpp", "the contract": "labs/01-first/lab.hpp",
            "a message": "labs/01-first/messages.md", "how it is built": "common/cmake/Warpbook.cmake", "the build": "CMakeLists.txt",
            "the environment of tests": "common/tests/environment.cmake"}
        for what, name in changes.items():
            with self.subTest(what):
                self.place(name, "changed")
                self.assertNotEqual(self.key(), before)
                self.place(name, FILES[name])
        for what, table, name in (("an option of the build", self.options, "CMAKE_BUILD_TYPE"), ("the preset", self.options, "preset"),
                                  *((f"the environment's {part}", self.around, part) for part in self.around)):
            with self.subTest(what), mock.patch.dict(table, {name: "another"}):
                self.assertNotEqual(self.key(), before)
        with self.subTest("the command"):
            self.assertNotEqual(self.kept().key(described(MUTANT, ["grade-01", "--seed", "2"])), before)
        with self.subTest("a property"):
            self.assertNotEqual(self.key(TIMEOUT=1.0), before)
        self.assertEqual(self.key(), before)

    def test_what_a_test_cannot_read_leaves_its_key(self) -> None:
        before = self.key()
        for name in ("solutions/01-first/mutants/other.cu", "labs/02-second/grade.cpp", "docs/guide.md", "common/command/check.py"):
            self.place(name, "changed")
        self.assertEqual(self.key(), before)

    def test_a_test_without_a_row_depends_on_every_file_and_on_new_ones(self) -> None:
        before = self.key(UNIT)
        for name in FILES:
            if name.endswith("lab.json"):
                continue  # read for the names of the labs
            with self.subTest(name):
                self.place(name, "changed")
                self.assertNotEqual(self.key(UNIT), before)
                self.place(name, FILES[name])
        self.place("docs/new.md", "new")
        self.assertNotEqual(self.key(UNIT), before)

    def test_a_file_that_may_be_run_is_another_file(self) -> None:
        before = self.key(UNIT)
        (self.root / "common/command/check.py").chmod(0o755)
        self.assertNotEqual(self.key(UNIT), before)

    def test_a_clone_elsewhere_has_the_same_keys(self) -> None:
        one = self.kept().key(described(MUTANT, [f"{self.root}/build/sim/bin/grade-01", f"{self.root}/solutions/x.cu"]))
        elsewhere = self.make_folder() / "clone"
        self.root.rename(elsewhere)
        self.root = elsewhere
        self.assertEqual(self.kept().key(described(MUTANT, [f"{elsewhere}/build/sim/bin/grade-01", f"{elsewhere}/solutions/x.cu"])), one)

    def test_what_depends_on_the_day_is_kept_for_a_day(self) -> None:
        name = "unit.differential-nvcc"
        before = self.key(name), self.key(UNIT)
        with mock.patch.object(kept.datetime, "date") as date:
            date.today.return_value = datetime.date(2000, 1, 1)
            self.assertNotEqual(self.key(name), before[0])
            self.assertEqual(self.key(UNIT), before[1])

    def test_files_that_git_ignores_are_no_part_of_the_tree(self) -> None:
        for command in (["init", "-q"], ["add", "."]):
            subprocess.run(["git", *command], cwd=self.root, check=True)
        self.place(".gitignore", "/build/\n")
        before = self.key(UNIT)
        self.place("build/made", "x")
        self.assertEqual(self.key(UNIT), before)
        self.place("docs/not-added-yet.md", "x")
        self.assertNotEqual(self.key(UNIT), before)

    def test_options_that_only_say_where_things_are_do_not_count(self) -> None:
        cache = ("CMAKE_BUILD_TYPE:STRING=Release\nWARPBOOK_MUTANTS:BOOL=ON\nCMAKE_CXX_COMPILER_LAUNCHER:STRING=ccache\n"
                 "CMAKE_HOME_DIRECTORY:INTERNAL=/x\n# a comment\nOther_DIR:PATH=/y\n")
        self.assertEqual(kept.options_of(cache), {"CMAKE_BUILD_TYPE": "Release", "WARPBOOK_MUTANTS": "ON"})


class Store(Tree):
    def entry(self, key: str) -> str:
        found = list(self.store.rglob(f"{key}.json"))
        self.assertEqual(len(found), 1)
        return found[0]

    def test_what_passed_is_found_again(self) -> None:
        self.assertIsNone(self.kept().passed(self.key()))
        self.kept().keep(self.key(), MUTANT, 1.5, "skipped: no GPU")
        found = self.kept().passed(self.key())
        self.assertEqual((found.seconds, found.output), (1.5, "skipped: no GPU"))

    def test_a_poisoned_entry_is_refused(self) -> None:
        key = self.key()
        self.kept().keep(key, MUTANT, 1.5, "")
        path = self.entry(key)
        right = path.read_text()
        document = json.loads(right)
        other = {**document["entry"], "status": "failed"}
        poisons = {"another time": right.replace("1.5", "2.5"), "torn": right[:40], "empty": "", "no object": "[]", "binary": "\udc80\0",
                   "a failure": json.dumps({"check": files.digest_of(other), "entry": other}), "no entry": '{"check": "", "entry": null}'}
        for what, text in poisons.items():
            with self.subTest(what):
                path.write_bytes(text.encode(errors="surrogateescape"))
                self.assertIsNone(self.kept().passed(key))
        path.write_text(right)
        self.assertIsNotNone(self.kept().passed(key))

    def test_an_entry_in_the_place_of_another_is_refused(self) -> None:
        self.kept().keep(self.key(UNIT), UNIT, 1, "")
        self.kept().keep(self.key(), MUTANT, 1, "")
        self.entry(self.key()).write_text(self.entry(self.key(UNIT)).read_text())
        self.assertIsNone(self.kept().passed(self.key()))

    def test_what_nobody_asked_for_in_a_long_time_is_removed(self) -> None:
        self.kept().keep(self.key(UNIT), UNIT, 1, "")
        self.kept().keep(self.key(), MUTANT, 1, "")
        os.utime(self.entry(self.key()), (0, 0))
        self.kept().clear_up()
        self.assertIsNone(self.kept().passed(self.key()))
        self.assertIsNotNone(self.kept().passed(self.key(UNIT)))

    def test_the_list_of_tests_is_that_of_this_tree(self) -> None:
        tests = [described(MUTANT, [f"{self.root}/build/sim/bin/grade-01"])]
        self.assertIsNone(self.kept().tests())
        self.kept().keep_tests(tests)
        self.assertEqual(self.kept().tests(), tests)
        self.place("labs/01-first/grade.cpp", "another item")
        self.assertIsNone(self.kept().tests())

    def test_a_change_while_tests_run_is_noticed(self) -> None:
        verdicts = self.kept()
        self.assertTrue(verdicts.is_as_it_was())
        self.place("labs/01-first/grade.cpp", "changed")
        self.assertFalse(verdicts.is_as_it_was())


class Folder(Scratch):
    def test_the_folder_is_the_one_that_is_named_else_that_of_the_users_caches(self) -> None:
        for environment, expected in (({"WARPBOOK_CACHE": f"{self.folder}/own"}, "own"), ({"XDG_CACHE_HOME": f"{self.folder}/caches"}, "caches/warpbook"),
                                      ({"HOME": f"{self.folder}/home"}, "home/.cache/warpbook")):
            with mock.patch.dict(os.environ, environment, clear=True):
                self.assertEqual(kept.folder(self.folder), self.folder / expected)
                self.assertEqual(kept.folder(self.folder).stat().st_mode & 0o777, 0o700)

    def test_where_a_user_has_no_folder_for_caches_it_is_in_the_build_folder(self) -> None:
        (self.folder / "file").write_text("")
        with mock.patch.dict(os.environ, {"HOME": f"{self.folder}/file"}, clear=True):
            self.assertEqual(kept.folder(self.folder / "build"), self.folder / "build/cache")

    def test_a_folder_in_which_others_may_write_is_refused(self) -> None:
        self.folder.chmod(0o777)
        with mock.patch.dict(os.environ, {"WARPBOOK_CACHE": str(self.folder)}):
            with self.assertRaisesRegex(Problem, "Others may write"):
                kept.folder(self.folder)

    @unittest.skipUnless(AS_NOBODY, "only root can make a folder another user's")
    def test_a_folder_of_somebody_else_is_refused(self) -> None:
        self.folder.chmod(0o700)
        os.chown(self.folder, 65534, 65534)
        with mock.patch.dict(os.environ, {"WARPBOOK_CACHE": str(self.folder)}):
            with self.assertRaisesRegex(Problem, "Others may write"):
                kept.folder(self.folder)


class Environment(Scratch):
    def around(self, **variables: str) -> dict[str, str]:
        with mock.patch.dict(os.environ, variables):
            return kept.environment("sh", "")

    def test_variables_that_change_a_build_count_and_others_do_not(self) -> None:
        before = self.around()
        self.assertEqual(self.around(WARPBOOK_CACHE="/x", SOMETHING="y"), before)
        for name in ("WARPBOOK_UNCONFINED", "CXXFLAGS", "LD_LIBRARY_PATH", "WARPBOOK_FUZZ_SECONDS"):
            self.assertNotEqual(self.around(**{name: "x"}), before, name)

    def test_a_program_that_was_replaced_counts(self) -> None:
        path = os.pathsep.join([str(self.bin), os.environ["PATH"]])
        before = self.around(PATH=path)
        tool = self.tool("ninja", "true")
        added = self.around(PATH=path)
        self.assertNotEqual(added, before)
        tool.write_text("#!/bin/sh\nfalse\n")
        self.assertNotEqual(self.around(PATH=path), added)

    def test_the_modules_of_the_first_python_in_path_count(self) -> None:
        """That of build/venv, where the build uses another one."""
        self.tool("python3", f"PYTHONPATH={self.folder}/site exec {sys.executable} \"$@\"")
        described_in = self.folder / "site/module-1.dist-info/METADATA"
        described_in.parent.mkdir(parents=True)
        around = []
        for version in ("1", "2"):
            described_in.write_text(f"Metadata-Version: 2.1\nName: module\nVersion: {version}\n")
            around.append(self.around(PATH=os.pathsep.join([str(self.bin), os.environ["PATH"]])))
        self.assertEqual({name for name in around[0] if around[0][name] != around[1][name]}, {"modules"})


class Chosen(unittest.TestCase):
    def test_what_a_chosen_test_requires_is_chosen_too(self) -> None:
        tests = [described("page", FIXTURES_REQUIRED=["traces"]), described("traces", FIXTURES_SETUP=["traces"], FIXTURES_REQUIRED=["built"]),
                 described("built", FIXTURES_SETUP=["built"]), described("other")]
        self.assertEqual(kept.with_fixtures(tests, {"page"}), {"page", "traces", "built"})

    def test_labels_choose_as_ctest_does(self) -> None:
        tests = [described("a", LABELS=["starter"]), described("b", LABELS=["lab01", "sim"]), described("c", LABELS=["gpu"]), described("d", LABELS=[])]
        self.assertEqual(selftest.chosen_by({"exclude": "^(starter|handin)$"}, tests), {"b", "c", "d"})
        self.assertEqual(selftest.chosen_by({"include": "^gpu$", "exclude": "^x$"}, tests), {"c"})

    def test_what_has_to_be_built_is_what_a_test_names(self) -> None:
        build = mock.Mock(folder="/b")
        with mock.patch.object(selftest, "output_of", return_value="bin/test-call: CXX\nmodules/01/sim/a.so: CUSTOM\nall: phony\n"):
            def needed(*words: str, **properties: object) -> list[str]:
                return [name for name in selftest.needed_for([described("a", list(words), **properties)], build) if name not in ("lists", "wheel")]

            self.assertEqual(needed("/b/bin/test-call", "--out", "/b/results/a.json"), ["bin/test-call"])
            self.assertEqual(needed("python3", ENVIRONMENT=["MODULE=/b/modules/01/sim/a.so"]), ["modules/01/sim/a.so"])
            self.assertEqual(needed("python3", "/b"), ["all"])
            self.assertEqual(needed("python3", "/b", REQUIRED_FILES=["/b/modules/01/sim/a.so"]), ["modules/01/sim/a.so"])
            self.assertEqual(needed("python3", "/b", "/b/bin/test-call", "/b/modules/01/sim/a.so", RESOURCE_LOCK=["build"]), ["bin/test-call"])

    def test_what_a_gpu_found_is_not_kept(self) -> None:
        self.assertFalse(selftest.is_keepable(described("a", LABELS=["unit", "gpu"])))
        self.assertTrue(selftest.is_keepable(described("a")))


class Table(Tree):
    def read(self, reads: list[str], tree: kept.Kept | None = None) -> set[str]:
        with mock.patch.object(kept, "READS", [("x", reads)]):
            return (tree or self.kept()).files_read_by(described("x"))

    def test_every_entry_of_a_row_is_about_a_file(self) -> None:
        """An entry for a folder that was renamed would let its tests depend on nothing."""
        self.root = ROOT
        tree = self.kept()
        for entry in {re.sub(r"\{\w+\}", "*", each.removeprefix("!")) for _, reads in kept.READS for each in reads if each != "{required}"}:
            with self.subTest(entry):
                self.assertTrue(self.read([entry], tree))

    def test_an_entry_adds_or_takes_away(self) -> None:
        mutants = {name for name in FILES if "/mutants/" in name}
        self.assertEqual(self.read(["**"]), set(FILES))
        self.assertEqual(self.read(["**", "!solutions/*/mutants/"]), set(FILES) - mutants)
        self.assertEqual(self.read(["solutions/01-first/mutants/"]), mutants)
        self.assertEqual(self.read(["**", "!**", "labs/*/lab.hpp"]), {"labs/01-first/lab.hpp"})
        self.assertEqual(self.read(["labs/*"]), set())

    def test_files_that_the_command_names_count(self) -> None:
        with mock.patch.object(kept, "READS", [("x", ["docs/"])]):
            self.assertEqual(self.kept().files_read_by(described("x", ["python3", f"{self.root}/common/command/check.py", f"{self.root}/build/x"])),
                             {"docs/guide.md", "common/command/check.py"})

    def test_the_audit_knows_what_was_opened_behind_a_link_and_as_bytecode(self) -> None:
        log = ('7  openat(AT_FDCWD</tmp>, "book/common/a.css", O_RDONLY) = 3</root/common/a.css>\n'
               '7  openat(AT_FDCWD</tmp>, "x.pyc", O_RDONLY) = 3</root/build/pycache/root/common/b.cpython-311.pyc>\n'
               '7  openat(AT_FDCWD</tmp>, "absent", O_RDONLY) = -1 ENOENT (No such file or directory)\n'
               '7  execve("/root/bin/c", ["c"], 0x7 /* 9 vars */) = 0\n')
        self.assertEqual(kept_audit.opened(log), {"/root/common/a.css", "/root/common/b.py", "/root/bin/c"})

    def test_the_sources_of_required_modules_count(self) -> None:
        modules = [f"{self.root}/build/sim/modules/01/sim/{name}.so" for name in ("solution", "mutant-other")]
        with mock.patch.object(kept, "READS", [("x", ["docs/", "{required}"])]):
            self.assertEqual(self.kept().files_read_by(described("x", REQUIRED_FILES=modules)),
                             {"docs/guide.md", "solutions/01-first/mutants/other.cu"})


if __name__ == "__main__":
    unittest.main()
