"""What check and list tell a learner: what is in work whole, the rest in a line each, and what was counted."""
import json
import re
import unittest

from learner import PASSED, STARTER, WRONG, LearnersWorkbook
from small_workbook import needs_machine

OTHER = {**WRONG, "reason": "b[7] is lost. Where did it go?", "details": [{"kind": "call", "text": "In the call second(b[8]).", "id": "second(b[8])"}]}
RIGHT = "TODO(1) is right: it passed before, and its text is the same. Its items also need TODO(2)."


@needs_machine
class Check(LearnersWorkbook):
    def test_the_first_todo_in_work_is_told_whole_and_the_others_in_a_line_each(self):
        self.attempt(WRONG, OTHER)
        out = self.check()
        self.assertIn("✗ adds one\n    a[3] is 1 and should be 2. So it is too small.", out)
        self.assertIn("    | In the call first(a[8]).\n    TODO(1), labs/01-coalescing/coalescing.cu:2\n", out)
        self.assertIn("\nTODO(2): 1 item fails. b[7] is lost.\n--all tells them whole.\n", out)
        for absent in ("✗ four sectors", "second(b[8])", "Where did it go?"):
            self.assertNotIn(absent, out)

    def test_with_all_everything_is_told_whole(self):
        self.attempt(WRONG, OTHER)
        out = self.check("--all")
        for part in ("✗ adds one\n", "✗ four sectors\n    b[7] is lost. Where did it go?", "    | In the call second(b[8]).\n"):
            self.assertIn(part, out)
        for absent in ("1 item fails", "--all tells"):
            self.assertNotIn(absent, out)

    def test_what_was_asked_for_by_its_todo_is_told_whole(self):
        self.attempt(WRONG, OTHER)
        self.assertIn("✗ four sectors\n    b[7] is lost. Where did it go?", self.check("--todo", "2"))

    def test_a_file_is_told_as_the_labs_own_is(self):
        other = self.folder / "other.cu"
        for judged in ((WRONG, OTHER), (WRONG,), (None, OTHER), (PASSED, WRONG), ()):
            other.write_text(self.attempt(*judged))
            for options in ([], ["--all"], ["--todo", "1"]):
                told = self.check(str(other), *options).replace(str(other), "labs/01-coalescing/coalescing.cu")
                self.assertEqual(re.sub("(Next hint: ./warpbook hint 01) --todo .", r"\1", told),
                                 re.sub("(Next hint: ./warpbook hint 01) --todo .", r"\1", self.check(*options)))

    def test_what_is_still_to_be_written_has_one_line_for_each_todo(self):
        self.attempt()
        first, second = (f"    TODO({number}) is not solved yet\n" for number in (1, 2))
        self.assertIn(f"\n\n{first}\nTODO(2): not begun.\n\nPoints: 0/4\n", self.check())
        self.assertIn(f"\n\n{first}\n{second}\nPoints: 0/4\n", self.check("--all"))

    def test_after_a_todo_that_is_solved_the_next_one_is_named(self):
        self.attempt(PASSED)
        self.assertTrue(self.check("--todo", "1").endswith("Points: 2/2\nTODO(1) is solved. The next one: TODO(2), labs/01-coalescing/coalescing.cu:6\n"))
        other = self.folder / "other.cu"
        other.write_text(self.attempt(None, PASSED))
        self.assertTrue(self.check(str(other), "--todo", "2").endswith(f"TODO(2) is solved. The next one: TODO(1), {other}:2\n"))
        self.attempt(PASSED, WRONG)
        self.assertIn("TODO(1) is solved. The next one: TODO(2), ", self.check("--todo", "1"))
        self.attempt(PASSED, PASSED)
        self.check()
        self.assertTrue(self.check("--todo", "1").endswith("Points: 2/2\nTODO(1) is solved.\n"))
        self.assertNotIn("is solved", self.check())
        self.attempt(WRONG, PASSED)
        self.assertNotIn("is solved", self.check("--todo", "1"))

    def test_a_todo_for_which_anothers_item_fails_is_not_solved(self):
        self.attempt(PASSED, {**OTHER, "todo": {"number": 1, "line": 2}})
        self.assertRegex(self.check(), r"\n adds one +2/2  passed\n four sectors +0/2  failed, TODO\(1\)\n")
        self.assertIn("1~ 2~", self.warpbook("list")[1])
        self.attempt(PASSED, {**OTHER, "todo": {"number": 1, "numbers": [1, 2], "line": 2}})  # or its own
        self.check()
        self.assertIn("1✓ 2~", self.warpbook("list")[1])

    def test_the_next_hint_is_for_what_was_judged(self):
        self.attempt(WRONG, OTHER)
        for options, verb in (([], "hint 01,"), (["--todo", "2"], "hint 01 --todo 2,"), ([str(self.starter)], "hint 01 --todo 1,")):
            self.assertIn(f"Next hint: ./warpbook {verb} or labs/01-coalescing/hints.md, section TODO(", self.check(*options))

    def test_the_next_hint_goes_on_with_those_that_were_shown(self):
        self.attempt(WRONG)
        for shown in (2, 3):
            self.warpbook("hint", "1")
            self.assertIn(f"section TODO(1): first, hint {shown}\n", self.check())
        self.assertIn("section TODO(2): second, hint 1\n", self.check("--todo", "2"))
        self.warpbook("hint", "1")
        self.assertIn("\nYou have seen all hints of TODO(1): ./warpbook hint 01 --all shows them again, and so does "
                      "labs/01-coalescing/hints.md, section TODO(1): first\n", self.check())

    def test_an_untouched_todo_is_not_begun_whatever_its_item_fails_for(self):
        self.attempt(WRONG)
        # The item of TODO(2) fails by what is written in TODO(1).
        judge = self.root / "judge.py"
        by_first = json.dumps({**WRONG, "todo": {"number": 1, "line": 2}})
        judge.write_text(judge.read_text().replace("    if \"full disk\" in text:", f"    if item['todo'] == 2: return result(item, **json.loads({by_first!r}))\n"
                                                                                  "    if \"full disk\" in text:"))
        out = self.check()
        self.assertRegex(out, r"\n adds one +0/2  failed\n four sectors +0/2  not begun\n")
        self.assertNotIn("✗ four sectors", out)
        self.assertIn("\nTODO(2): not begun.\n", out)
        self.assertIn("1~ 2·", self.warpbook("list")[1])
        self.starter.write_text(self.starter.read_text().replace("// Write it here, too.", "int mine;"))
        out = self.check()
        self.assertRegex(out, r"\n four sectors +0/2  failed, TODO\(1\)\n")
        self.assertIn("✗ 2 of 2 items: adds one; four sectors\n", out)
        self.assertIn("1~ 2~", self.warpbook("list")[1])

    def test_todos_that_are_not_begun_share_a_line(self):
        self.attempt(WRONG)
        out = self.check()
        self.assertRegex(out, r"\n adds one +0/2  failed\n four sectors +0/2  not begun\n")
        self.assertIn("\nTODO(2): not begun.\n\nPoints: 0/4", out)
        self.assertNotIn("--all", out)

    def test_what_is_begun_comes_before_what_is_not_whatever_its_number(self):
        self.attempt(None, OTHER)
        out = self.check()
        self.assertIn("✗ four sectors\n    b[7] is lost. Where did it go?", out)
        self.assertIn("\nTODO(1): not begun.\n", out)
        self.assertNotIn("✗ adds one", out)
        self.assertIn("section TODO(2): second, hint 1", out)

    def test_a_todo_that_has_passed_and_has_not_changed_is_right_though_its_item_needs_another(self):
        self.attempt(PASSED, WRONG)
        self.assertNotIn("is right", self.check())
        text = self.starter.read_text()
        # TODO(2) has been begun now, and the item of TODO(1) fails by it; the text of TODO(1) is the same.
        more = json.dumps({**OTHER, "todo": {"number": 2, "line": 6}})
        judge = self.root / "judge.py"
        judge.write_text(judge.read_text().replace("    if \"full disk\" in text:", f"    if 'begun' in text: return result(item, **json.loads({more!r}))\n"
                                                                                  "    if \"full disk\" in text:").replace(
            "    for line in text.splitlines():", "    for line in [] if 'begun' in text else text.splitlines():"))
        self.starter.write_text(text.replace("// END TODO(2)", "// begun\n// END TODO(2)"))
        out = self.check()
        self.assertRegex(out, r"\n adds one +0/2  failed, TODO\(2\)\n four sectors +0/2  failed\n")
        self.assertIn(f"\n{RIGHT}\n", out)
        self.assertIn("✗ 2 of 2 items: adds one; four sectors\n    b[7] is lost.", out)
        self.starter.write_text(self.starter.read_text().replace("// END TODO(1)", "// touched\n// END TODO(1)"))
        self.assertNotIn("is right", self.check())
        self.assertNotIn("is right", self.check(str(self.starter)))  # of another file nothing is known

    def test_success_says_what_was_counted(self):
        sectors = "4.00 sectors per request, the least"
        measured = [{"what": what, "text": text} for what, text in (("read", sectors), ("written", sectors), ("added", "1 atomic per block"))]
        self.attempt({**PASSED, "measured": measured}, {**WRONG, "measured": [{"what": "never", "text": "shown"}]})
        out = self.check()
        self.assertRegex(out, r"\n adds one +2/2  passed\n   read, written: 4\.00 sectors per request, the least; added: 1 atomic per block\n four")
        self.assertNotIn("shown", out)
        document = json.loads(self.check("--json"))
        self.assertEqual(document["items"][0]["measured"], measured)

    def test_what_a_passing_program_printed_is_shown_and_not_without_end(self):
        lines = [f"line {number}" for number in range(20)]
        self.attempt({**PASSED, "printed": lines}, {**PASSED, "printed": ["of another call"]})
        out = self.check()
        self.assertIn("\nYour program printed:\n    | line 0\n    | line 1\n", out)
        self.assertIn("    | line 11\n    | … 8 more lines; --json has them\nPoints: 4/4\n", out)
        self.attempt({**PASSED, "printed": lines}, WRONG)
        self.assertNotIn("Your program printed", self.check())
        self.attempt({**PASSED, "printed": lines}, {**WRONG, "diagnoses": ["unsolved"]})
        self.assertIn("\nYour program printed:\n    | line 0\n", self.check())

    def test_a_solved_lab_says_what_to_read_and_do_next(self):
        self.attempt(PASSED, PASSED)
        out = self.check()
        self.assertTrue(out.endswith("Points: 4/4\n"
                                     "All points. To read on: labs/01-coalescing/README.md, 'How fast can it be?'\n"
                                     "To compare: solutions/01-coalescing/coalescing.cu, and the steps beside it.\n"), out)
        self.solution.unlink()
        self.add_bench()
        self.write("book/labs/02-shared-memory/lab.json", json.dumps({"title": "banks", "kernel": "shared_memory"}))
        self.write("book/labs/01-coalescing/more.md", "## How fast can it be?\n")
        self.write("book/labs/01-coalescing/questions.json", "{}")
        self.assertTrue(self.check().endswith("To read on: labs/01-coalescing/more.md, 'How fast can it be?'\n"
                                              "Questions that a number answers: ./warpbook check 01 --questions\nTo measure your file: ./warpbook bench 01 --own\n"
                                              "The next lab: labs/02-shared-memory/README.md, banks\n"))
        for options in (["--todo", "1"], [str(self.starter)]):
            self.assertNotIn("All points", self.check(*options))

    def test_every_line_fits_a_terminal_and_stays_whole_in_a_pipe(self):
        long = "of many words that go on and on behind the edge of the page " * 3
        self.attempt({**PASSED, "measured": [{"what": "read", "text": long.strip()}]},
                     {**WRONG, "reason": f"A reason {long.strip()}.", "details": [{"kind": "note", "text": text} for text in (f"  a detail {long.strip()}", "x" * 200)]})
        piped = self.check()
        for line in (f"   read: {long.strip()}\n", f"    |   a detail {long.strip()}\n", "    | " + "x" * 200 + "\n", "section TODO(2): second, hint 1\n"):
            self.assertIn(line, piped)
        for columns in (100, 60, 40):
            with self.terminal("check", "1", columns=columns) as shown:
                self.assertEqual(shown.end(), 1)
            lines = shown.text.splitlines()
            self.assertLessEqual(max(map(len, lines)), columns, shown.text)
            self.assertEqual(re.sub(r"[\s|]+", "", "".join(lines)).replace("─", ""), re.sub(r"[\s|]+", "", piped).replace("─", ""))
            self.assertIn("\n    |   a detail", shown.text)
            self.assertNotIn("\n    | of", shown.text)  # the rest of a detail stands below its beginning

    def test_the_lines_of_the_other_todos_fit_a_terminal_too(self):
        self.attempt(WRONG, {**OTHER, "reason": "A sentence " + "that goes on and on " * 10 + "and ends."})
        with self.terminal("check", "1", columns=70) as shown:
            self.assertEqual(shown.end(), 1)
        self.assertLessEqual(max(map(len, shown.text.splitlines())), 70, shown.text)
        self.assertRegex(shown.text, r"\nTODO\(2\): 1 item fails\. A sentence that goes .* …\n")


@needs_machine
class List(LearnersWorkbook):
    def row(self) -> str:
        status, out, err = self.warpbook("list")
        self.assertEqual(status, 0, err)
        return " ".join(next(line for line in out.splitlines() if line.startswith("01-coalescing")).split())

    def test_what_was_never_checked_is_never_claimed(self):
        for first, second in ((PASSED, PASSED), (None, None), (WRONG, PASSED)):
            self.attempt(first, second)
            self.assertEqual(self.row(), "01-coalescing 0/4 not checked yet")
        self.check("--todo", "1")
        self.check(str(self.solution))
        self.assertEqual(self.row(), "01-coalescing 0/4 not checked yet")
        self.starter.unlink()
        self.assertEqual(self.row(), "01-coalescing - labs/01-coalescing/coalescing.cu is missing")

    def test_each_todo_has_its_state_and_the_marks_are_explained(self):
        self.attempt(PASSED)
        self.check()
        self.assertEqual(self.row(), "01-coalescing 2/4 2 1✓ 2· started")
        out = self.warpbook("list")[1]
        self.assertIn("\nTODOs: ✓ solved, · not begun\n", out)
        self.attempt(WRONG, {"status": "undecided", "reason": "busy"})
        self.check()
        self.assertIn("1~ 2?", self.row())
        self.assertIn("\nTODOs: ~ in work, ? not judged\n", self.warpbook("list")[1])

    def test_each_question_has_a_mark_once_one_is_answered(self):
        def question(name: str) -> dict:
            return {"id": name, "ask": "How many?", "answer": 8, "why": "So.", "otherwise": "Count."}

        self.starter.with_name("questions.json").write_text(json.dumps({"questions": [question(name) for name in ("a", "b", "c")]}))
        self.assertNotIn("Questions", self.warpbook("list")[1])
        for answer in ("a=8", "c=7"):
            self.warpbook("check", "1", "--questions", "--answer", answer)
        out = self.warpbook("list")[1]
        self.assertRegex(out, r"^Lab +Points +Best +TODOs +Questions +At the last check\n01-coalescing +0/4 +✓·~ +not checked yet\n")
        self.assertIn("\n\nQuestions: ✓ answered, ~ not right yet, · not answered\n\nGrade one", out)
        self.warpbook("check", "1", "--questions", "--answer", "c=8", "--answer", "b=8")
        self.attempt(PASSED)
        self.check()
        self.assertEqual(self.row(), "01-coalescing 2/4 2 1✓ 2· ✓✓✓ started")
        self.assertIn("\nTODOs: ✓ solved, · not begun\nQuestions: ✓ answered\n", self.warpbook("list")[1])
        self.starter.with_name("questions.json").write_text("{")
        self.assertEqual(self.row(), "01-coalescing 2/4 2 1✓ 2· started")

    def test_the_best_stays_and_the_change_is_told(self):
        self.attempt(PASSED, PASSED)
        self.check()
        self.assertEqual(self.row(), "01-coalescing 4/4 4 1✓ 2✓ solved")
        self.attempt(PASSED, WRONG)
        self.check()
        self.assertEqual(self.row(), "01-coalescing 2/4 4 1✓ 2~ started, -2 since the check before")
        self.attempt(PASSED, PASSED)
        self.check()
        self.assertEqual(self.row(), "01-coalescing 4/4 4 1✓ 2✓ solved, +2 since the check before")
        self.check()
        self.assertEqual(self.row(), "01-coalescing 4/4 4 1✓ 2✓ solved")

    def test_todos_that_were_edited_since_the_check_are_named(self):
        text = self.attempt(PASSED, WRONG)
        self.check()
        for changed, said in ((text, ""), (text.replace("// END TODO(2)", "x\n// END TODO(2)"), ", TODO(2) edited since the last check"),
                              (text.replace("// END TODO(1)", "x\n// END TODO(1)").replace("// END TODO(2)", "x\n// END TODO(2)"),
                               ", TODO(1), TODO(2) edited since the last check"),
                              (text.replace("int given", "int mine"), ", edited since the last check"),
                              (text.replace("// END TODO(1)\n", ""), ", edited since the last check"), (text, "")):
            self.starter.write_text(changed)
            self.assertEqual(self.row(), "01-coalescing 2/4 2 1✓ 2~ started" + said)

    def test_what_was_reset_is_not_begun_and_has_no_points(self):
        self.attempt(PASSED, PASSED)
        self.check()
        self.warpbook("reset", "1", "--todo", "2", "--yes")
        self.assertEqual(self.row(), "01-coalescing 2/4 4 1✓ 2· started")
        self.starter.write_text(self.starter.read_text().replace("judge(1)", "judged(1)"))
        self.assertEqual(self.row(), "01-coalescing 2/4 4 1✓ 2· started, TODO(1) edited since the last check")
        self.warpbook("reset", "1", "--yes")
        self.assertEqual(self.row(), "01-coalescing 0/4 4 1· 2· unsolved")
        self.attempt(PASSED, PASSED)
        self.assertEqual(self.row(), "01-coalescing 4/4 4 1✓ 2✓ solved")

    def test_a_check_of_one_todo_is_noted_beside_what_is_known_of_the_others(self):
        self.attempt(WRONG, PASSED)
        self.check()
        self.attempt(PASSED, WRONG)
        self.check("--todo", "1")
        self.assertEqual(self.row(), "01-coalescing 4/4 4 1✓ 2✓ solved, +2 since the check before, TODO(2) edited since the last check")
        self.check("--todo", "2")
        self.assertEqual(self.row(), "01-coalescing 2/4 4 1✓ 2~ started, -2 since the check before")
        self.assertIn("TODO(2)", self.warpbook("hint", "1")[1])
        self.attempt(PASSED, PASSED)
        self.check("--todo", "2")
        self.assertEqual(self.row(), "01-coalescing 4/4 4 1✓ 2✓ solved, +2 since the check before")

    def test_a_file_that_does_not_compile_has_no_states_and_keeps_the_best(self):
        self.attempt(PASSED, WRONG)
        self.check()
        self.starter.write_text(STARTER + "// broken\n")
        self.check()
        self.assertEqual(self.row(), "01-coalescing 0/4 2 does not compile, -2 since the check before")
        self.assertNotIn("TODOs:", self.warpbook("list")[1])


if __name__ == "__main__":
    unittest.main()
