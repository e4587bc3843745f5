"""common/command/compilation.py: one command makes a module, and makes it again when what it was made from says something else."""
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import unittest

from fakes import ROOT, Scratch

from command import compilation
from command.build import Build
from command.compilation import Compiling, Submission
from command.problem import Problem
from command.workbook import Workbook

#: A compiler whose module is the file, which may include another by its path: `with PATH`.
SIMTCC = """#!/bin/sh
log=$0.log
while [ $# -gt 1 ]; do
  case $1 in -o) output=$2; shift ;; -MF) listed=$2; shift ;; --part) parts="$parts $2"; shift ;; --cxx) shift ;; esac
  shift
done
echo "$1$parts" >> "$log"
if grep -q broken "$1"; then
  echo "$1:1:1: error: it is broken" >&2
  exit 3
fi
grep -q "compiles for ever" "$1" && exec sleep 1000
grep -q "says nothing" "$1" && exit 1
with=$(sed -n 's/^with //p' "$1")
cat "$1" $with > "$output"
printf 'module: \\\\\\n  %s' "$1" > "$listed"
[ -n "$with" ] && printf ' \\\\\\n  %s' "$with" >> "$listed"
echo >> "$listed"
"""
WORDS = ["@PROGRAMS@/simtcc", "--submission", "--cxx", "@COMPILER@", "-I", "@LAB_FOLDER@", "-include", "@CONTRACT@", "-MF", "@DEPFILE@",
         "-o", "@OUTPUT@", "@SOURCE@"]
SECOND = 1_000_000_000


class Modules(Scratch):
    def setUp(self):
        super().setUp()
        self.write_lab("01-coalescing")
        self.workbook = Workbook(self.folder)
        self.build = Build(self.workbook, "sim", {"compiler": "", "python": sys.executable})
        self.write("build/sim/submission-commands.json", json.dumps({"compiler": "/bin/sh", "sim": WORDS}))
        self.install(SIMTCC)
        self.lab = self.workbook.labs()[0]
        self.own = self.save("labs/01-coalescing/coalescing.cu", "one\n")
        self.starter = Submission(self.lab, "starter", self.own)
        self.module = self.starter.module(self.build, "sim")

    def install(self, text: str) -> None:
        new = self.write("build/sim/bin/new", text)
        new.chmod(0o755)
        new.replace(new.with_name("simtcc"))

    def save(self, name: str, text: str, ago: float = 3600) -> pathlib.Path:
        """Writes a file that is older than a compilation which begins now, as far as clocks of file systems tell."""
        path = self.write(name, text)
        then = time.time_ns() - int(ago * SECOND) + len(text)
        os.utime(path, ns=(then, then))
        return path

    def compile(self, *submissions: Submission, made=lambda submission, backend: None):
        with Compiling(self.build, [(each, "sim") for each in submissions or [self.starter]], made) as compiling:
            return compiling.finish(False)

    def runs(self) -> list[str]:
        """What simtcc was run for since the last look."""
        log = self.build.program("simtcc.log")
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    def times(self) -> int:
        self.assertEqual(self.compile(), {})
        return len(self.runs())

    def test_a_module_is_made_once(self):
        self.assertEqual([self.times(), self.times()], [1, 0])
        self.assertEqual(self.module.read_text(), "one\n")
        self.assertEqual(self.module, self.folder / "build/sim/submissions/01/sim/starter.so")

    def test_each_thing_that_it_is_made_from_makes_it_anew(self):
        header = self.save("labs/01-coalescing/mine.hpp", "a header\n")
        self.save("labs/01-coalescing/coalescing.cu", f"with {header}\n")
        self.times()
        commands = self.folder / "build/sim/submission-commands.json"

        def command(**more):
            commands.write_text(json.dumps({"compiler": "/bin/sh", "sim": WORDS, **more}))

        for what, change in (("the file", lambda: self.save("labs/01-coalescing/coalescing.cu", f"with {header}\n# other\n")),
                             ("a header", lambda: self.save("labs/01-coalescing/mine.hpp", "another header\n")),
                             ("simtcc", lambda: self.install(SIMTCC + "# other\n")),
                             ("the compiler", lambda: command(compiler="/bin/true")),
                             ("the command", lambda: command(sim=[*WORDS[:2], "--other", *WORDS[2:]])),
                             ("the record", lambda: self.module.with_suffix(".json").write_text("{")),
                             ("the module", self.module.unlink)):
            self.assertEqual(self.times(), 0, what)
            change()
            self.assertEqual(self.times(), 1, what)

    def test_a_file_that_was_only_touched_or_checked_out_again_is_as_it_was(self):
        self.times()
        os.utime(self.own, ns=(SECOND, SECOND))
        self.assertEqual(self.times(), 0)

    def test_a_file_that_was_saved_while_it_was_compiled_is_compiled_again(self):
        self.save("labs/01-coalescing/coalescing.cu", "one\n", ago=-3600)
        self.assertEqual([self.times(), self.times()], [1, 1])

    def test_a_file_that_does_not_compile_leaves_no_module_and_fails_alone(self):
        self.times()
        other = Submission(self.lab, "handin-a", self.save("class/a.cu", "broken\n"), called="a.cu")
        silent = Submission(self.lab, "handin-b", self.save("class/b.cu", "says nothing\n"))
        self.compile(other)
        module = other.module(self.build, "sim")
        module.write_text("old")
        heard = []
        failures = self.compile(self.starter, other, silent, made=lambda submission, backend: heard.append((submission.name, backend)))
        self.assertEqual({pair[0].name: failure.diagnosis for pair, failure in failures.items()},
                         {"handin-a": "compile-error", "handin-b": "build-failed"})
        self.assertIn("first error: a.cu:1:1: error: it is broken", failures[other, "sim"].reason)
        self.assertFalse(module.exists())
        self.assertEqual(heard, [("starter", "sim")])

    def test_a_command_is_made_of_words_and_never_of_a_line(self):
        source = self.save("x y/'$(id)@OUTPUT@.cu", "one\n")
        submission = Submission(self.lab, "check", source)
        command = self.build.toolchain().command("sim", submission, pathlib.Path("/o/$(id) b.so"))
        self.assertEqual(command[-3:], ["-o", "/o/$(id) b.so", str(source)])
        self.compile(submission)
        self.assertEqual(self.runs(), [str(source)])

    def test_a_composed_file_is_compiled_with_its_parts(self):
        parts = tuple(self.save(name, "part\n") for name in ("a.cu", "b.cu"))
        composed = self.save("composed.cu", "both\n")
        self.compile(Submission(self.lab, "check", parts[1], compiled=composed, parts=parts))
        self.assertEqual(self.runs(), [" ".join(map(str, (composed, *parts)))])

    def test_programs_that_turn_out_to_be_old_compile_again_and_only_then_is_the_module_told_of(self):
        heard = threading.Event()
        with Compiling(self.build, [(self.starter, "sim")], lambda submission, backend: heard.set()) as compiling:
            while not self.build.program("simtcc.log").exists():
                time.sleep(0.01)
            self.assertFalse(heard.is_set())
            self.install(SIMTCC + "# newer\n")
            self.assertEqual(compiling.finish(False), {})
        self.assertEqual(len(self.runs()), 2)
        self.assertTrue(heard.is_set())

    def test_where_nothing_is_built_yet_it_waits_for_the_programs(self):
        simtcc = self.build.program("simtcc")
        simtcc.unlink()
        with Compiling(self.build, [(self.starter, "sim")]) as compiling:
            self.install(SIMTCC)
            self.assertEqual(compiling.finish(False), {})
        self.assertEqual(len(self.runs()), 1)

    def test_what_interrupts_it_ends_the_compilers_and_no_module_is_told_of(self):
        heard = []
        self.save("labs/01-coalescing/coalescing.cu", "compiles for ever\n")
        with self.assertRaises(KeyboardInterrupt):
            with Compiling(self.build, [(self.starter, "sim")], lambda *made: heard.append(made)) as compiling:
                while not self.runs():
                    time.sleep(0.01)
                raise KeyboardInterrupt
        self.assertEqual((heard, compiling._running.processes(), self.module.exists()), ([], [], False))

    def test_a_program_that_cannot_be_started_is_told(self):
        self.install("half a program")
        self.build.program("simtcc").chmod(0)
        with self.assertRaises(OSError):
            self.compile()

    def test_a_build_folder_that_does_not_say_how_is_a_problem_of_a_sentence(self):
        for text in ("{", "[]", "{}"):
            self.write("build/sim/submission-commands.json", text)
            with self.assertRaisesRegex(Problem, "submission-commands.json"):
                self.compile()

    def test_the_fixture_of_ctest_compiles_as_everything_else_does(self):
        def fixture(source: pathlib.Path) -> subprocess.CompletedProcess:
            return subprocess.run([sys.executable, "-B", "-m", "command.compilation", "--root", str(self.folder), "--build-dir", str(self.folder / "build/sim"), "--lab", "01-coalescing",
                                   "--name", "handin-a", "--backend", "sim", "--source", str(source)], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(ROOT / "common")})

        done = fixture(self.save("a.cu", "one\n"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual((self.folder / "build/sim/submissions/01/sim/handin-a.so").read_text(), "one\n")
        done = fixture(self.save("a.cu", "broken\n"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("a.cu:1:1: error: it is broken\n01.handin-a.sim does not build (compile-error)", done.stdout)
        done = fixture(self.folder / "gone.cu")
        self.assertIn("gone.cu is missing.\nIs the path right?\n01.handin-a.sim does not build (missing-file)", done.stdout)


if __name__ == "__main__":
    unittest.main()
