"""common/command/wheel.py, build_choice.py and prebuilt.py: what a wheel's programs were made from, and when they are used."""
import ast
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "common"))

from command import build_choice, compilation, grading, machine_setup, prebuilt, wheel
from command.backend import Backend
from command.problem import Problem
from command.workbook import Workbook

LAB = "01-coalescing"
SETUP = {"compiler": "/bin/sh", "python": sys.executable}
#: Compiles a file that says neither `broken` nor anything that it includes twice: its module is the file.
SIMTCC = """#!/bin/sh
for word in "$@"; do
  case $before in -o) output=$word ;; -MF) listed=$word ;; esac
  before=$word
done
echo compiled >> "$0.log"
if grep -q broken "$before"; then
  echo "$before:1:1: error: it is broken" >&2
  exit 1
fi
cp "$before" "$output"
printf 'module: \\\\\\n  %s\\n' "$before" > "$listed"
"""


class Tree(unittest.TestCase):
    """A workbook of one lab and a few of the folders of common/, and a wheel that was made from it."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()
        self.root = self.folder / "tree"
        for name in ("common/yardsticks", "common/bench", "common/grader", "common/simt/include", "common/simt/runtime", "common/cmake", f"labs/{LAB}"):
            shutil.copytree(ROOT / name, self.root / name)
        self.lab = self.root / "labs" / LAB
        self.book = Workbook(self.root)
        for target, value in (("places", lambda root: [self.folder / "warpbook"]), ):
            patched = mock.patch.object(wheel, target, value)
            patched.start()
            self.addCleanup(patched.stop)

    def make_wheel(self) -> pathlib.Path:
        place = self.folder / "warpbook"
        (place / "bin").mkdir(parents=True, exist_ok=True)
        (place / "wheel.json").write_text(json.dumps(wheel.described(self.root, "1.2", [self.lab])))
        words = ["@PROGRAMS@/simtcc", "--cxx", "@COMPILER@", "-MF", "@DEPFILE@", "-o", "@OUTPUT@", "@SOURCE@"]
        (place / compilation.FILE).write_text(json.dumps({"sim": words}))
        for name in ("simtcc", "simtrun", "warpbook-runner-sim", "grade-01"):
            (place / "bin" / name).write_text(SIMTCC)
            (place / "bin" / name).chmod(0o755)
        return place

    def touch(self, name: str) -> None:
        with open(self.root / name, "a", encoding="utf-8") as file:
            file.write("\n")

    def build(self) -> object:
        labs = [self.book.lab("01")]
        return build_choice.chosen(self.book, Backend("sim", ""), labs, setup=SETUP)


class Hashes(Tree):
    def prints(self) -> tuple[str, str, str]:
        return wheel.hash_of_programs(self.root), wheel.hash_of_lab(self.lab), wheel.hash_of_bench(self.root, self.lab)

    def changed(self, name: str) -> tuple[bool, ...]:
        """Whether a change of the file `name` is one of the programs, of the lab's grader, and of its bench."""
        before = self.prints()
        self.touch(name)
        return tuple(old != new for old, new in zip(before, self.prints()))

    def test_a_changed_rubric_contract_or_message_is_another_lab(self):
        for name in ("lab.hpp", "messages.md", next(self.lab.glob("grade*.cpp")).name, "scenes.cpp"):
            self.assertEqual(self.changed(f"labs/{LAB}/{name}"), (False, True, False), name)

    def test_a_students_work_a_text_and_the_facts_are_not(self):
        for name in ("coalescing.cu", "README.md", "lab.json", "hints.md"):
            self.assertEqual(self.changed(f"labs/{LAB}/{name}"), (False, False, False), name)

    def test_a_header_counts_where_the_rubric_includes_it(self):
        """Not one that a student has put beside the file to be handed in, nor an older copy of that."""
        for name in ("mine.hpp", "coalescing_old.cpp"):
            (self.lab / name).write_text("")
            self.assertEqual(self.changed(f"labs/{LAB}/{name}"), (False, False, False), name)
        rubric = next(self.lab.glob("grade*.cpp"))
        rubric.write_text(rubric.read_text() + '#  include "mine.hpp"\n')
        (self.lab / "mine.hpp").write_text('#include "deeper.hpp"\n#include <vector>\n')
        (self.lab / "deeper.hpp").write_text('#include "mine.hpp"\n')
        for name in ("mine.hpp", "deeper.hpp"):
            self.assertEqual(self.changed(f"labs/{LAB}/{name}"), (False, True, False), name)

    def test_everything_in_a_labs_folder_that_is_compiled_counts(self):
        """But for what only the bench includes: that is hashed with it."""
        for lab in sorted((ROOT / "labs").glob("[0-9]*")):
            compiled = {path for pattern in ("*.cpp", "*.hpp", "messages.md") for path in lab.glob(pattern)}
            self.assertEqual(compiled, wheel.sources_of_grader(lab) | wheel._with_included(lab, [lab / "bench.cpp"]), lab.name)

    def test_a_bench_is_a_matter_of_its_own(self):
        for name in (f"labs/{LAB}/bench.cpp", "common/bench/CMakeLists.txt"):
            self.assertEqual(self.changed(name), (False, False, True), name)

    def test_a_changed_simulator_grader_or_rule_is_another_program(self):
        for name in ("common/grader/main.cpp", "common/simt/include/cuda_runtime.h", "common/simt/include/cuda/atomic",
                     "common/cmake/Warpbook.cmake"):
            self.assertEqual(self.changed(name), (True, False, False), name)

    def test_a_moved_tree_is_the_same(self):
        before = self.prints()
        self.root = self.root.rename(self.root.with_name("elsewhere"))
        self.lab = self.root / "labs" / LAB
        self.assertEqual(self.prints(), before)

    def test_everything_that_a_graders_own_source_includes_is_hashed(self):
        """No source of the graders' library includes a file of common/ that lies elsewhere."""
        for name in wheel.FOLDERS:
            for path in (ROOT / "common" / name).rglob("*"):
                if path.suffix in (".cpp", ".hpp"):
                    for line in path.read_text(encoding="utf-8").splitlines():
                        if line.startswith('#include "') and "/" in line:
                            folder = line.split('"')[1].split("/")[0]
                            self.assertFalse((ROOT / "common" / folder).is_dir() and folder not in wheel.FOLDERS, f"{path}: {line}")


class Choice(Tree):
    def why(self) -> str:
        return build_choice.fitting(self.book, [self.book.lab("01")])[1]

    def test_without_a_wheel_it_is_built_from_source_without_a_word(self):
        self.assertEqual((type(self.build()).__name__, self.why()), ("Build", ""))

    def test_a_wheel_of_this_tree_is_used(self):
        self.make_wheel()
        self.assertIsInstance(self.build(), prebuilt.WheelBuild)

    def test_a_build_of_ones_own_goes_first_once_it_can_grade(self):
        self.make_wheel()
        (self.root / "build/sim/bin").mkdir(parents=True)
        for name, expected in (("build.ninja", "WheelBuild"), ("bin/simtcc", "WheelBuild"), ("bin/grade-01", "Build")):
            (self.root / "build/sim" / name).touch()
            self.assertEqual(type(self.build()).__name__, expected, name)

    def test_line_ends_of_a_checkout_for_windows_make_no_other_tree(self):
        self.make_wheel()
        for path in [*self.lab.iterdir(), *(self.root / "common").rglob("*.?pp")]:
            if path.is_file():
                path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        self.assertIsInstance(self.build(), prebuilt.WheelBuild)

    def test_another_rubric_simulator_or_lab_is_said(self):
        self.make_wheel()
        self.touch(f"labs/{LAB}/messages.md")
        self.assertIn(f"rubric, contract or messages of {LAB} are not those of the installed wheel warpbook 1.2", self.why())
        self.assertEqual(self.build().why, self.why())
        self.touch("common/grader/main.cpp")
        self.assertIn("another simulator or grader", self.why())
        self.make_wheel()
        self.assertEqual(self.why(), "")
        shutil.copytree(self.lab, self.root / "labs/07-scan")
        self.assertIn("no grader of 07-scan", build_choice.fitting(self.book, self.book.labs())[1])

    def test_where_nothing_can_be_built_that_is_refused_in_a_sentence(self):
        self.make_wheel()
        self.touch(f"labs/{LAB}/messages.md")
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}), mock.patch.object(machine_setup.install, "privilege", return_value=None), \
                self.assertRaises(Problem) as caught:
            build_choice.set_up(self.book, "sim", [self.book.lab("01")])
        self.assertIn("so its grader is built from source. Warpbook needs a few things that are not here yet:", caught.exception.sentence)
        self.assertTrue(any(line.startswith("  CMake") for line in caught.exception.details))

    def test_with_a_wheel_only_a_compiler_is_asked_for_and_what_brings_one_is_said(self):
        self.make_wheel()
        with mock.patch.dict(os.environ, {"PATH": str(self.folder), "CXX": ""}), mock.patch.object(machine_setup.install, "privilege", return_value=None), \
                mock.patch.object(machine_setup.install.os, "geteuid", return_value=1000), self.assertRaises(Problem) as caught:
            build_choice.set_up(self.book, "sim", [self.book.lab("01")])
        said = "\n".join(caught.exception.details)
        self.assertNotIn("CMake", said)
        for wanted in ("sudo apt-get install -y --no-install-recommends g++", "sudo dnf install -y gcc-c++", "sudo pacman -S --needed gcc",
                       "micromamba create -y -p", "docker run"):
            self.assertIn(wanted, said)

    def test_a_survey_for_a_wheel_is_none_for_a_build(self):
        stamp = self.folder / "setup.json"
        machine_setup.write_stamp(stamp, machine_setup.probe.Machine([], "/usr/bin/g++", sys.executable), with_wheel=True)
        self.assertIsNone(machine_setup.read_stamp(stamp))
        self.assertIsNotNone(machine_setup.read_stamp(stamp, with_wheel=True))
        machine_setup.write_stamp(stamp, machine_setup.probe.Machine([], "/usr/bin/g++", sys.executable))
        self.assertIsNotNone(machine_setup.read_stamp(stamp, with_wheel=True))


class Modules(Tree):
    def test_a_file_is_compiled_by_the_wheels_programs_and_command_and_with_this_machines_compiler(self):
        place = self.make_wheel()
        own = self.lab / "coalescing.cu"
        own.write_text("one\n")
        made = self.build()
        submission = grading.Submission(self.book.lab("01"), "starter", own)
        self.assertEqual(grading.build_all(made, [submission], ["sim"]), {})
        self.assertEqual((self.root / "build/sim-wheel/submissions/01/sim/starter.so").read_text(), "one\n")
        command = made.toolchain().command("sim", submission, self.folder / "sim.so")
        self.assertEqual((command[0], command[command.index("--cxx") + 1]), (str(place / "bin/simtcc"), SETUP["compiler"]))

    def test_a_program_that_the_wheel_lacks_is_said(self):
        place = self.make_wheel()
        made = self.build()
        (place / "bin/grade-01").unlink()
        with self.assertRaisesRegex(Problem, "There is no program grade-01"):
            made.build(grading.grading_targets(self.book.lab("01"), ["sim"]))


class OldestPython(unittest.TestCase):
    """The wheel is for Python 3.9, whose grammar and arguments are not the newest ones."""

    #: What later versions have added to what is used here.
    LATER = {"zip": {"strict"}, "dataclass": {"slots", "kw_only"}}

    def test_nothing_of_a_workbook_needs_a_later_one(self):
        files = [path for folder in ("common/command", "common/wheel", "common/languages", "labs", "plots") for path in (ROOT / folder).rglob("*.py")]
        self.assertGreater(len(files), 100)
        for path in [ROOT / "warpbook", *files]:
            tree = ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 9))
            for call in ast.walk(tree):
                if isinstance(call, ast.Call):
                    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                    later = self.LATER.get(name, set()) & {keyword.arg for keyword in call.keywords}
                    self.assertFalse(later, f"{path}:{call.lineno}")


if __name__ == "__main__":
    unittest.main()
