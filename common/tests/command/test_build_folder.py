"""WARPBOOK_BUILD and --build: where everything goes that Warpbook writes; and paths that nothing can be built in."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import unittest
from unittest import mock

from fakes import AS_NOBODY, Scratch, captured, require_readers
from small_workbook import SmallWorkbook, needs_machine, shared_folder, survey

from command import build_folder, cli, machine_setup
from command.workbook import unusable_character

VERBS = (("check", "1"), ("check", "1", "FILE"), ("list",), ("doctor",), ("test",), ("bench", "1"),
         ("grade", "HAND-INS", "--out", "GRADED"), ("demo",))


def contents(folder: pathlib.Path) -> dict[str, tuple]:
    """Every file and folder below `folder`, with what a write would change."""
    return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_size) for path in [folder, *folder.rglob("*")]}


class Option(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.environ.pop, build_folder.VARIABLE, None)

    def test_it_stands_anywhere_before_the_dashes(self):
        for words in (["--build", "/d", "check", "1"], ["check", "--build", "/d", "1"], ["check", "1", "--build=/d"]):
            os.environ.pop(build_folder.VARIABLE, None)
            self.assertEqual(build_folder.take_option(words), ["check", "1"])
            self.assertEqual(build_folder.of("/book"), "/d")

    def test_behind_the_dashes_it_is_the_programs(self):
        words = ["sim", "a.cu", "--", "--build", "/d"]
        self.assertEqual(build_folder.take_option(words), words)
        self.assertEqual(build_folder.of("/book"), "/book/build")

    def test_it_has_precedence_over_the_environment(self):
        os.environ[build_folder.VARIABLE] = "/other"
        build_folder.take_option(["--build", "/d", "list"])
        self.assertEqual(build_folder.of("/book"), "/d")

    def test_a_relative_folder_is_the_callers(self):
        os.environ[build_folder.VARIABLE] = "mine"
        build_folder.take_option(["list"])
        self.assertEqual(build_folder.of("/book"), os.path.join(os.getcwd(), "mine"))


class Bytecode(Scratch):
    def test_it_is_kept_there_also_where_the_environment_wants_none_beside_sources(self):
        root = pathlib.Path(build_folder.__file__).resolve().parents[2]
        done = subprocess.run([sys.executable, str(root / "warpbook"), "--build", str(self.folder), "--help"], capture_output=True,
                              check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = {path.name.partition(".")[0] for path in (self.folder / "pycache").rglob("*.pyc")}
        self.assertLessEqual({"cli", "language"}, kept)


def used_folder() -> pathlib.Path:
    return shared_folder() / "used"


class SomebodyElses(SmallWorkbook):
    """Another user's checkout, which may not be written to."""

    is_built = False

    def setUp(self):
        require_readers()
        super().setUp()
        self.add_bench()
        (self.root / "labs/01-coalescing/plot.py").unlink()  # drawing takes its time
        if not self.is_built:
            shutil.rmtree(self.root / "build")
        self.mine = self.folder / "mine"
        self.mine.mkdir()
        self.write("hand-ins/alice/coalescing.cu", "// solved\n")
        self.attempt = self.write("attempt.cu", "// solved\n")
        self.mine.chmod(0o777)
        self.folder.parent.chmod(0o755)
        for path in [self.root, *self.root.rglob("*")]:
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & 0o555)
        self.addCleanup(self.make_writable)
        if not used_folder().exists():
            self.use_for_the_first_time()

    def use_for_the_first_time(self) -> None:
        """Skips the test where another user cannot; else leaves used_folder() as a first command would."""
        folder = self.mine / "doctor"
        status, out, err = self.run_as_nobody("doctor", "--build", str(folder))
        if status != 0:
            self.skipTest(f"the workbook or its tools lie where only root can read: {out}{err}")
        machine_setup.write_stamp(folder / "setup.json", survey())
        folder.rename(used_folder())

    def folder_used_before(self, name: str) -> pathlib.Path:
        """A build folder that knows the machine, and has the command's bytecode from earlier commands."""
        folder = self.mine / name
        folder.mkdir()
        folder.chmod(0o777)
        shutil.copy(used_folder() / "setup.json", folder)
        (folder / "pycache").symlink_to(used_folder() / "pycache")
        return folder

    def make_writable(self) -> None:
        for path in [self.root, *self.root.rglob("*")]:
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)

    def run_as_nobody(self, *arguments: str, **environment: str):
        done = subprocess.run([*AS_NOBODY, sys.executable, str(self.root / "warpbook"), *arguments], capture_output=True,
                              text=True, cwd="/", check=False, timeout=100,
                              env={**os.environ, "WARPBOOK_BACKEND": "sim", "HOME": "/nonexistent",
                                   "PYTHONDONTWRITEBYTECODE": "", **environment})
        self.assertNotIn("Traceback", done.stdout + done.stderr)
        return done.returncode, done.stdout, done.stderr


@needs_machine
class Shared(SomebodyElses):
    """A checkout that its owner has built: others use its programs."""

    is_built = True

    def setUp(self):
        super().setUp()
        os.utime(self.root / "build/sim/bin/simtcc")  # built after the files of the copy were written

    def test_two_classmates_check_their_files_without_building_the_workbook(self):
        before = contents(self.root)
        for folder, text, status in ((self.mine / "alice", "// solved\n", 0), (self.folder_used_before("bob"), "// to do\n", 1)):
            attempt = self.write(f"{folder.name}.cu", text)
            ended, out, err = self.run_as_nobody("check", "1", str(attempt), "--build", str(folder))
            self.assertEqual(ended, status, out + err)
            self.assertTrue((folder / "sim-shared/submissions/01/sim/check.so").exists())
            self.assertFalse((folder / "sim").exists())
        self.assertEqual(contents(self.root), before)

    def test_a_mutant_is_composed_in_ones_own_folder(self):
        mutant = self.write_mutant("// mutant: off\n")
        folder = self.folder_used_before("alice")
        status, out, err = self.run_as_nobody("check", "1", str(mutant), "--build", str(folder))
        self.assertEqual(status, 0, out + err)
        self.assertEqual((folder / "sim-shared/composed/01/off.cu").read_text(), "// solved\n// mutant: off\n")

    def test_a_compile_error_is_told_as_in_a_build_of_ones_own(self):
        attempt = self.write("broken.cu", "// broken\n")
        status, out, err = self.run_as_nobody("check", "1", str(attempt), "--build", str(self.folder_used_before("carol")))
        self.assertEqual(status, 1, out + err)
        self.assertIn("does not compile. The compiler's first error", out)

    def test_programs_older_than_their_sources_are_not_used(self):
        later = time.time() + 10
        os.utime(self.root / "labs/01-coalescing/lab.hpp", (later, later))
        attempt = self.write("alice.cu", "// solved\n")
        folder = self.folder_used_before("alice")
        self.assertEqual(self.run_as_nobody("check", "1", str(attempt), "--build", str(folder))[0], 0)
        self.assertTrue((folder / "sim/build.ninja").exists())


@needs_machine
class Elsewhere(SomebodyElses):
    def test_every_verb_writes_into_the_folder_and_nowhere_else(self):
        before = contents(self.root)
        folder = str(self.mine / "build")
        for verb, *rest in VERBS:
            words = [{"FILE": str(self.attempt), "HAND-INS": str(self.folder / "hand-ins"),
                      "GRADED": str(self.mine / "graded")}.get(word, word) for word in rest]
            status, out, err = self.run_as_nobody(verb, *words, "--build", folder)
            expected = 1 if (verb, *rest) == ("check", "1") else 0  # the starter is unsolved
            self.assertEqual(status, expected, f"{verb}: {out}{err}")
        self.assertEqual(contents(self.root), before)
        written = {str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*")}
        for name in ("setup.json", "pycache", "sim/build.ninja", "sim/log/build.log", "sim/submissions/01/sim/starter.so", "sim/junit.xml",
                     "bench/01-coalescing-sim.csv"):
            self.assertIn(name, written)

    def test_the_variable_does_as_the_option_does(self):
        folder = self.folder_used_before("build")
        before = contents(self.root)
        self.assertEqual(self.run_as_nobody("check", "1", WARPBOOK_BUILD=str(folder))[0], 1)
        self.assertTrue((folder / "sim/build.ninja").exists())
        self.assertEqual(contents(self.root), before)

    def test_without_it_the_sentence_names_it(self):
        status, out, err = self.run_as_nobody("check", "1")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("./warpbook --build ~/warpbook-build check 01", err)


@needs_machine
class Refused(SmallWorkbook):
    def refusal(self, *arguments: str) -> str:
        status, out, err = self.warpbook(*arguments)
        self.assertEqual((status, out), (2, ""), err)
        return err

    def test_an_option_without_a_folder(self):
        for words in (["check", "1", "--build"], ["--build"], ["sim", "a.cu", "--build="]):
            self.assertIn("--build needs the folder", self.refusal(*words))

    def test_a_file_as_a_folder(self):
        self.assertIn("coalescing.cu is a file", self.refusal("sim", "--build", str(self.starter)))

    def test_the_workbook_itself(self):
        self.assertIn("cannot be", self.refusal("check", "1", "--build", "."))


class Paths(Scratch):
    """Every verb that builds refuses a path before it installs, configures or writes anything."""

    def assert_refused(self, name: str, called: str, remedy: str, *words: str) -> None:
        root = self.folder / name
        (root / "labs/01-coalescing").mkdir(parents=True, exist_ok=True)
        before = contents(self.folder)
        with captured() as (out, err):
            status = cli.main(list(words), str(root))
        self.assertEqual((status, out.getvalue()), (2, ""), err.getvalue())
        self.assertRegex(err.getvalue(), rf"\AThe path .* holds {re.escape(called)}, which CMake and Ninja cannot pass on: {remedy}\.\n\Z")
        self.assertEqual(contents(self.folder), before)

    def test_what_cannot_be_passed_on_is_one_sentence(self):
        for character, called in ((";", "a ;"), ("[", "a ["), ("]", "a ]"), ("$", "a $"), ('"', 'a "'), ("\\", "a \\"),
                                  ("\n", "a newline"), ("\t", "a control character"), ("#", "a #"), ("|", "a |"),
                                  ("\udcfc", "a byte that is not UTF-8")):
            self.assert_refused(f"a{character}b", called, "move or rename the folder", "check", "1")

    def test_every_verb_that_builds_refuses(self):
        for words in (["sim", "a.cu"], ["grade", "."], ["bench", "1"], ["demo"], ["test"]):
            self.assert_refused("a;b", "a ;", "move or rename the folder", *words)

    def test_so_is_a_build_folder(self):
        with mock.patch.dict(os.environ, {build_folder.VARIABLE: str(self.folder / "c;d")}):
            self.assert_refused("plain", "a ;", "name another build folder", "check", "1")

    def test_other_characters_are_fine(self):
        self.assertEqual(unusable_character("/home/grün/a b (c)+%,='&!@^{}~-_.:/x"), "")


@needs_machine
class UsualPaths(SmallWorkbook):
    def test_spaces_parentheses_and_umlauts_are_paths_like_others(self):
        self.root = self.root.rename(self.folder / "a b(c)+%äö,'&!=@^{}~")
        self.starter = self.root / "labs/01-coalescing/coalescing.cu"
        self.starter.write_text("// solved\n")
        status, out, err = self.warpbook("check", "1")
        self.assertEqual(status, 0, out + err)
        self.assertEqual(self.warpbook("check", "1", str(self.starter))[0], 0)


if __name__ == "__main__":
    unittest.main()
