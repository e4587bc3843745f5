"""One grading run: what is built, who is to blame when that fails, and what the graders' streams come to."""
import json
import os
import sys
import time
import unittest
from unittest import mock

from fakes import Scratch, facts, result

from command import compilation, grading, progress, results, student_file
from command.build import Build
from command.problem import Problem
from command.workbook import Workbook

ITEMS = [{"item": item, "points": 2, "backends": backends, "function": "f", "todo": todo, "further_todos": further, "labels": labels}
         for item, backends, todo, further, labels in (("fast", ["cuda"], 1, [], ["speed"]), ("one", ["sim", "cuda"], 1, [], []),
                                                       ("two", ["sim", "cuda"], 2, [], []), ("three", ["sim"], 3, [2], []))]

GRADER = """\
#!{python} -IS
import json, os, sys, time
def say(event, **more):
    print(json.dumps({{"event": event, **more}}), flush=True)
def result(item):
    say("result", result={{"item": item, "status": "passed", "points": 2, "max_points": 2}})
def wait_for(name):  # a part of the test answers by making a file
    deadline = time.monotonic() + 20
    while not os.path.exists("{folder}/" + name):
        if time.monotonic() > deadline:
            sys.exit(name + " was never told")
        time.sleep(0.01)
if "--list-items" in sys.argv:
    print('''{items}''')
    sys.exit()
backend = sys.argv[sys.argv.index("--backend") + 1]
say("begin")
if not sys.stdin.readline():
    sys.exit(2)
"""


class Grading(Scratch):
    def setUp(self):
        super().setUp()
        self.workbook = Workbook(self.folder)
        self.write_lab("01-coalescing")
        self.source = self.write("labs/01-coalescing/coalescing.cu", "// mine\n")
        self.lab = self.workbook.labs()[0]
        self.starter = grading.Submission(self.lab, "starter", self.source)
        self.build = Build(self.workbook, "sim", {"compiler": "", "python": sys.executable})
        for backend in ("sim", "cuda"):
            self.write(f"build/sim/bin/warpbook-runner-{backend}")

    def hand_in(self, name: str) -> grading.Submission:
        return grading.Submission(self.lab, f"handin-{name}", self.write(f"class/{name}/coalescing.cu", "// mine\n"))

    def write_grader(self, body: str) -> None:
        items = "\n".join(map(json.dumps, ITEMS))
        path = self.write("build/sim/bin/new", GRADER.format(python=sys.executable, folder=self.folder, items=items) + body)
        path.chmod(0o755)
        path.replace(path.with_name("grade-01"))  # as a linker does it: another file of the same name

    def judge(self, backends, failures=None, **options):
        return grading.judge_built(self.build, self.starter, backends, failures or {}, **options)


class Tallying(Grading):
    def setUp(self):
        super().setUp()
        self.told: list[tuple[str, str]] = []

    def tally(self, *backends: str) -> grading.Tally:
        return grading.Tally([(item, backend) for item in ("one", "two") for backend in backends], {"one": 1, "two": 2},
                             lambda score: self.told.append((score.item, score.status)))

    def add(self, tally: grading.Tally, item: str, backend: str = "sim", status: str = "passed") -> None:
        tally.add(results.ItemResult.from_json({**result(item, status), "backend": backend}))

    def test_scores_are_told_in_the_rubrics_order_whatever_order_they_come_in(self):
        tally = self.tally("sim")
        self.add(tally, "two")
        self.assertEqual(self.told, [])
        self.add(tally, "one", status="failed")
        self.assertEqual(self.told, [("one", "failed"), ("two", "passed")])

    def test_with_two_backends_a_score_is_told_once_both_are_known(self):
        tally = self.tally("sim", "cuda")
        self.add(tally, "one")
        self.add(tally, "two")
        self.assertEqual(self.told, [])
        self.add(tally, "one", "cuda", "failed")
        self.assertEqual(self.told, [("one", "failed")])
        self.add(tally, "two", "cuda")
        self.assertEqual(self.told, [("one", "failed"), ("two", "passed")])
        self.assertEqual([(found.item, found.backend) for found in tally.results()],
                         [("one", "sim"), ("one", "cuda"), ("two", "sim"), ("two", "cuda")])

    def test_what_nobody_asked_for_is_a_problem(self):
        tally = self.tally("sim")
        for item, backend in (("another", "sim"), ("one", "cuda")):
            with self.assertRaisesRegex(Problem, "which was not asked for"):
                self.add(tally, item, backend)
        self.add(tally, "one")
        with self.assertRaises(Problem):  # judged twice
            self.add(tally, "one")

    def test_an_item_left_out_is_a_problem_that_names_it(self):
        tally = self.tally("sim")
        self.add(tally, "one")
        with self.assertRaises(Problem) as caught:
            tally.results()
        self.assertEqual(caught.exception.details, ["  two (sim)"])


class Streams(Grading):
    def test_a_score_is_told_while_the_grader_is_still_at_work(self):
        self.write_grader('result("one")\nwait_for("one")\nresult("two")\nwait_for("two")\nresult("three")\nsay("end")\n')
        begun, told = [], []

        def tell(score):
            told.append(score.item)
            (self.folder / score.item).touch()

        verdict = self.judge(["sim"], begun=begun.extend, told=tell)
        self.assertEqual((begun, told), (["one", "two", "three"], ["one", "two", "three"]))
        self.assertTrue(verdict.complete)

    def test_two_graders_are_listened_to_at_once_and_times_come_last(self):
        self.write_grader('if backend == "sim":\n'
                          '    result("one")\n    wait_for("one")\n    result("two")\n    result("three")\n'
                          'else:\n'
                          '    result("one")\n    wait_for("one")\n    result("two")\n    wait_for("three")\n    result("fast")\n'
                          'say("end")\n')
        told = []

        def tell(score):
            told.append(score.item)
            (self.folder / score.item).touch()

        verdict = self.judge(["sim", "cuda"], told=tell)
        self.assertEqual(told, ["one", "two", "three", "fast"])
        self.assertEqual([(found.item, found.backend) for found in verdict.results],
                         [("one", "sim"), ("one", "cuda"), ("two", "sim"), ("two", "cuda"), ("three", "sim"), ("fast", "cuda")])

    def test_a_grader_that_ends_early_is_a_problem_with_its_last_words(self):
        for end in ('sys.exit("I am\\nout of order")', 'sys.stderr.write("I am\\nout of order"); os.kill(os.getpid(), 9)'):
            self.write_grader(f'result("one")\n{end}\n')
            with self.assertRaisesRegex(Problem, "before it had judged everything") as caught:
                self.judge(["sim"])
            self.assertEqual(caught.exception.details, ["  I am", "  out of order"])

    def test_a_grader_that_leaves_an_item_out_is_a_problem(self):
        self.write_grader('result("one")\nsay("end")\n')
        with self.assertRaisesRegex(Problem, "without a verdict on every item"):
            self.judge(["sim"])

    def test_what_cannot_be_read_is_a_problem_at_once_and_the_grader_is_ended(self):
        for garbage in ("6 of 6 points", "[]", "{}", '{"event": "result", "result": {"item": "one", "status": "great"}}',
                        '{"event": "result", "result": null}', '{"event": "result"}', "\udcff"):
            self.write_grader(f"open('{self.folder}/process', 'w').write(str(os.getpid()))\n"
                              f"sys.stdout.buffer.write({os.fsencode(garbage)!r} + b'\\n')\nsys.stdout.flush()\ntime.sleep(60)\n")
            begun = time.monotonic()
            with self.assertRaisesRegex(Problem, "cannot be read"):
                self.judge(["sim"])
            self.assertLess(time.monotonic() - begun, 50, garbage)
            self.assertRaises(ProcessLookupError, os.kill, int((self.folder / "process").read_text()), 0)

    def test_one_graders_death_ends_the_other(self):
        self.write_grader(f'if backend == "cuda":\n    wait_for("process")\n    sys.exit("no GPU")\n'
                          f'open("{self.folder}/draft", "w").write(str(os.getpid()))\n'
                          f'os.rename("{self.folder}/draft", "{self.folder}/process")\ntime.sleep(60)\n')
        with self.assertRaises(Problem) as caught:
            self.judge(["sim", "cuda"])
        self.assertEqual(caught.exception.details, ["  no GPU"])
        self.assertRaises(ProcessLookupError, os.kill, int((self.folder / "process").read_text()), 0)

    def test_a_file_that_one_compiler_refuses_is_judged_by_the_other(self):
        self.write_grader('for item in ("one", "two", "three"): result(item)\nsay("end")\n')
        failure = student_file.BuildFailure("compile-error", "nvcc: error: no", [])
        told = []
        verdict = self.judge(["sim", "cuda"], {(self.starter, "cuda"): failure}, told=lambda score: told.append(score.status))
        self.assertEqual(told, ["failed", "failed", "passed", "failed"])
        self.assertEqual((verdict.build_failure.backend, verdict.build_failure.reason), ("cuda", "nvcc: error: no"))
        self.assertEqual({(found.item, found.backend) for found in verdict.results if found.status == "passed"},
                         {("one", "sim"), ("two", "sim"), ("three", "sim")})

    def test_what_a_compiler_quotes_of_a_file_steers_no_terminal(self):
        self.write_grader('for item in ("one", "two", "three"): result(item)\nsay("end")\n')
        failure = student_file.BuildFailure("compile-error", "a.cu:1: error: \x1b[31m\n  | \u202ea", ["\x07\tb"])
        said = self.judge(["sim"], {(self.starter, "sim"): failure}).build_failure
        self.assertEqual((said.reason, said.lines), ("a.cu:1: error: \u241b[31m\n  | \\u202ea", ["\u2407\tb"]))

    def test_a_todo_or_no_speed_is_asked_of_the_grader_too(self):
        self.write_grader('if "--leave-out-speed" in sys.argv: result("one")\n'
                          'if "--todo" in sys.argv: result({"2": "two"}[sys.argv[sys.argv.index("--todo") + 1]])\n'
                          'else: result("two")\nsay("end")\n')
        self.assertEqual([found.item for found in self.judge(["cuda"], speed=False).results], ["one", "two"])
        self.assertEqual([found.item for found in self.judge(["cuda"], todo=2).results], ["two"])
        self.write_grader('result("two")\nresult("three")\nsay("end")\n')
        self.assertEqual([found.item for found in self.judge(["sim"], todo=2).results], ["two", "three"])  # that can fail for it

    def test_a_todo_that_another_backend_grades_is_said(self):
        self.write_grader("")
        with self.assertRaisesRegex(Problem, r"No item of TODO\(3\) of 01-coalescing is for cuda"):
            self.judge(["cuda"], todo=3)


class Waking(Grading):
    """Graders are started while the module is being compiled."""

    def wake(self) -> grading._Waking:
        waking = grading._Waking(self.build, self.starter, ["sim", "cuda"], [])
        self.addCleanup(waking.stop)
        waking.start()
        return waking

    def test_a_grader_whose_programs_are_as_they_were_is_the_one_that_judges(self):
        self.write_grader("")
        waking = self.wake()
        self.assertEqual(list(waking.graders), ["sim", "cuda"])
        early = waking.graders["cuda"]
        self.assertIs(waking.ready("cuda"), early)

    def test_a_grader_is_started_again_if_the_build_has_changed_it_or_its_runner(self):
        for change in (lambda: self.write_grader("# new\n"), lambda: os.utime(self.build.program("warpbook-runner-cuda"), (1, 1))):
            self.write_grader("")
            waking = self.wake()
            early = waking.graders["cuda"]
            change()
            self.assertFalse(early.is_current())
            later = waking.ready("cuda")
            self.assertIsNot(later, early)
            self.assertIsNotNone(early._process.poll())
            self.assertTrue(later.is_current())
            self.assertIsNone(later._process.poll())

    def test_a_grader_begins_as_soon_as_its_module_is_made(self):
        self.write_grader('result("one")\nsay("end")\n')
        waking = self.wake()
        self.assertFalse(waking.graders["sim"]._begun)
        waking.made(self.starter, "sim")
        early = waking.graders["sim"]
        early._process.wait()  # it has said everything, and no one has heard it yet
        self.assertIs(waking.ready("sim"), early)
        early.begin()
        self.assertEqual([event["event"] for event in early.events()][-2:], ["result", "end"])
        self.assertFalse(waking.graders["cuda"]._begun)

    def test_a_grader_that_has_begun_is_started_again_if_the_build_changes_it(self):
        self.write_grader("")
        waking = self.wake()
        early = waking.graders["sim"]
        early.begin()
        self.write_grader("# new\n")
        self.assertIsNot(waking.ready("sim"), early)

    def test_a_grader_that_has_ended_is_started_again(self):
        self.write_grader("sys.exit(2)\n")
        waking = self.wake()
        early = waking.graders["sim"]
        early._process.stdin.close()
        early._process.wait()
        self.assertFalse(early.is_current())
        self.assertIsNot(waking.ready("sim"), early)

    def test_a_program_that_cannot_be_started_is_the_builds_to_mend(self):
        self.write("build/sim/bin/grade-01", "half a program")
        waking = self.wake()
        self.assertEqual(waking.graders, {})
        self.write_grader("")
        self.assertIsNone(waking.ready("cuda")._process.poll())


class Targets(Grading):
    """What is built besides the module."""

    def targets(self, processors: int) -> list[str]:
        with mock.patch.object(Build, "build") as built, mock.patch.object(grading, "processors", return_value=processors), \
                mock.patch.object(compilation.Compiling, "finish", return_value={}):
            grading.build_all(self.build, [self.starter], ["sim"])
        return [target for target in built.call_args[0][0] if target.startswith("grade-")]

    def test_a_first_build_on_many_processors_brings_the_graders_of_all_labs(self):
        self.write("labs/02-second/lab.json", facts("second"))
        self.assertEqual(self.targets(16), ["grade-01", "grade-02"])
        self.assertEqual(self.targets(2), ["grade-01"])
        self.write_grader("")
        self.assertEqual(self.targets(16), ["grade-01"])


class Blame(Grading):
    """What a build that failed is put down to."""

    def build_all(self, submissions, lines):
        with mock.patch.object(Build, "prepare"), mock.patch.object(progress, "run", return_value=progress.Outcome(1, lines, 0)):
            grading.build_all(self.build, submissions, ["sim"])

    def test_a_failure_of_the_workbooks_own_is_told_as_such(self):
        with self.assertRaises(Problem) as caught:
            self.build_all([self.starter], ["FAILED: common/grader/CMakeFiles/x.dir/main.cpp.o", "g++ main.cpp", "main.cpp:3: error: ours"])
        self.assertEqual(caught.exception.sentence, "The workbook itself could not be built:")
        self.assertIn("main.cpp:3: error: ours", caught.exception.details)

    def test_a_build_that_never_began_is_no_hand_ins_fault_though_one_is_missing(self):
        missing = self.hand_in("gone")
        missing.source.unlink()
        with self.assertRaises(Problem) as caught:
            self.build_all([missing, self.hand_in("a")], ["ninja: error: unknown target 'grade-01'"])
        self.assertIn("ninja: error: unknown target 'grade-01'", caught.exception.details)

    def test_a_full_disk_is_said_to_be_one(self):
        with self.assertRaisesRegex(Problem, "There is no room left to write under build/sim"):
            self.build_all([self.starter], ["FAILED: bin/simtcc", "ld", "ld: No space left on device"])

    def test_what_is_no_source_is_not_given_to_a_compiler(self):
        empty, good = self.hand_in("empty"), self.hand_in("a")
        empty.source.write_text("")
        with mock.patch.object(Build, "build"), mock.patch.object(compilation, "Compiling") as compiling:
            compiling.return_value.__enter__.return_value.finish.return_value = {}
            failures = grading.build_all(self.build, [empty, good], ["sim"])
        self.assertEqual([failure.diagnosis for failure in failures.values()], ["empty-file"])
        self.assertEqual(compiling.call_args[0][1], [(good, "sim")])


if __name__ == "__main__":
    unittest.main()
