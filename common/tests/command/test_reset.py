"""./warpbook reset: the starter's text comes back, and what was there is kept."""
import unittest
from unittest import mock

from learner import PASSED, STARTER, WRONG, LearnersWorkbook

from command import reset


class Reset(LearnersWorkbook):
    def reset(self, *options: str) -> str:
        status, out, err = self.warpbook("reset", "1", *options)
        self.assertEqual(status, 0, err)
        return out

    def refusal(self, *options: str) -> str:
        before = self.starter.read_bytes() if self.starter.exists() else None
        status, out, err = self.warpbook("reset", "1", *options)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual((self.starter.read_bytes() if self.starter.exists() else None, self.backups()), (before, []))
        return err

    def test_the_whole_file_comes_back_and_a_copy_is_kept_and_named(self):
        mine = self.attempt(PASSED, WRONG)
        out = self.reset()
        self.assertEqual(self.starter.read_text(), STARTER)
        [backup] = self.backups()
        self.assertEqual(backup.read_text(), mine)
        self.assertRegex(backup.name, r"^coalescing\.\d{4}-\d\d-\d\d-\d{6}\.cu\.bak$")
        self.assertEqual(out, f"labs/01-coalescing/coalescing.cu is the starter's again.\nWhat you had: labs/01-coalescing/{backup.name}\n")
        self.assertEqual(sorted(path.name for path in self.starter.parent.iterdir() if path.name.startswith((".", "coal"))),
                         sorted(["coalescing.cu", "coalescing.cu.starter", backup.name]))

    def test_one_todo_comes_back_and_the_rest_stays(self):
        mine = self.attempt(PASSED, WRONG)
        out = self.reset("--todo", "2")
        self.assertIn("TODO(2) of labs/01-coalescing/coalescing.cu is the starter's again.\nWhat you had: labs/", out)
        text = self.starter.read_text()
        self.assertIn("// judge(1)", text)
        self.assertNotIn("// judge(2)", text)
        self.assertIn("// Write it here, too.\n", text)
        self.assertEqual(self.backups()[0].read_text(), mine)

    def test_no_copy_is_ever_overwritten(self):
        with mock.patch("command.reset.time.strftime", return_value="2026-01-02-030405"):
            texts = []
            for number in range(3):
                texts.append(self.attempt(PASSED, WRONG, f"// {number}\n"))
                self.reset()
            self.assertEqual(reset.backup_of(self.starter).name, "coalescing.2026-01-02-030405-4.cu.bak")
        self.assertEqual([path.name for path in self.backups()], [f"coalescing.2026-01-02-030405{each}.cu.bak" for each in ("-2", "-3", "")])
        self.assertEqual({path.read_text() for path in self.backups()}, set(texts))

    def test_where_it_is_the_starters_already_there_is_nothing_to_do(self):
        self.assertEqual(self.reset(), "The file is the starter's already: nothing to do in labs/01-coalescing/coalescing.cu.\n")
        self.attempt(PASSED)
        self.assertEqual(self.reset("--todo", "2"), "TODO(2) is the starter's already: nothing to do in labs/01-coalescing/coalescing.cu.\n")
        self.assertEqual(self.backups(), [])

    def test_a_missing_file_is_restored(self):
        self.starter.unlink()
        self.assertEqual(self.reset(), "labs/01-coalescing/coalescing.cu is the starter's again.\n")
        self.assertEqual((self.starter.read_text(), self.backups()), (STARTER, []))
        self.starter.unlink()
        self.assertEqual(self.refusal("--todo", "1"), "labs/01-coalescing/coalescing.cu is missing.\n"
                                                      "Take the whole starter back: ./warpbook reset 01\n")

    def test_a_todo_whose_markers_are_broken_is_left_and_the_whole_file_can_be_had(self):
        self.starter.write_text(STARTER.replace("// END TODO(1)\n", ""))
        said = self.refusal("--todo", "1")
        self.assertIn("TODO(1) cannot be found in labs/01-coalescing/coalescing.cu: line 5: TODO(2) begins inside TODO(1).\n", said)
        self.assertIn("./warpbook reset 01", said)
        self.starter.write_text(STARTER.partition("// TODO(2)")[0])
        self.assertIn("TODO(2) cannot be found in labs/01-coalescing/coalescing.cu: there is no TODO(2).\n", self.refusal("--todo", "2"))
        self.reset()
        self.assertEqual(self.starter.read_text(), STARTER)

    def test_a_todo_that_the_lab_does_not_have_is_refused_with_those_it_has(self):
        self.assertEqual(self.refusal("--todo", "3"), "01-coalescing has no TODO(3).\nIts TODOs have the numbers 1, 2.\n")

    def test_line_ends_and_what_is_no_utf8_stay_as_they_are_outside_of_the_todo(self):
        mine = b"// caf\xe9\r\n" + self.attempt(PASSED, WRONG).replace("\n", "\r\n").encode()
        self.starter.write_bytes(mine)
        self.reset("--todo", "2")
        self.assertEqual(self.backups()[0].read_bytes(), mine)
        begin, end = mine.index(b"// judge(2)"), mine.index(b"// END TODO(2)")
        self.assertEqual(self.starter.read_bytes(), mine[:begin] + b"// Write it here, too.\r\n" + mine[end:])
        self.assertIn("nothing to do", self.reset("--todo", "2"))
        self.reset()
        self.assertEqual(self.starter.read_text(), STARTER)

    def test_without_the_kept_starter_nothing_is_touched(self):
        self.attempt(PASSED)
        self.kept.unlink()
        for options in ([], ["--todo", "1"]):
            self.assertEqual(self.refusal(*options), "labs/01-coalescing/coalescing.cu.starter is missing, which has the starter's text.\n"
                                                     "Take it from a fresh copy of the workbook.\n")

    def test_a_terminal_is_asked_first(self):
        mine = self.attempt(PASSED, WRONG)
        for answer in ("n\n", "\n", "what?\n", "\x04"):
            with self.terminal("reset", "1", columns=200) as shown:
                shown.until(r"Put the starter's text back into labs/01-coalescing/coalescing\.cu\? A copy is kept\. \[y/N\] ")
                shown.type(answer)
                shown.until("Nothing was changed")
                self.assertEqual(shown.end(), 0)
            self.assertEqual((self.starter.read_text(), self.backups()), (mine, []), repr(answer))
        with self.terminal("reset", "1", "--todo", "1", columns=200) as shown:
            shown.until(r", TODO\(1\)\? A copy is kept\. \[y/N\] ")
            shown.type("y\n")
            self.assertEqual(shown.end(), 0)
        self.assertNotIn("// judge(1)", self.starter.read_text())
        self.assertEqual(self.backups()[0].read_text(), mine)

    def test_an_interrupt_at_the_question_changes_nothing(self):
        mine = self.attempt(PASSED)
        with self.terminal("reset", "1") as shown:
            shown.until(r"\[y/N\] ")
            shown.type("\x03")
            self.assertEqual(shown.end(again="\x03"), 130)
        self.assertEqual((self.starter.read_text(), self.backups()), (mine, []))

    def test_yes_asks_nothing_and_neither_does_a_file_that_is_as_it_was_or_missing(self):
        with self.terminal("reset", "1") as shown:
            shown.until("nothing to do")
            self.assertEqual(shown.end(), 0)
        self.attempt(PASSED)
        with self.terminal("reset", "1", "--yes") as shown:
            shown.until("is the starter's again")
            self.assertEqual(shown.end(), 0)
        self.assertEqual(self.starter.read_text(), STARTER)


if __name__ == "__main__":
    unittest.main()
