"""./warpbook test: what CTest's report says, in counts that cannot lie."""
import subprocess
import sys
import unittest

from fakes import ROOT, Scratch, captured

from command import progress, selftest
from command.build import Build
from command.workbook import Workbook

JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="x" tests="5">
 <testcase name="unit.call" time="0.2" status="run"><system-out>fine
Skipped: no make here (2 tests)
OK</system-out></testcase>
 <testcase name="01.solution.sim:adds one" time="1" status="fail">
  <failure message=""/><system-out>a[3]</system-out></testcase>
 <testcase name="01.solution.cuda:adds one" time="0" status="notrun">
  <skipped message="SKIP_RETURN_CODE=77"/><system-out>no GPU</system-out></testcase>
 <testcase name="01.handin.sim:adds one" time="0" status="notrun">
  <skipped message="Fixture dependency failed"/></testcase>
 <testcase name="off" time="0" status="disabled"><skipped message="Disabled"/></testcase>
</testsuite>
"""


class Report(Scratch):
    def setUp(self):
        super().setUp()
        self.runs = selftest.read_junit(self.write("junit.xml", JUNIT))

    def test_the_summary_line_counts_every_test_once(self):
        self.assertEqual(selftest.summary_line(self.runs), "1 passed, 2 failed, 2 skipped")

    def test_without_skips_the_line_does_not_speak_of_them(self):
        self.assertEqual(selftest.summary_line(self.runs[:2]), "1 passed, 1 failed")

    def test_what_was_kept_is_counted_and_told(self):
        kept = [selftest.TestRun("a", "passed", 1, "", True), selftest.TestRun("b", "passed", 1, "", True)]
        self.assertEqual(selftest.summary_line([*kept, *self.runs[:2]]), "3 passed, 1 failed (2 of them kept)")
        self.assertEqual(selftest.summary_line([*kept, *self.runs]), "3 passed, 2 failed, 2 skipped (2 of them kept)")

    def test_a_test_whose_fixture_failed_is_a_failed_test(self):
        self.assertEqual(next(run.status for run in self.runs if "handin" in run.name), "failed")

    def test_counts_by_label(self):
        labels = {"unit.call": ["unit"], "01.solution.sim:adds one": ["lab01", "sim"],
                  "01.solution.cuda:adds one": ["lab01", "gpu"]}
        self.assertEqual(selftest.count_by_label(self.runs[:3], labels),
                         [["gpu", "0", "0", "1"], ["lab01", "0", "1", "1"], ["sim", "0", "1", "0"],
                          ["unit", "1", "0", "0"]])

    def test_every_skip_is_told_with_its_reason(self):
        with captured() as (out, _):
            selftest.print_skips(self.runs)
        self.assertEqual(out.getvalue().splitlines(), ["SKIPPED unit.call: no make here (2 tests)", "SKIPPED 01.solution.cuda:adds one: no GPU",
                                             "SKIPPED off: Disabled"])

    def test_a_file_of_tests_says_why_it_skips_some_and_is_skipped_if_it_skips_all(self):
        skip = "    @unittest.skip('no moon')\n    def test_moon(self): pass\n"
        for tests, status, said in (("    def test(self): pass\n", 0, []), (skip, 77, ["Skipped: no moon (1 test)"]),
                                    (skip + "    def test(self): pass\n", 0, ["Skipped: no moon (1 test)"]),
                                    (skip + "    def test(self): self.fail()\n", 1, ["Skipped: no moon (1 test)"])):
            file = self.write("some.py", f"import unittest\nclass Some(unittest.TestCase):\n{tests}unittest.main()\n")
            done = subprocess.run([sys.executable, "-B", str(ROOT / "common/tests/run_unittest.py"), str(file)], text=True,
                                  capture_output=True, check=False)
            self.assertEqual((done.returncode, [line for line in done.stderr.splitlines() if line.startswith("Skipped")]), (status, said))

    def test_no_report_is_no_test(self):
        self.assertEqual(selftest.read_junit(self.folder / "nothing.xml"), [])
        self.assertEqual(selftest.read_junit(self.write("broken.xml", "<testsuite>")), [])


class Presets(unittest.TestCase):
    def test_what_a_test_preset_chooses_is_what_runs(self):
        setup = {"compiler": "", "python": ""}
        builds = {name: Build(Workbook(ROOT), name, setup) for name in ("sim", "cuda-ci", "unknown")}
        self.assertEqual({name: build.test_labels() for name, build in builds.items()},
                         {"sim": {"exclude": "^(starter|handin)$"}, "cuda-ci": {"include": "^gpu$", "exclude": "^(starter|handin)$"}, "unknown": {}})
        beside = str(min(progress.processors(), 16) + 1)
        self.assertEqual({name: build.jobs_of_tests() for name, build in builds.items()},
                         {"sim": ["--parallel", beside], "cuda-ci": ["--parallel", beside], "unknown": ["--parallel", "1"]})


if __name__ == "__main__":
    unittest.main()
