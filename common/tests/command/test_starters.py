"""Each lab keeps its starter for ./warpbook reset, and has hints for each of its TODOs."""
import unittest

from fakes import ROOT

from command import demo, hint
from command.regions import inside, regions
from command.workbook import Workbook

WORKBOOK = Workbook(ROOT)
LABS = WORKBOOK.labs()


def outside_of(text: str) -> list[str]:
    """The lines of a file that lie outside of its TODOs, markers included."""
    return [line for index, line in enumerate(text.splitlines()) if index not in inside(text)]


class KeptStarters(unittest.TestCase):
    def test_there_are_labs(self):
        self.assertGreater(len(LABS), 0)

    def test_outside_of_the_todos_the_kept_starter_is_the_file(self):
        for lab in LABS:
            with self.subTest(lab.name):
                self.assertEqual(outside_of(lab.starter.read_text(encoding="utf-8")), outside_of(lab.kept_starter.read_text(encoding="utf-8")))

    def test_a_file_that_nobody_has_changed_is_the_kept_starter(self):
        unchanged = [lab for lab in LABS if demo.is_as_delivered(WORKBOOK, lab)]
        for lab in unchanged:
            with self.subTest(lab.name):
                self.assertEqual(lab.starter.read_bytes(), lab.kept_starter.read_bytes())
        if not unchanged:
            self.skipTest("git knows of no file that is as it was given out")

    def test_the_kept_starter_has_todos_from_1_on(self):
        for lab in LABS:
            numbers = [region.number for region in regions(lab.kept_starter.read_text(encoding="utf-8"))]
            self.assertEqual(numbers, list(range(1, len(numbers) + 1)), lab.name)
            self.assertGreater(len(numbers), 0, lab.name)

    def test_printf_is_there(self):
        for path in (path for lab in LABS for path in lab.kept_starters):
            self.assertIn("#include <cstdio>\n", path.read_text(encoding="utf-8"), path)


class Hints(unittest.TestCase):
    def test_every_todo_has_three_folded_hints(self):
        for lab in LABS:
            tasks = hint.hints_of(lab)
            for region in regions(lab.kept_starter.read_text(encoding="utf-8")):
                with self.subTest(f"{lab.name}, TODO({region.number})"):
                    hints = tasks[region.number].hints
                    self.assertGreaterEqual(len(hints), 3)
                    for number, each in enumerate(hints, 1):
                        self.assertRegex(each.title, rf"^Hint {number}: \S")
                        self.assertTrue(hint.text_of(each))

    def test_every_fold_is_closed_and_belongs_to_a_todo(self):
        for lab in LABS:
            with self.subTest(lab.name):
                text = (lab.folder / "hints.md").read_text(encoding="utf-8")
                count = sum(len(task.hints) for task in hint.parsed(text).values())
                self.assertEqual((text.count("<details>"), text.count("</details>"), text.count("<summary>")), (count, count, count))
                self.assertEqual(text.count("```") % 2, 0)


if __name__ == "__main__":
    unittest.main()
