"""./warpbook watch in a terminal: it checks on save, and leaves nothing behind."""
import functools
import os
import signal
import subprocess
import tempfile
import time
import unittest
from unittest import mock

from learner import PASSED, WRONG, LearnersWorkbook
from small_workbook import needs_machine

from command import watch
from command.workbook import Workbook

END = r"Watching labs/01-coalescing/coalescing\.cu: h hint, a all that is wrong, Enter check again, q quit\n"
ERROR = "labs/01-coalescing/coalescing.cu:9:3: error: expected ';'"
ENDLESS = "// sleeps\n"


@needs_machine
class Watch(LearnersWorkbook):
    def watching(self, *options: str):
        """The verb in a terminal."""
        self.addCleanup(self.nothing_runs)
        return self.terminal("watch", "1", *options, columns=120)

    def nothing_runs(self) -> None:
        self.wait_for(lambda: not self.processes(), "an end of all processes")

    def endless_check_runs(self) -> None:
        self.wait_for(lambda: any(words.startswith("tail ") for words in self.processes()), "the endless program")

    def save(self, text: str) -> None:
        """As an editor does it that writes a new file and gives it the name."""
        draft = self.starter.with_name("4913~")
        draft.write_text(text)
        draft.replace(self.starter)

    def test_it_checks_on_each_save_and_a_file_that_does_not_parse_gets_one_line_below_the_last_verdict(self):
        with self.watching() as shown:
            self.assertIn("\f01-coalescing: labs/01-coalescing/coalescing.cu\n", first := shown.until(END))
            self.assertIn("Points: 0/4", first)
            self.starter.write_text("// broken\n")
            self.assertEqual(shown.until(END).splitlines()[:-1], [ERROR])  # and no form feed: the verdict stays
            self.assertEqual(shown._raw.count(b"\x1b[1A\x1b[J"), 1)  # the error stands in the place of the line with the keys
            self.save("// broken, too\n")
            self.assertEqual(shown.until(END).splitlines()[:-1], [ERROR])
            self.attempt(PASSED, WRONG)
            second = shown.until(END)
            self.assertTrue(second.startswith("\f"), second)
            self.assertIn("Points: 2/4", second)
            self.assertIn("a[3] is 1 and should be 2. So it is too small.", second)

    def test_an_endless_program_is_ended_by_the_next_save(self):
        self.starter.write_text(ENDLESS)
        with self.watching() as shown:
            self.endless_check_runs()
            self.save("// solved\n")
            said = shown.until(END)
            self.assertIn("Points: 4/4", said)
            self.assertNotIn("Interrupted", said)
            self.assertEqual([words for words in self.processes() if words.startswith("tail ")], [])

    def test_of_many_saves_in_a_row_the_last_one_is_told(self):
        with self.watching() as shown:
            shown.until(END)
            for number in range(8):
                self.save(f"// solved {number}\n")
                time.sleep(0.1)  # some checks have begun, some not
            self.attempt(PASSED, WRONG, comment="// the last one\n")
            shown.until("Points: 2/4")
            shown.until(END)
            self.assertNotIn("Interrupted", shown.text)

    def test_a_check_that_is_ended_at_any_moment_says_nothing(self):
        self.starter.write_text(ENDLESS)
        workbook = Workbook(self.root)
        with tempfile.TemporaryFile() as said, mock.patch.dict(os.environ, {"WARPBOOK_BACKEND": "sim"}), \
                mock.patch("command.watch.subprocess.Popen", functools.partial(subprocess.Popen, stdout=said, stderr=said)):
            one = watch.Watch(workbook, workbook.labs()[0], False)
            for moment in range(16):
                one._check()
                time.sleep(0.02 * moment)
                one._end()
                self.nothing_runs()
            said.seek(0)
            text = said.read().decode()
        self.assertNotIn("Traceback", text)
        self.assertNotIn("Interrupted", text)

    def test_a_file_that_goes_is_told_once_and_is_checked_when_it_is_back(self):
        with self.watching() as shown:
            shown.until(END)
            text = self.starter.read_text()
            self.starter.unlink()
            self.assertEqual(shown.until("when it is back.\n"),
                             "labs/01-coalescing/coalescing.cu is not there. It is checked when it is back.\n")
            self.starter.with_name("elsewhere.cu").write_text(text)
            self.starter.with_name("elsewhere.cu").rename(self.starter)
            self.assertIn("Points: 0/4", shown.until(END))
            self.assertEqual(shown.text.count("is not there"), 1)

    def test_a_file_that_is_missing_at_first_is_waited_for(self):
        text = self.starter.read_text()
        self.starter.unlink()
        with self.watching() as shown:
            shown.until("is not there. It is checked when it is back.\n")
            self.starter.write_text(text)
            self.assertIn("Points: 0/4", shown.until(END))

    def test_a_save_that_changes_nothing_is_no_reason_to_check(self):
        with self.watching() as shown:
            shown.until(END)
            text = self.starter.read_text()
            self.starter.write_text(text)
            time.sleep(0.5)  # it looks five times a second; on a slow machine this shows less, and never fails
            self.save(text)
            time.sleep(0.5)
            shown.type("h")
            self.assertNotIn("Points:", shown.until(END))

    def test_keys_ask_for_a_hint_all_that_is_wrong_and_another_check(self):
        self.attempt(WRONG, {**WRONG, "reason": "b[7] is lost."})
        with self.watching() as shown:
            self.assertIn("TODO(2): 1 item fails. b[7] is lost.\n", shown.until(END))
            shown.type("h")
            self.assertIn("TODO(1), first: hint 1: a question\n\nHint 1 of TODO(1).\n", shown.until(END))
            shown.type("x")  # no key of ours
            shown.type("h")
            self.assertIn("Hint 2 of TODO(1).", shown.until(END))
            shown.type("a")
            self.assertIn("✗ four sectors\n    b[7] is lost.", shown.until(END))
            shown.type("\r")
            self.assertIn("TODO(2): 1 item fails.", shown.until(END))
            shown.type("q")
            self.assertEqual(shown.end(), 0)
            self.assertTrue(shown.is_as_before())

    def test_all_is_for_every_check(self):
        self.attempt(WRONG, {**WRONG, "reason": "b[7] is lost."})
        with self.watching("--all") as shown:
            for _ in range(2):
                self.assertIn("✗ four sectors\n    b[7] is lost.", shown.until(END))
                shown.type("\r")

    def test_a_hint_that_has_to_check_is_ended_by_the_next_save_without_a_word(self):
        with self.watching() as shown:
            shown.until(END)
            (self.root / "build/checks.json").unlink()  # so that the hint has to
            (self.root / "build/sim/submissions/01/sim/starter.so").write_text(ENDLESS)
            shown.type("h")
            self.endless_check_runs()
            self.save("// solved\n")
            self.assertIn("Points: 4/4", shown.until(END))
            self.assertNotIn("Interrupted", shown.text)

    def test_however_it_ends_the_terminal_is_as_before_and_no_process_is_left(self):
        def send(number):
            return lambda shown: os.kill(shown.child, number)

        self.starter.write_text(ENDLESS)
        for name, end, status in (("q", lambda shown: shown.type("q"), 0), ("Ctrl-C", lambda shown: shown.type("\x03"), 0),
                                  ("SIGTERM", send(signal.SIGTERM), 128 + signal.SIGTERM), ("SIGHUP", send(signal.SIGHUP), 128 + signal.SIGHUP)):
            with self.subTest(name), self.watching() as shown:
                self.endless_check_runs()
                self.assertFalse(shown.is_as_before())
                end(shown)
                self.assertEqual(shown.end(), status, shown.text)
                self.assertTrue(shown.is_as_before())
                self.nothing_runs()

    def test_two_signals_at_once_leave_nothing_behind_either(self):
        self.starter.write_text(ENDLESS)
        with self.watching() as shown:
            self.endless_check_runs()
            for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGCONT):
                os.kill(shown.child, number)
            self.assertNotEqual(shown.end(), 0)
            self.assertTrue(shown.is_as_before())
            self.nothing_runs()

    def test_a_terminal_that_is_closed_ends_it(self):
        self.starter.write_text(ENDLESS)
        with self.watching() as shown:
            self.endless_check_runs()
            self.assertNotEqual(shown.hang_up(), 0)
            self.nothing_runs()

    def test_keys_go_on_after_it_was_stopped_and_continued(self):
        with self.watching() as shown:
            shown.until(END)
            shown.set_back()
            os.kill(shown.child, signal.SIGCONT)
            self.wait_for(lambda: not shown.is_as_before(), "the terminal's settings for single keys")
            shown.type("h")
            shown.until("Hint 1 of")

    def test_a_workbook_that_is_broken_is_told_and_watched_on(self):
        with self.watching() as shown:
            shown.until(END)
            self.starter.write_text("// silent\n")
            self.assertIn("the grader's last words", shown.until(END))
            self.starter.write_text("// solved\n")
            self.assertIn("Points: 4/4", shown.until(END))


@needs_machine
class WithoutATerminal(LearnersWorkbook):
    def test_it_watches_too_until_it_is_ended(self):
        out = self.write("out")
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            with open(out, "w", encoding="utf-8") as file:
                self._become_warpbook(["watch", "1"], self.root, (file.fileno(), file.fileno()), {})
        self.wait_for(lambda: "Watching labs/01-coalescing/coalescing.cu\n" in out.read_text(), "the first verdict")
        os.kill(child, signal.SIGTERM)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 128 + signal.SIGTERM)
        self.assertIn("Points: 0/4", out.read_text())
        self.assertNotIn("\033", out.read_text())
        self.wait_for(lambda: not self.processes(), "an end of all processes")


if __name__ == "__main__":
    unittest.main()
