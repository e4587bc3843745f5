"""./warpbook see itself, on the labs' own files: what it prints, what it writes, and its status.

  test_verb.py SOURCE_DIR BUILD_ROOT [unittest arguments]

BUILD_ROOT is the folder in which the presets' builds lie. Files of the build are brought up to date; the build's lock is held by
`./warpbook test`, of which this is a part, and not asked for.
"""
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

SOURCE, BUILD_ROOT = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(SOURCE / "common"))

from command import cli  # noqa: E402
from command.problem import Problem  # noqa: E402

SOLUTION = "solutions/01-coalescing/coalescing.cu"
MUTANT = "solutions/01-coalescing/mutants/one_chunk_per_thread.cu"


class See(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.page = self.folder / "page.html"

    def see(self, *words: str, build_root: str = BUILD_ROOT) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with (mock.patch("command.build.Build.locked", lambda self: contextlib.nullcontext()), contextlib.chdir(SOURCE),
              mock.patch.dict(os.environ, {"WARPBOOK_BUILD": build_root, "WARPBOOK_BACKEND": "sim", "WARPBOOK_LANGUAGE": "en"}),
              contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)):
            try:
                status = cli.dispatch(["see", *words], str(SOURCE))
            except Problem as problem:
                status = cli.report(problem, as_json=False)
        return status, out.getvalue(), err.getvalue()

    def test_a_right_file_has_its_costs_and_a_page(self):
        status, out, err = self.see("01", "column_sums", SOLUTION, "--out", str(self.page))
        self.assertEqual(status, 0, err)
        self.assertIn(f"column_sums of {SOLUTION}: All items of column_sums pass.", out)
        self.assertRegex(out, r"  line +\d+  global read +48 requests, +3\.00 sectors per request, least 3\.00\n")
        self.assertIn('"extents":[24,48]', self.page.read_text(encoding="utf-8").replace(" ", ""))

    def test_a_size_is_that_of_the_small_call(self):
        status, out, err = self.see("1", "column_sums", "--size", "32", SOLUTION, "--out", str(self.page))
        self.assertEqual(status, 0, err)
        self.assertIn("24 requests,   4.00 sectors", out)

    def test_a_wrong_file_is_drawn_where_it_fails(self):
        status, out, err = self.see("01", "offset_add_f32", MUTANT, "--out", str(self.page))
        self.assertEqual(status, 0, err)
        self.assertIn("It fails the item: offset_add_f32 touches no sector twice when aligned", out)
        self.assertRegex(out, r"! line +\d+  global read +512 requests,  16\.00 sectors per request, least 4\.00")

    def test_two_files_are_compared_in_one_call(self):
        status, out, err = self.see("01", "offset_add_f32", MUTANT, SOLUTION, "--out", str(self.page))
        self.assertEqual(status, 0, err)
        self.assertNotIn("fails the item", out)
        text = self.page.read_text(encoding="utf-8")
        self.assertIn("before and after", text)
        self.assertEqual(text.count('"call":"offset_add_f32(a[515], n = 512, offset = 3)'), 2)

    @unittest.skipUnless(SOURCE / "build" == pathlib.Path(BUILD_ROOT), "only the build beside the workbook is shared")
    def test_with_a_build_folder_of_ones_own_the_programs_of_the_built_tree_do_it(self):
        own = self.folder / "own"
        (own / "sim-shared").mkdir(parents=True)
        with mock.patch("command.prebuilt.SharedBuild.is_current", return_value=True):
            status, out, err = self.see("01", "column_sums", SOLUTION, "--out", str(self.page), build_root=str(own))
        self.assertEqual(status, 0, out + err)
        self.assertTrue(self.page.exists())
        self.assertTrue((own / "sim-shared/submissions/01/sim/check.so").exists())
        self.assertFalse((own / "sim").exists())

    def test_what_has_no_accesses_or_is_not_there_is_said(self):
        status, out, _ = self.see("01", "labs/01-coalescing/coalescing.cu.starter", "column_sums", "--out", str(self.page))
        self.assertEqual(status, 1)
        self.assertIn("there is nothing to draw", out)
        self.assertFalse(self.page.exists())
        status, _, err = self.see("01", "column_sum")
        self.assertEqual(status, 2)
        self.assertIn("'column_sum' is neither a function of the lab nor a .cu file.", err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
