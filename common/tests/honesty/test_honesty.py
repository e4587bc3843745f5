"""Tests of the checks that keep a lab honest: each must fail on what it is there to find."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "honesty"))

import item_names  # noqa: E402
import items_covered  # noqa: E402
import todo_regions  # noqa: E402
import unsolved_starter  # noqa: E402

STARTER = "int a;\n// TODO(1): the sum\n// hint\n// END TODO(1)\nint b;\n"
SOLUTION = "int a;\n// TODO(1): the sum\na = 1;\nb = 2;\n// END TODO(1)\nint b;\n"
MUTANT = "// mutant: m\n// item: one\n// diagnosis: wrong\n//\n// The mistake: x\n// Read: y\n"


class ItemNames(unittest.TestCase):
    def test_plain_unique_names_pass(self):
        self.assertEqual(item_names.problems(["one adds", "two adds"]), [])

    def test_names_that_differ_in_case_only_are_found(self):
        self.assertEqual(len(item_names.problems(["One", "one"])), 1)

    def test_every_forbidden_character_is_found(self):
        for character in item_names.FORBIDDEN:
            self.assertEqual(len(item_names.problems([f"a {character} b"])), 1, character)

    def test_no_items_at_all_is_a_problem(self):
        self.assertEqual(len(item_names.problems([])), 1)


class TodoRegions(unittest.TestCase):
    def test_a_difference_inside_a_region_passes(self):
        self.assertIsNone(todo_regions.differences(STARTER, SOLUTION))

    def test_a_difference_outside_is_named_with_both_lines(self):
        difference = todo_regions.differences(STARTER, SOLUTION.replace("int b", "int c"))
        self.assertIn("starter line 5", difference)
        self.assertIn("solution line 6", difference)

    def test_a_line_too_many_at_the_end_is_found(self):
        self.assertIn("lines", todo_regions.differences(STARTER, SOLUTION + "int c;\n"))

    def test_a_starter_that_is_the_solution_is_found(self):
        self.assertIn("is the solution", todo_regions.differences(SOLUTION, SOLUTION))

    def test_markers_that_do_not_pair_are_malformed(self):
        for text in ("// TODO(1): x\n", "// END TODO(1)\n", "// TODO(2): x\n// END TODO(2)\n", "int a;\n",
                     "// TODO(1): x\n// TODO(2): y\n// END TODO(2)\n// END TODO(1)\n",
                     "// TODO(1): x\n// END TODO(2)\n"):
            with self.assertRaises(todo_regions.Malformed, msg=text):
                todo_regions.outside_regions(text)


class ItemsCovered(unittest.TestCase):
    def test_a_covered_item_passes(self):
        self.assertEqual(items_covered.problems(["one"], {"m.cu": MUTANT}), [])

    def test_an_item_that_no_mutant_fails_is_found(self):
        self.assertEqual(items_covered.problems(["one", "two"], {"m.cu": MUTANT}), ["no mutant fails 'two'"])

    def test_a_mutant_of_an_unknown_item_is_found(self):
        self.assertIn("m.cu: there is no item 'one'", items_covered.problems(["two"], {"m.cu": MUTANT}))

    def test_a_header_without_a_field_is_found(self):
        for line in MUTANT.splitlines():
            if line != "//":
                self.assertNotEqual(items_covered.problems(["one"], {"m.cu": MUTANT.replace(line + "\n", "")}), [], line)


class UnsolvedStarter(unittest.TestCase):
    ITEM = {"item": "one", "todo": 1}
    RESULT = {"status": "failed", "points": 0, "diagnoses": ["unsolved"], "todo": {"number": 1, "line": 3},
              "reason": "one is not done yet: TODO(1) in a.cu:3"}

    def test_an_unsolved_item_passes(self):
        self.assertIsNone(unsolved_starter.complaint(self.ITEM, 1, self.RESULT))

    def test_each_departure_is_found(self):
        for status, change in ((0, {}), (2, {}), (1, {"status": "passed"}), (1, {"points": 1}),
                               (1, {"diagnoses": ["crash"]}), (1, {"todo": None}), (1, {"reason": "wrong"}),
                               (1, {"todo": {"number": 2, "line": 3}})):
            self.assertIsNotNone(unsolved_starter.complaint(self.ITEM, status, {**self.RESULT, **change}), change)


if __name__ == "__main__":
    unittest.main()
