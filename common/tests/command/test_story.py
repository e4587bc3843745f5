"""The table that a bench ends with: the steps in their order, and what each brought."""
import subprocess
import sys
import unittest

from fakes import ROOT, Scratch

from command import probe, story

sys.path.insert(0, str(ROOT / "plots"))
import measurements  # noqa: E402

PYTHON = next((path for path in probe.python_candidates(ROOT) if "rich" in probe.python_modules(path)), "")
HEADER = "submission,function,precision,n,metric,value,low,high,repetitions,unit\n"


def row(submission, function, n, value, metric="bandwidth", unit="GB/s") -> str:
    return f"{submission},{function},f32,{n},{metric},{value},1,1,9,{unit}\n"


class Story(Scratch):
    def read(self, text: str):
        return measurements.read(self.write("m.csv", "# device: a GPU\n" + HEADER + text))

    def printed(self, text: str, width: int = 110, whole: bool = True) -> str:
        self.write("m.csv", "# device: a GPU\n" + HEADER + text)
        program = ("import pathlib, sys\nsys.path[:0] = sys.argv[1:3]\nimport measurements\nfrom command import story\n"
                   "folder = pathlib.Path(sys.argv[3])\n"
                   f"story.print_story('09-lab', folder, measurements.read(folder / 'm.csv'), {whole})\n")
        command = [PYTHON, "-B", "-c", program, str(ROOT / "plots"), str(ROOT / "common"), str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env={"COLUMNS": str(width), "LC_ALL": "C.UTF-8"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_steps_come_in_their_order_then_the_solution_then_the_peers(self):
        rows = [row(name, "f", 1, 1) for name in ("peer-cub", "solution", "step-v10_b", "step-v2_a", "step-v0_c")]
        lines = story.stories(self.read("".join(rows)))["f f32"]
        self.assertEqual([line.submission for line in lines],
                         ["step-v0_c", "step-v2_a", "step-v10_b", "solution", "peer-cub"])

    def test_a_gain_compares_a_step_with_the_step_before_at_common_points(self):
        text = (row("step-v0_a", "f", 1, 10) + row("step-v0_a", "f", 2, 10) + row("solution", "f", 1, 99)
                + row("step-v1_b", "f", 1, 20) + row("step-v1_b", "f", 2, 80) + row("step-v1_b", "f", 3, 1))
        lines = {line.submission: line for line in story.stories(self.read(text))["f f32"]}
        self.assertIsNone(lines["step-v0_a"].gain)
        self.assertAlmostEqual(lines["step-v1_b"].gain, 4)  # sqrt(2 * 8); n = 3 has nothing to compare with
        self.assertIsNone(lines["solution"].gain)
        self.assertEqual(lines["step-v1_b"].values["bandwidth"], (1, 80))

    def test_a_shorter_time_is_a_gain_and_counters_have_none(self):
        text = row("step-v0_a", "f", 1, 8, "time", "us") + row("step-v1_b", "f", 1, 2, "time", "us")
        self.assertAlmostEqual(story.stories(self.read(text))["f f32"][1].gain, 4)
        text = row("step-v0_a", "f", 1, 8, "sectors", "sectors") + row("step-v1_b", "f", 1, 2, "sectors", "sectors")
        self.assertIsNone(story.stories(self.read(text))["f f32"][1].gain)

    def test_a_line_says_the_idea_that_the_steps_file_begins_with(self):
        self.write("steps/v0_plain.cu", "// Step 0 of f: a thread for each element.\n")
        self.write("steps/copy_v1_wide_loads.cu", "#include <x>\n")
        self.write("peers/cub.cu", "// Peer: cub::DeviceReduce.\n")
        self.assertEqual(story.title(self.folder, "step-v0_plain"), "v0  a thread for each element")
        self.assertEqual(story.title(self.folder, "step-copy_v1_wide_loads"), "v1  wide loads")
        self.assertEqual(story.title(self.folder, "peer-cub"), "peer  cub::DeviceReduce")
        self.assertEqual(story.title(self.folder, "step-nameless"), "nameless")

    @unittest.skipUnless(PYTHON, "no interpreter here has rich")
    def test_every_column_is_printed_in_a_narrow_terminal_too(self):
        text = "".join(row("step-v0_" + "long_name_" * 6, "f", 1, 7, f"metric_{k}") for k in range(3))
        for width in (80, 110):
            shown = self.printed(text, width)
            words = [word for line in shown.splitlines()[:6] for word in line.split()]
            self.assertEqual([words.count(word) for word in ("metric", "0", "1", "2")], [3, 1, 1, 1], shown)
            self.assertEqual(sum(line.split().count("7") for line in shown.splitlines()), 3, shown)

    @unittest.skipUnless(PYTHON, "no interpreter here has rich")
    def test_the_short_form_leaves_the_second_precision_out(self):
        text = row("solution", "f_f32", 1, 5) + "solution,f_f64,f64,1,bandwidth,6,1,1,9,GB/s\n"
        self.assertIn("f_f64", self.printed(text))
        self.assertNotIn("f_f64", self.printed(text, whole=False))

    def test_the_yardsticks_of_a_run_stand_first_in_a_section_of_their_own(self):
        told = story.stories(self.read(row("yardstick", "copy", 1, 4200) + row("solution", "f", 1, 4000)))
        self.assertEqual([line.submission for line in told["ceilings measured in the same run"]], ["yardstick-copy"])


if __name__ == "__main__":
    unittest.main()
