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


class Measured(Scratch):
    def read(self, text: str):
        return measurements.read(self.write("m.csv", "# device: a GPU\n" + HEADER + text))


class Story(Measured):
    def printed(self, text: str, width: int = 110) -> str:
        self.write("m.csv", "# device: a GPU\n" + HEADER + text)
        program = ("import pathlib, sys\nsys.path[:0] = sys.argv[1:3]\nimport measurements\nfrom command import story\n"
                   "folder = pathlib.Path(sys.argv[3])\n"
                   "story.print_story('09-lab', folder, measurements.read(folder / 'm.csv'))\n")
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

    def test_where_the_own_file_costs_most_beside_the_least_is_told_with_its_point(self):
        with_least = HEADER.replace("unit\n", "unit,least\n")
        rows = [row(name, "f", n, value, "sectors", "sectors").replace("\n", f",{least}\n")
                for name, n, value, least in (("yours", 1, 4, 4), ("yours", 2, 6, 4), ("yours", 3, 9, 4), ("yours", 4, 20, 16), ("solution", 5, 40, 4))]
        self.assertEqual(story.beyond_least(measurements.read(self.write("m.csv", with_least + "".join(rows)))),
                         ["f f32, sectors: the most beside the least at n = 3: 9 where 4 is needed"])
        self.assertEqual(story.beyond_least(measurements.read(self.write("m.csv", with_least + rows[0]))), [])
        self.assertEqual(story.beyond_least(self.read(row("yours", "f", 1, 1))), [])

    def test_the_least_that_the_task_needs_comes_last_where_the_file_says_it(self):
        with_least = HEADER.replace("unit\n", "unit,least\n")
        rows = [row("yours", "f", n, 5, "sectors", "sectors").replace("\n", f",{least}\n") for n, least in ((1, 4), (2, 4.5))]
        rows += [row("yours", function, 1, 7, "atomics", "atomics").replace("\n", ",\n") for function in ("f", "g")]
        told = story.stories(measurements.read(self.write("m.csv", with_least + "".join(rows))))
        self.assertEqual([(line.submission, line.values) for line in told["f f32"]],
                         [("yours", {"sectors": (5, 5), "atomics": (7, 7)}), (story.LEAST, {"sectors": (4, 4.5)})])
        self.assertEqual([line.submission for line in told["g f32"]], ["yours"])  # a matter of choice

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

    def test_the_yardsticks_of_a_run_stand_first_in_a_section_of_their_own(self):
        told = story.stories(self.read(row("yardstick", "copy", 1, 4200) + row("solution", "f", 1, 4000)))
        self.assertEqual([line.submission for line in told["ceilings measured in the same run"]], ["yardstick-copy"])


class TurningPoints(Measured):
    def points(self, text: str) -> tuple[str, str, list[str]]:
        told = story.turning_points(self.read(text))
        return told.function, told.metric, [submission for submission, _ in told.steps]

    def test_the_function_with_the_most_steps_is_told_and_only_steps_that_better_the_best(self):
        text = "".join(row(f"step-v{k}_a", "long", 1, value) for k, value in enumerate((10, 8, 10.4, 20, 20.9, 40)))
        text = row("step-v0_a", "short", 1, 1) + row("step-v1_a", "short", 1, 99) + text + row("solution", "long", 1, 999)
        self.assertEqual(self.points(text), ("long f32", "bandwidth", ["step-v0_a", "step-v3_a", "step-v5_a"]))

    def test_a_shorter_time_is_better(self):
        text = row("step-v0_a", "f", 1, 8, "time", "us") + row("step-v1_a", "f", 1, 9, "time", "us") + row("step-v2_a", "f", 1, 4, "time", "us")
        self.assertEqual(self.points(text), ("f f32", "time", ["step-v0_a", "step-v2_a"]))

    def test_of_counters_the_one_that_falls_most_is_told_unless_it_is_ever_zero(self):
        text = "".join(row(f"step-v{k}_a", "f", 1, value, metric, metric) for metric, values in
                       {"barriers": (8, 4, 2), "sectors": (32, 32, 4), "atomics": (900, 1, 0), "lanes": (1, 8, 32)}.items()
                       for k, value in enumerate(values))
        self.assertEqual(self.points(text), ("f f32", "sectors", ["step-v0_a", "step-v2_a"]))

    def test_a_counter_that_an_early_step_does_not_have_begins_later(self):
        text = row("step-v0_a", "f", 1, 5, "loads") + row("step-v1_a", "f", 1, 5, "loads")
        text = (text + row("step-v1_a", "f", 1, 32, "wavefronts") + row("step-v2_a", "f", 1, 1, "wavefronts")).replace("GB/s", "count")
        self.assertEqual(self.points(text), ("f f32", "wavefronts", ["step-v1_a", "step-v2_a"]))

    def test_each_step_has_its_range_over_the_sweep(self):
        told = story.turning_points(self.read(row("step-v0_a", "f", 1, 3) + row("step-v0_a", "f", 2, 5)))
        self.assertEqual(told.steps, [("step-v0_a", (3, 5))])

    def test_without_steps_there_is_nothing_to_tell(self):
        self.assertIsNone(story.turning_points(self.read(row("solution", "f", 1, 1))))


if __name__ == "__main__":
    unittest.main()
