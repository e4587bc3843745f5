"""A class's hand-ins: points for each name and item, in a workbook in miniature."""
import csv
import unittest

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
        self.assertTrue(lines_matching("carol +01-coalescing +0/4 +error: expected ';'", out), out)
        self.assertEqual([(row["points"], row["max_points"], row["reason"]) for row in self.rows()],
                         [("0", "2", "error: expected ';'")] * 2)

    def test_an_item_without_a_verdict_is_no_quiet_zero(self):
        self.hand_in("dave", "// silent\n")
        status, out, _ = self.grade()
        self.assertEqual(status, 1)
        self.assertIn("ended without a verdict", out)

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
        self.assertFalse((self.root / "build/sim/build.ninja").exists())

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
