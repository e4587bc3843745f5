"""Each lab's facts stand in its lab.json: what is said of a broken one, and that handouts and overviews agree with them."""
import dataclasses
import json
import re
import sys
import unittest

from fakes import ROOT, Scratch, facts

from command import lab_facts
from command.problem import Problem
from command.workbook import Workbook

sys.path.insert(0, str(ROOT / "plots"))
import comparison  # noqa: E402
import targets  # noqa: E402


class Reading(Scratch):
    def broken(self, text: str) -> str:
        folder = self.write("labs/01-scan/lab.json", text).parent
        with self.assertRaises(lab_facts.Broken) as caught:
            lab_facts.read(folder)
        self.assertIn(str(folder / "lab.json"), str(caught.exception))
        return str(caught.exception)

    def changed(self, **values) -> str:
        return json.dumps({**json.loads(facts("scan")), **values})

    def test_what_is_no_object_of_json_is_a_sentence(self):
        self.assertIn("is not JSON", self.broken("{"))
        self.assertIn("is not a JSON object", self.broken("[]"))

    def test_a_key_that_is_missing_unknown_or_of_another_type_is_named(self):
        self.assertIn("lacks 'kernel'", self.broken('{"title": "t", "about": "a"}'))
        self.assertIn("has the key 'relocateable'; it can have title, kernel, about", self.broken(self.changed(relocateable=True)))
        self.assertIn("'relocatable' is not true or false", self.broken(self.changed(relocatable="yes")))
        self.assertIn("'peer_libraries' is not a list of texts", self.broken(self.changed(peer_libraries="CUDA::cublas")))
        self.assertIn("'results' is not an object", self.broken(self.changed(results=[])))

    def test_what_may_be_left_out_has_a_default(self):
        read = lab_facts.read(self.write("labs/01-scan/lab.json", facts("scan")).parent)
        self.assertEqual((read.kernel, read.relocatable, read.peer_libraries, read.results), ("scan", False, (), None))

    def test_the_command_says_what_is_broken(self):
        self.write("labs/01-scan/lab.json", "{}")
        with self.assertRaisesRegex(Problem, "labs/01-scan/lab.json lacks 'title'"):
            self.assertFalse(Workbook(self.folder).lab("scan").starter)

    def test_a_folder_without_facts_is_no_lab(self):
        self.write_lab("02-scan")
        self.write("labs/01-notes/README.md")
        self.assertEqual([lab.name for lab in Workbook(self.folder).labs()], ["02-scan"])


class Labs(unittest.TestCase):
    def setUp(self):
        self.labs = Workbook(ROOT).labs()
        self.assertTrue(self.labs)

    def test_every_folder_of_labs_has_its_facts_and_its_student_file(self):
        self.assertEqual([lab.folder for lab in self.labs], sorted(path for path in (ROOT / "labs").iterdir() if path.is_dir()))
        for lab in self.labs:
            self.assertTrue(lab.starter.exists(), lab.starter)

    def test_a_handout_begins_with_the_labs_number_and_title(self):
        for lab in self.labs:
            first = (lab.folder / "README.md").read_text(encoding="utf-8").splitlines()[0]
            self.assertEqual(first, f"# Lab {lab.number}: {lab.facts.title}")

    def test_the_readmes_rows_are_of_labs_that_there_are(self):
        """That a lab has its row is tested with the lab: "the tables of points are the rubric's"."""
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| \[(.*?)\]\(labs/.*?/README\.md\) \| (.*?) \| \d+ \|$", text, re.M)
        self.assertGreater(len(rows), 1)
        self.assertLessEqual(set(rows), {(lab.name, lab.facts.about) for lab in self.labs})

    def test_no_two_labs_have_one_number(self):
        self.assertEqual(len({lab.number for lab in self.labs}), len(self.labs))

    def test_every_key_is_described_for_authors(self):
        text = (ROOT / "docs/adding-a-lab.md").read_text(encoding="utf-8")
        for kind in (lab_facts.Facts, comparison.Results, comparison.Task, targets.Said):
            for field in dataclasses.fields(kind):
                self.assertIn(f"`{field.name}`", text, kind.__name__)


if __name__ == "__main__":
    unittest.main()
