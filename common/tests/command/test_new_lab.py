"""Which names `./warpbook new-lab` takes, and what it makes of its templates. That the lab builds is tested in tests/new_lab."""
import unittest

from fakes import Scratch, captured

from command import cli, new_lab
from command.problem import Problem
from command.workbook import Workbook


class NewLab(Scratch):
    def setUp(self):
        super().setUp()
        self.write_lab("01-coalescing")
        self.write_lab("06-cluster-histogram")
        self.workbook = Workbook(self.folder)

    def refusal(self, name: str) -> str:
        with self.assertRaises(Problem, msg=name) as caught:
            new_lab.name_of(self.workbook, name)
        return caught.exception.sentence

    def test_a_name_without_a_number_gets_the_next_one(self):
        self.assertEqual(new_lab.name_of(self.workbook, "scan"), "07-scan")
        self.assertEqual(new_lab.name_of(self.workbook, "prefix-sum2"), "07-prefix-sum2")
        self.write("solutions/08-old/old.cu")
        self.assertEqual(new_lab.name_of(self.workbook, "scan"), "09-scan")

    def test_the_first_lab_of_all_has_number_01(self):
        self.assertEqual(new_lab.name_of(Workbook(self.folder / "empty"), "scan"), "01-scan")

    def test_a_name_with_a_free_number_is_taken_as_it_is(self):
        self.assertEqual(new_lab.name_of(self.workbook, "03-scan"), "03-scan")

    def test_a_name_that_cannot_be_a_folders_or_a_functions_is_refused(self):
        for name in ("", "Scan", "scan_it", "scan-", "-scan", "7-scan", "007-scan", "00-scan", "7", "../scan", "07-2nd", "scan me", "scän"):
            self.assertIn(f"A lab cannot be called '{name}'", self.refusal(name))
        self.assertIn("means every lab", self.refusal("all"))

    def test_a_name_or_a_number_that_is_taken_is_refused(self):
        for name in ("coalescing", "07-coalescing", "01-scan"):
            self.assertIn("There is a lab 01-coalescing already", self.refusal(name))
        self.write("solutions/08-old/old.cu")
        self.assertIn("There is a lab 08-old already", self.refusal("08-scan"))

    def test_after_99_there_is_none(self):
        self.write_lab("99-last")
        self.assertIn("no number left", self.refusal("scan"))

    def test_a_refusal_writes_nothing_and_is_status_2(self):
        before = sorted(self.folder.rglob("*"))
        with captured() as (out, err):
            status = cli.main(["new-lab", "coalescing"], str(self.folder))
        self.assertEqual((status, out.getvalue(), len(err.getvalue().splitlines())), (2, "", 1))
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_a_new_lab_is_a_lab_of_the_command(self):
        with captured() as (out, _):
            self.assertEqual(cli.main(["new-lab", "prefix-sum"], str(self.folder)), 0)
        self.assertIn("./warpbook check 07 solutions/07-prefix-sum/prefix_sum.cu", out.getvalue())
        lab = self.workbook.lab("prefix-sum")
        self.assertEqual((lab.name, lab.facts.title, lab.starter), ("07-prefix-sum", "prefix sum", self.folder / "labs/07-prefix-sum/prefix_sum.cu"))
        self.assertIn("prefix_sum_f32", self.workbook.solution(lab).read_text())
        self.assertEqual(lab.kept_starter.read_text(), lab.starter.read_text())
        self.assertIn("TODO(1)", lab.kept_starter.read_text())


if __name__ == "__main__":
    unittest.main()
