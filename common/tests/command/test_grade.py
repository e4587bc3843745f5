"""A class's hand-ins: points for each name and item, in a workbook in miniature."""
import csv
import unittest
import xml.etree.ElementTree as ElementTree

from small_workbook import SmallWorkbook, lines_matching, needs_machine


@needs_machine
class Grade(SmallWorkbook):
    def hand_in(self, name: str, text: str) -> None:
        self.write(f"class/{name}/coalescing.cu", text)

    def grade(self, *options: str, **environment: str):
        return self.warpbook("grade", str(self.folder / "class"), *options, **environment)

    def rows(self) -> list[dict]:
        with open(self.folder / "points.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_every_name_and_item_has_a_row_with_its_points(self):
        self.hand_in("alice", "// solved\n")
        self.hand_in("bob", "// nothing\n")
        status, out, err = self.grade("--csv", str(self.folder / "points.csv"))
        self.assertEqual(status, 0, out + err)
        self.assertTrue(lines_matching("alice +01-coalescing +4/4 +full points", out), out)
        self.assertTrue(lines_matching("bob +01-coalescing +0/4 +2 of 2 items failed", out), out)
        rows = self.rows()
        self.assertEqual([(row["name"], row["item"], row["points"], row["max_points"]) for row in rows],
                         [("alice", "adds one", "2", "2"), ("alice", "four sectors", "2", "2"),
                          ("bob", "adds one", "0", "2"), ("bob", "four sectors", "0", "2")])
        self.assertEqual(rows[2]["reason"], "TODO(1) is not solved yet")
        self.assertEqual(rows[2]["file"], "bob/coalescing.cu")

    def test_a_hand_in_that_does_not_compile_has_0_and_the_compilers_reason(self):
        self.hand_in("carol", "// broken\n")
        status, out, _ = self.grade("--csv", str(self.folder / "points.csv"))
        self.assertEqual(status, 0)
        self.assertTrue(lines_matching("carol +01-coalescing +0/4 +", out), out)
        self.assertIn("carol/coalescing.cu does not compile", " ".join(out.split()))
        self.assertEqual([(row["points"], row["max_points"]) for row in self.rows()], [("0", "2")] * 2)
        for row in self.rows():
            self.assertIn("carol/coalescing.cu:9:3: error: expected ';'", row["reason"])
            self.assertNotIn("an echo of the first", row["reason"])

    def test_those_that_do_not_compile_fail_alone_and_each_with_its_own_error(self):
        for name, text in (("alice", "solved"), ("bob", "broken"), ("carol", "broken"), ("dan", "solved")):
            self.hand_in(name, f"// {text}\n")
        self.hand_in("erin", "")
        status, out, err = self.grade("--csv", str(self.folder / "points.csv"))
        self.assertEqual(status, 0, out + err)
        self.assertEqual({row["name"]: row["points"] for row in self.rows()},
                         {"alice": "2", "bob": "0", "carol": "0", "dan": "2", "erin": "0"})
        reasons = {row["name"]: row["reason"] for row in self.rows()}
        self.assertIn("bob/coalescing.cu:9:3: error", reasons["bob"])
        self.assertIn("carol/coalescing.cu:9:3: error", reasons["carol"])
        self.assertIn("erin/coalescing.cu is empty", reasons["erin"])

    def test_a_failing_build_of_the_workbook_is_no_hand_ins_fault(self):
        self.hand_in("bob", "// broken\n")
        self.hand_in("erin", "")
        program = self.root / "build/sim/bin/grade-01"
        program.unlink()
        (program / "grader.sh").mkdir(parents=True)  # cp cannot write there
        (self.root / "grader.sh").write_text("another")
        status, out, err = self.grade()
        self.assertEqual((status, out), (2, ""))
        self.assertIn("The workbook itself could not be built:", err)
        self.assertNotIn("bob", err)

    def test_an_item_without_a_verdict_is_no_quiet_zero(self):
        self.hand_in("dave", "// silent\n")
        self.hand_in("alice", "// solved\n")
        status, out, _ = self.grade("--csv", str(self.folder / "points.csv"))
        self.assertEqual(status, 1)
        self.assertTrue(lines_matching("alice +01-coalescing +4/4 +full points", out), out)
        self.assertTrue(lines_matching("dave +01-coalescing +0/4 +an item ended without a verdict", out), out)
        self.assertIn("The grader ended with status 1", self.rows()[-1]["reason"])

    def test_an_undecided_item_costs_no_points_and_asks_for_another_look(self):
        self.hand_in("fay", "// busy\n")
        status, out, _ = self.grade("--csv", str(self.folder / "points.csv"))
        self.assertEqual(status, 1)
        self.assertTrue(lines_matching("fay +01-coalescing +0/2 +an item ended without a verdict", out), out)
        self.assertEqual([(row["status"], row["max_points"]) for row in self.rows()], [("failed", "2"), ("undecided", "0")])

    def test_the_junit_report_has_a_case_for_each_item_and_none_of_a_submissions_control_characters(self):
        for name, text in (("alice", "solved"), ("bob", "broken"), ("gil", "control"), ("fay", "busy")):
            self.hand_in(name, f"// {text}\n")
        self.grade()
        suite = ElementTree.parse(self.root / "build/sim/handins.xml").getroot()
        cases = {case.get("name"): case for case in suite.iter("testcase")}
        self.assertEqual(set(cases), {f"01.handin-{name}.sim:{item}" for name in ("alice", "bob", "gil", "fay")
                                      for item in ("adds one", "four sectors")} | {"01.handin-bob.sim:builds"})
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("skipped")), ("9", "6", "1"))
        self.assertEqual(list(cases["01.handin-alice.sim:adds one"]), [])
        failure = cases["01.handin-gil.sim:adds one"].find("failure")
        self.assertEqual((failure.get("message"), failure.text), ("a[3] is ?[31m?", "? & <b>"))
        self.assertIn("error: expected ';'", cases["01.handin-bob.sim:builds"].find("failure").get("message"))
        self.assertIsNotNone(cases["01.handin-fay.sim:four sectors"].find("skipped"))

    def test_yesterdays_results_of_a_name_do_not_count(self):
        self.hand_in("erin", "// solved\n")
        self.grade()
        self.hand_in("erin", "// silent\n")
        _, out, _ = self.grade()
        self.assertTrue(lines_matching("erin +01-coalescing +0/4", out), out)

    def test_a_file_that_no_lab_knows_is_named(self):
        self.hand_in("alice", "// solved\n")
        self.write("class/final_version.cu", "// solved\n")
        status, out, _ = self.grade()
        self.assertEqual(status, 1)
        self.assertIn("  final_version.cu", out)

    def test_an_empty_folder_says_what_a_hand_in_is_called(self):
        (self.folder / "class").mkdir()
        status, _, err = self.grade()
        self.assertEqual(status, 2)
        self.assertIn("A hand-in is NAME/coalescing.cu", err)

    def test_a_missing_folder_is_a_sentence(self):
        status, _, err = self.grade()
        self.assertEqual((status, err.splitlines()[0]), (2, f"There is no folder {self.folder}/class."))

    def test_names_that_cmake_cannot_list_are_refused_before_anything_runs(self):
        for name in ("a;b", "a|b", "a[b", 'a"b', "$a"):
            self.hand_in(name, "// solved\n")
        status, _, err = self.grade()
        self.assertEqual(status, 2)
        self.assertEqual(len(lines_matching("^  .*/coalescing.cu$", err)), 5, err)
        self.assertNotIn("WARPBOOK_HANDIN", (self.root / "build/sim/CMakeCache.txt").read_text())

    def test_after_the_folder_is_gone_check_still_works(self):
        self.hand_in("alice", "// solved\n")
        self.grade()
        (self.folder / "class/alice/coalescing.cu").unlink()
        (self.folder / "class/alice").rmdir()
        (self.folder / "class").rmdir()
        status, out, err = self.warpbook("check", "1")
        self.assertEqual(status, 1, err)
        self.assertIn("Points: 0/4", out)

    def test_points_that_cannot_be_written_are_said_before_the_class_is_graded(self):
        self.hand_in("alice", "// solved\n")
        status, _, err = self.grade("--csv", str(self.folder / "nowhere/points.csv"))
        self.assertEqual(status, 2)
        self.assertIn("There is no folder", err)


if __name__ == "__main__":
    unittest.main()
