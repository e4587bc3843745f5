"""./warpbook hint: one hint at a time, for the first TODO that fails."""
import contextlib
import unittest

from learner import HINTS, PASSED, WRONG, LearnersWorkbook
from small_workbook import needs_machine

from command import hint, record
from command.results import Verdict
from command.workbook import Workbook


def lines_of(*lines: str) -> hint.Hint:
    return hint.Hint("Hint 1: x", list(lines))


class HintsFile(unittest.TestCase):
    def test_every_folded_hint_belongs_to_the_todo_above_it(self):
        tasks = hint.parsed(HINTS)
        self.assertEqual([(task.number, task.title, [each.title for each in task.hints]) for task in tasks.values()],
                         [(number, name, ["Hint 1: a question", "Hint 2: the parts", "Hint 3: nearly the answer"])
                          for number, name in ((1, "first"), (2, "second"))])
        self.assertEqual(hint.text_of(tasks[2].hints[2]), "Hint 3 of TODO(2).\n\n  int i;")

    def test_what_is_not_folded_is_no_hint(self):
        self.assertEqual(hint.parsed("## TODO(1): x\n\nWords.\n")[1].hints, [])
        self.assertEqual(hint.parsed("<details><summary>Hint 1</summary>\n\nWords.\n\n</details>\n"), {})
        behind = hint.parsed("## TODO(1)\n<details><summary>Hint 1</summary>\n\nIn.\n\n</details>\n\nBehind.\n")[1]
        self.assertEqual((behind.title, hint.text_of(behind.hints[0])), ("", "In."))

    def test_sentences_are_filled_to_the_width_and_code_is_not(self):
        long = lines_of("", "One two three four", "five six.", "", "```cpp", "  int one_two_three_four;", "", "int j;", "```", "Seven eight nine ten.", "")
        self.assertEqual(hint.text_of(long, 14), "One two three\nfour five six.\n\n  int one_two_three_four;\n\nint j;\nSeven eight\nnine ten.")
        self.assertEqual(hint.text_of(long), "One two three four\nfive six.\n\n  int one_two_three_four;\n\nint j;\nSeven eight nine ten.")


@needs_machine
class Hints(LearnersWorkbook):
    def hint(self, *options: str) -> str:
        status, out, err = self.warpbook("hint", "1", *options)
        self.assertEqual(status, 0, err)
        return out

    def refusal(self, *options: str) -> str:
        status, out, err = self.warpbook("hint", "1", *options)
        self.assertEqual((status, out), (2, ""))
        return err

    def test_each_call_goes_one_deeper_and_the_last_one_stays(self):
        self.assertEqual(self.hint(), "TODO(1), first: hint 1: a question\n\nHint 1 of TODO(1).\n\n"
                                      "2 more for this TODO. Try again first; then ./warpbook hint 01 shows the next one.\n")
        second = self.hint()
        self.assertIn("TODO(1), first: hint 2: the parts\n\nHint 2 of TODO(1).\n\n1 more for this TODO. Try again first", second)
        self.assertNotIn("Hint 1 of", second)
        for _ in range(2):
            self.assertEqual(self.hint(), "TODO(1), first: hint 3: nearly the answer\n\nHint 3 of TODO(1).\n\n  int i;\n\n"
                                          "There is no further hint for this TODO. The handout: labs/01-coalescing/README.md\n")

    def test_again_shows_the_last_one_once_more(self):
        self.assertIn("Hint 1 of TODO(1).", self.hint("--again"))  # the first, where none has been shown
        self.assertIn("Hint 1 of TODO(1).", self.hint("--again"))
        self.assertIn("Hint 2 of TODO(1).", self.hint())
        self.assertIn("Hint 2 of TODO(1).", self.hint("--again"))
        self.assertIn("Hint 3 of TODO(1).", self.hint())

    def test_all_shows_all_of_them(self):
        out = self.hint("--all")
        for depth in (1, 2, 3):
            self.assertIn(f"Hint {depth} of TODO(1).", out)
        self.assertNotIn("of TODO(2)", out)
        self.assertIn("There is no further hint", out)
        self.assertIn("Hint 3 of TODO(1).", self.hint())

    def test_a_todo_can_be_asked_for_and_is_not_checked(self):
        self.break_the_grader()
        self.assertIn("Hint 1 of TODO(2).\n\n2 more for this TODO. Try again first; then ./warpbook hint 01 --todo 2 shows", self.hint("--todo", "2"))
        self.assertIn("Hint 2 of TODO(2).", self.hint("--todo", "2"))
        self.assertIn("Hint 1 of TODO(1).", self.hint("--todo", "1"))  # each TODO counts its own

    def test_it_is_for_the_first_todo_in_work(self):
        self.attempt(PASSED, WRONG)
        self.assertIn("Hint 1 of TODO(2).", self.hint())
        self.attempt(None, WRONG)  # begun before the first one
        self.assertIn("Hint 2 of TODO(2).", self.hint())
        self.attempt(WRONG, WRONG)
        self.assertIn("Hint 1 of TODO(1).", self.hint())

    def test_of_several_todos_that_may_be_the_cause_it_is_for_the_first_whose_own_item_fails(self):
        either = {**WRONG, "todo": {"number": 1, "numbers": [1, 2], "line": 2}}
        self.attempt(PASSED, either)
        self.assertIn("    TODO(2) or TODO(1), labs/01-coalescing/coalescing.cu:6\n", self.check())
        self.assertIn("Hint 1 of TODO(2).", self.hint())
        self.attempt(WRONG, either)
        self.assertIn("    TODO(1) or TODO(2), labs/01-coalescing/coalescing.cu:2\n", self.check("--all"))
        self.assertIn("Hint 1 of TODO(1).", self.hint())

    def test_what_has_been_checked_is_not_checked_again_and_what_has_changed_is(self):
        self.attempt(PASSED, WRONG)
        self.check()
        self.break_the_grader()
        self.assertIn("Hint 1 of TODO(2).", self.hint())
        self.starter.write_text(self.starter.read_text().replace("int given;", "int mine;"))
        self.assertIn("no file is to be judged", self.refusal())

    def test_a_check_of_one_todo_or_of_another_file_is_none_of_the_file(self):
        self.attempt(PASSED, PASSED)
        self.check("--todo", "1")
        self.check(str(self.solution))
        self.attempt(PASSED, WRONG)
        self.assertIn("Hint 1 of TODO(2).", self.hint())

    def test_a_check_that_is_at_work_loses_neither_its_verdict_nor_the_hints(self):
        self.attempt(PASSED, WRONG)
        workbook = Workbook(self.root)
        lab = workbook.lab("01")
        with contextlib.ExitStack() as terminals:
            with record.kept(workbook) as noted:
                other = terminals.enter_context(self.terminal("hint", "1", "--todo", "2"))
                other.until("Another ./warpbook is at work in build; waiting for it.")
                noted.note(lab, Verdict(lab.name, "starter", lab.starter.name, []), 17, "")
            self.assertEqual(other.end(), 0)
        kept = record.Record(workbook)
        self.assertEqual((kept.of(lab)["edited"], kept.hints(lab, 2)), (17, 1))

    def test_where_no_todo_fails_there_is_nothing_to_hint_at(self):
        self.attempt(PASSED, PASSED)
        for _ in range(2):  # checked, and remembered
            self.assertEqual(self.hint(), "No TODO of 01-coalescing fails, so none needs a hint. ./warpbook hint 01 --todo N shows one all the same.\n")

    def test_a_file_that_does_not_compile_is_told_its_error_once(self):
        self.starter.write_text("// broken\n")
        for _ in range(2):
            said = self.refusal()
            self.assertEqual(said.count("error: expected ';'"), 1, said)
            self.assertIn("Hints are about a file that compiles; --todo N shows one all the same.", said)
        self.starter.unlink()
        self.assertIn("coalescing.cu is missing.", self.refusal())

    def test_a_todo_or_a_lab_without_hints_says_so(self):
        self.assertEqual(self.refusal("--todo", "3"), "01-coalescing has no hints for TODO(3).\nIt has some for the TODOs 1, 2.\n")
        self.hints.write_text("## TODO(1): x\n")
        self.assertEqual(self.refusal(), "01-coalescing has no hints.\n")
        self.hints.unlink()
        self.assertEqual(self.refusal(), "01-coalescing has no hints.\n")

    def test_hints_that_were_taken_away_since_count_as_shown(self):
        self.hint("--all")
        self.hints.write_text(HINTS.partition("<details><summary>Hint 2")[0])
        self.assertIn("Hint 1 of TODO(1).", self.hint())

    def test_on_a_terminal_it_fits_the_width(self):
        self.hints.write_text(HINTS.replace("Hint 1 of TODO(1).", "Many words " * 12 + "end."))
        with self.terminal("hint", "1", "--todo", "1", columns=50) as shown:
            self.assertEqual(shown.end(), 0)
        words = shown.text[shown.text.index("Many"):shown.text.index("end.")].splitlines()
        self.assertEqual([max(map(len, words)) <= 50, len(words) >= 3], [True, True], words)


if __name__ == "__main__":
    unittest.main()
