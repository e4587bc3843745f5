"""The engine that grades a class: what runs beside what, what a hand-in cannot stop, and what happens when the class is stopped."""
from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import signal
import sys
import threading
import unittest
from unittest import mock

from small_workbook import GradedClass, needs_machine

from command import grading
from command.build import Build
from command.classroom import engine, memory
from command.classroom.journal import Begun
from command.classroom.model import Fault, HandIn, Person
from command.classroom.sandbox import Sandbox
from command.results import ItemResult
from command.workbook import Workbook


class WithEngine(GradedClass):
    """An engine in this process, for the miniature's lab."""

    def setUp(self) -> None:
        super().setUp()
        self.lab = Workbook(self.root).labs()[0]
        self.go = self.folder / "go"

    def made_engine(self, jobs: int = 2, seed: int = 1) -> engine.Engine:
        build = Build(Workbook(self.root), "sim", {"compiler": "", "python": sys.executable})
        return engine.Engine(build, engine.Plan(self.out, ("sim",), seed, jobs, Sandbox("none")))

    def made(self, name: str, text: str) -> HandIn:
        file = self.write(f"given/{name}/coalescing.cu", f"// {text}\n")
        return HandIn(Person(name, name), self.lab, file, f"{name}/coalescing.cu", hashlib.sha256(file.read_bytes()).hexdigest())

    def points_of(self, at: engine.Engine, hand_ins: list[HandIn]) -> dict[str, float | None]:
        return {hand_in.person.id: verdict and verdict.points for hand_in in hand_ins for verdict in [at.verdict(hand_in)]}


@needs_machine
class AtWork(WithEngine):
    def test_as_many_are_at_work_at_a_time_as_there_are_jobs(self):
        hand_ins = [self.made(name, f"solved, waits for {self.go} ") for name in ("alice", "bob", "carol")]
        most = []

        def told(at_work, done):
            most.append(len(at_work))
            if len(at_work) == 2 and len(list(self.out.glob("work/*/run-*/sim.so"))) == 2:
                self.go.touch()

        at = self.made_engine(jobs=2)
        at.grade(hand_ins, told)
        self.assertEqual(max(most), 2)
        self.assertEqual(self.points_of(at, hand_ins), {"alice": 4, "bob": 4, "carol": 4})

    def test_a_verdict_is_kept_before_the_next_hand_in_ends(self):
        first, second = self.made("alice", "solved"), self.made("bob", f"solved, waits for {self.go} ")
        kept = []

        def told(at_work, done):
            if done and done is first:
                kept.append((self.out / "journal/01.alice.json").exists())
                self.go.touch()

        self.made_engine(jobs=1).grade([first, second], told)
        self.assertEqual(kept, [True])

    def test_hand_ins_that_use_too_much_memory_together_are_graded_one_by_one(self):
        hand_ins = [self.made(name, "solved, eats") for name in ("alice", "bob")] + [self.made("carol", "solved")]
        together = []
        with mock.patch.object(memory, "allowed", return_value=180 << 20):
            at = self.made_engine(jobs=2)
            at.grade(hand_ins, lambda at_work, done: together.append(sum(memory.used_by(child) for child in _children())))
        self.assertEqual(self.points_of(at, hand_ins), {"alice": 4, "bob": 4, "carol": 4})
        self.assertLess(max(together), 250 << 20)

    def test_without_a_place_for_files_of_their_own_runs_leave_nothing_behind(self):
        (self.out / "work/01.alice/run-old").mkdir(parents=True)
        self.made_engine().grade([self.made("alice", "solved")])
        self.assertEqual([path.name for path in (self.out / "work/01.alice").iterdir()], ["sim.so"])


@needs_machine
class GoingOn(WithEngine):
    """A hand-in that an earlier run was ended at goes on where that was."""

    def going_on(self, results: list, times: dict) -> tuple[engine.Engine, HandIn, list]:
        at, hand_in = self.made_engine(), self.made("alice", "solved")
        at.journal.keep_begun(hand_in.id, at.keys.of(hand_in), Begun(results, times))
        with mock.patch.object(grading, "Grader", side_effect=grading.Grader) as started:
            at.grade([hand_in])
        return at, hand_in, [[name for word, name in zip(call.args[3], call.args[3][1:]) if word == "--item"] for call in started.call_args_list]

    def test_what_was_judged_is_not_asked_again(self):
        judged = ItemResult("adds one", "sim", "failed", 0, 2, reason="by the first run", graded=True)
        at, hand_in, asked = self.going_on([judged], {"four sectors": 1})
        self.assertEqual(asked, [["four sectors"]])
        verdict = at.verdict(hand_in)
        self.assertEqual([(result.item, result.status, result.reason, result.task) for result in verdict.results],
                         [("adds one", "failed", "by the first run", 1), ("four sectors", "passed", "", 2)])
        self.assertEqual((at.missing([hand_in]), list((self.out / "journal/begun").iterdir())), ([], []))

    def test_an_item_that_two_runs_were_ended_at_is_left_without_a_verdict(self):
        at, hand_in, asked = self.going_on([], {"four sectors": engine.MOST_BEGUN})
        self.assertEqual(asked, [["adds one"]])
        first, second = at.verdict(hand_in).results
        self.assertEqual((first.status, second.graded, at.missing([hand_in])), ("passed", False, [hand_in]))
        self.assertIn("--fresh", second.reason)
        at.journal.forget(hand_in.id)
        at.grade([hand_in])
        self.assertEqual((at.verdict(hand_in).points, at.missing([hand_in])), (4, []))

    def test_of_another_file_nothing_is_known(self):
        at, hand_in = self.made_engine(), self.made("alice", "solved")
        at.journal.keep_begun(hand_in.id, {**at.keys.of(hand_in), "file": "another"}, Begun([], {"four sectors": engine.MOST_BEGUN}))
        at.grade([hand_in])
        self.assertEqual(at.verdict(hand_in).points, 4)


def _children() -> list[int]:
    found: list[int] = []
    for thread in pathlib.Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError):  # it has ended since
            found += map(int, (thread / "children").read_text().split())
    return found


@needs_machine
class Misbehaving(WithEngine):
    """One hand-in never stops the others."""

    def test_whatever_becomes_of_one_the_others_have_their_verdicts(self):
        texts = {"alice": "solved", "bob": "silent", "carol": "dies", "dan": "garbage", "erin": "stray", "fay": "floods", "gil": "broken",
                 "hal": "solved"}
        hand_ins = [self.made(name, text) for name, text in texts.items()]
        at = self.made_engine()
        at.grade(hand_ins)
        self.assertEqual(self.points_of(at, hand_ins), {**dict.fromkeys(texts, 0), "alice": 4, "hal": 4})
        final = {hand_in.person.id for hand_in in hand_ins if at.journal.read(hand_in.id).final}
        self.assertEqual(final, {"alice", "gil", "hal"})
        self.assertEqual({hand_in.person.id for hand_in in at.missing(hand_ins)}, {"bob", "carol", "dan", "erin", "fay"})

    def test_a_defect_here_costs_its_hand_in_alone(self):
        hand_ins = [self.made("alice", "solved"), self.made("bob", "solved")]
        at = self.made_engine()
        compile_ = engine.Engine._compile

        def broken(self, job, backend, *more):
            if job.hand_in.person.id == "alice":
                raise KeyError("a defect")
            return compile_(self, job, backend, *more)

        with mock.patch.object(engine.Engine, "_compile", broken):
            at.grade(hand_ins)
        self.assertEqual(self.points_of(at, hand_ins), {"alice": 0, "bob": 4})
        self.assertIn("KeyError: 'a defect'", at.verdict(hand_ins[0]).results[0].reason)

    def test_what_it_says_of_a_full_disk_stops_nothing(self):
        hand_ins = [self.made("alice", "full disk"), self.made("bob", "solved")]
        at = self.made_engine(jobs=1)
        at.grade(hand_ins)
        self.assertEqual(self.points_of(at, hand_ins), {"alice": 0, "bob": 4})

    def test_the_words_of_a_full_disk_in_a_file_are_its_own_error_and_a_final_verdict(self):
        hand_in = self.made("alice", "words of a full disk")
        at = self.made_engine()
        at.grade([hand_in])
        verdict = at.verdict(hand_in)
        self.assertEqual((verdict.points, verdict.build_failure.diagnoses, at.missing([hand_in])), (0, ["compile-error"], []))

    def test_a_compilation_without_an_end_is_ended(self):
        hand_ins = [self.made("alice", "compiles for ever"), self.made("bob", "solved")]
        at = self.made_engine()
        with mock.patch("command.progress.MOST_SECONDS", 1):
            at.grade(hand_ins)
        self.assertEqual(self.points_of(at, hand_ins), {"alice": 0, "bob": 4})

    def test_a_compiler_gets_no_variables_but_those_that_it_needs(self):
        hand_in = self.made("alice", "the compiler's variables")
        with mock.patch.dict(os.environ, {"WARPBOOK_SEED": "4711", "MY_TOKEN": "secret-token", "CPATH": "/opt/headers"}):
            at = self.made_engine()
            at.grade([hand_in])
        said = str(at.verdict(hand_in).results)
        self.assertIn("PATH=", said)
        self.assertIn("CPATH=/opt/headers", said)
        self.assertNotIn("4711", said)
        self.assertNotIn("secret-token", said)

    def test_each_file_has_inputs_of_its_own_and_with_seed_1_those_of_practice(self):
        hand_ins = [self.made("alice", "solved"), self.made("bob", "solved"), self.made("carol", "solved, otherwise")]
        for seed in (1, 4711):
            seen = {}
            with mock.patch("command.grading.Grader", side_effect=grading.Grader) as grader:
                self.made_engine(seed=seed).grade(hand_ins)
            for call in grader.call_args_list:
                options = call.args[3]
                seen[call.args[1].name] = int(options[options.index("--seed") + 1])
            if seed == 1:
                self.assertEqual(set(seen.values()), {1})
            else:
                self.assertEqual(seen["handin-alice"], seen["handin-bob"])
                self.assertEqual(len({seed, seen["handin-alice"], seen["handin-carol"]}), 3)
            self.assertLess(max(seen.values()), 1 << 63)
        self.assertNotEqual(engine.seed_for(hand_ins[0], 4711), engine.seed_for(hand_ins[0], 4712))

    def test_a_file_with_a_fault_is_not_run(self):
        hand_in = self.made("alice", "solved")
        hand_in.fault = Fault("not-a-source", "alice/coalescing.cu is a symbolic link.")
        at = self.made_engine()
        self.assertEqual(at.missing([hand_in]), [])
        verdict = at.verdict(hand_in)
        self.assertEqual((verdict.points, verdict.max_points, verdict.build_failure.diagnoses), (0, 4, ["not-a-source"]))


@needs_machine
class Stopping(WithEngine):
    def test_programs_that_are_built_again_meanwhile_stop_it_and_no_verdict_is_mixed(self):
        hand_in = self.made("alice", f"solved, waits for {self.go} ")
        at = self.made_engine()

        def told(at_work, done):
            if at_work and not self.go.exists() and list(self.out.glob("work/*/run-*/sim.so")):
                program = self.root / "build/sim/bin/grade-01"
                os.utime(program, (1, 1))
                self.go.touch()

        with self.assertRaisesRegex(engine.Stopped, "was built again"):
            at.grade([hand_in], told)
        self.assertIsNone(at.verdict(hand_in))

    def test_a_disk_that_takes_no_verdict_stops_it_in_a_sentence(self):
        hand_ins = [self.made(name, "solved") for name in ("alice", "bob", "carol")]
        at = self.made_engine(jobs=1)
        keep, calls = at.journal.keep, []

        def full(hand_in, entry):
            calls.append(hand_in)
            if len(calls) == 2:
                raise OSError(28, "No space left on device", "journal")
            keep(hand_in, entry)

        with mock.patch.object(at.journal, "keep", full), \
                self.assertRaisesRegex(engine.Stopped, "There is no room left to write under journal"):
            at.grade(hand_ins)
        self.assertEqual([hand_in.person.id for hand_in in at.missing(hand_ins)], ["bob", "carol"])

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount a small disk")
    def test_on_a_full_disk_it_stops_and_goes_on_when_there_is_room(self):
        self.out.mkdir()
        if os.system(f"mount -t tmpfs -o size=1m warpbook-test {self.out} 2> /dev/null") != 0:
            self.skipTest("a small disk cannot be mounted here")
        self.addCleanup(os.system, f"umount -l {self.out}")
        for name in ("alice", "bob", "carol"):
            self.hand_in(name, "// solved\n")
        hog = self.out / "hog"
        with open(hog, "wb") as file:
            file.write(b"\0" * (1000 << 10))
        status, out, err = self.grade()
        self.assertEqual((status, out), (2, ""))
        self.assertIn("There is no room left to write", err)
        hog.unlink()
        os.system(f"mount -o remount,size=64m {self.out}")
        status, out, err = self.grade()
        self.assertEqual(status, 0, out + err)
        self.assertEqual({row["total"] for row in self.rows("points.csv")}, {"4"})

    def processes(self) -> list[str]:
        """Command lines of the processes that speak of this test's folder, besides those of the set-up."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if os.fsencode(self.folder) in line and int(entry.name) != os.getpid():
                found.append(line.replace(b"\0", b" ").decode(errors="replace"))
        return found

    def test_an_interrupt_leaves_no_process_and_the_same_command_goes_on(self):
        self.hand_in("alice", "// solved\n")
        self.hand_in("bob", f"// solved, waits for {self.go} \n")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start_grading("--jobs", "1")
            self.wait_until(lambda: list(self.out.glob("work/01.bob/run-*/sim.so")))
            os.kill(process.pid, number)
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number)
            self.assertIn("1 of 2 hand-ins are graded, and their verdicts are kept; the same command goes on with the rest.", err)
            self.assertEqual(self.processes(), [])
        self.changed()
        self.go.touch()
        self.grade()
        self.assertEqual(self.changed(), {"bob"})

    def test_two_commands_on_one_class_come_one_after_the_other(self):
        self.hand_in("alice", f"// solved, waits for {self.go} \n")
        first = self.start_grading()
        self.wait_until(lambda: list(self.out.glob("work/01.alice/run-*/sim.so")))
        second = self.start_grading()
        threading.Timer(2, self.go.touch).start()
        said = [process.communicate(timeout=60)[1] for process in (first, second)]
        self.assertEqual([process.returncode for process in (first, second)], [0, 0])
        self.assertIn("Another ./warpbook is at work in", said[1])
        self.assertIn("1 of 1 hand-ins have been graded before", said[1])

    def test_check_is_not_kept_waiting_by_a_class(self):
        self.hand_in("alice", f"// solved, waits for {self.go} \n")
        process = self.start_grading()
        self.wait_until(lambda: list(self.out.glob("work/01.alice/run-*/sim.so")))
        status, out, err = self.warpbook("check", "1")
        self.assertEqual(status, 1, out + err)
        self.assertNotIn("Another ./warpbook", err)
        self.go.touch()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    unittest.main()
