"""The page of results: what it says, that page and measurements cannot drift apart, and `bench all`."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from fakes import ROOT, Scratch, captured
from small_workbook import SmallWorkbook, needs_machine

from command import bench_all, cli, lab_facts
from command.problem import Problem
from command.workbook import Workbook

sys.path.insert(0, str(ROOT / "plots"))
sys.path.insert(0, str(ROOT / "common" / "bench"))
import comparison  # noqa: E402
import measurements  # noqa: E402
import profile_steps  # noqa: E402
import profiles  # noqa: E402
import results  # noqa: E402
import targets  # noqa: E402

HEAD = ("# device: a small GPU\n# SM clock: 1500 MHz measured\n# driver: 580\n# toolkit: nvcc 13.0\n# date: 2026-01-31 10:00 UTC\n"
        "# clocks before: SM 1500 MHz, memory 3000 MHz, 30 degrees C\n# order: random, 2 rounds, seed 1\n"
        "submission,function,precision,n,blocks,metric,value,low,high,repetitions,unit,l2\n")


def dot(submission: str, n: int, time: float, function: str = "dot_f32", width: float = 0.01) -> str:
    """Three rows: a dot product of n elements that takes `time` us, where reading alone moves 4000 GB/s."""
    speed = 8 * n / time * 1e-3
    rows = [("bandwidth", speed, "GB/s"), ("ratio_to_read", speed / 4000, "ratio"), ("time", time, "us")]
    return "".join(f"{submission},{function},f32,{n},0,{metric},{value:.6g},{value * (1 - width):.6g},{value * (1 + width):.6g},12,{unit},cold\n"
                   for metric, value, unit in rows)


def dots(ours: float = 600.0, small: float = 4.0) -> str:
    """Two lengths: 2^28 elements take ours, CUB 550 and cuBLAS 580; 2^10 take small, 5 and 6."""
    largest, least = 1 << 28, 1 << 10
    return HEAD + "".join([dot("solution", largest, 700), dot("step-v0_slow", largest, 9000), dot("step-v1_quick", largest, ours),
                           dot("peer-cub", largest, 550), dot("peer-cublas", largest, 580), dot("step-v1_quick", least, small),
                           dot("peer-cub", least, 5), dot("peer-cublas", least, 6)])


def words_for_results(folder: pathlib.Path) -> list[str]:
    """The command line of plots/results.py for the data and images of `folder`, with its page there."""
    return ["--data", str(folder / "data"), "--machine", "small", "--images", str(folder / "images"), "--out", str(folder / "page.md")]


def run_results(folder: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess:
    """plots/results.py in this process, because it is asked often."""
    words = [*words_for_results(folder), *arguments]
    with captured() as (out, err):
        status = results.main(words)
    return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())


class Page(Scratch):
    def results(self, *arguments: str) -> subprocess.CompletedProcess:
        return run_results(self.folder, *arguments)

    def page(self, csv: str = "") -> str:
        self.write("data/04-dot-product-small.csv", csv or dots())
        done = self.results()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return (self.folder / "page.md").read_text()

    def picture(self, date: str = "2026-01-31 10:00 UTC") -> None:
        self.write("images/04-dot-product-small-length.svg", f"<svg><!-- device: a small GPU · date:\n{date} · command: x --></svg>")

    def test_the_last_step_and_the_solution_stand_beside_the_best_peer_and_the_ceiling(self):
        page = self.page(dots(500))
        self.assertIn("| [04-dot-product](#04-dot-product) | dot_f32, 268,435,456 elements | 4,295 GB/s | 1.100 (CUB) | "
                      "1.074 (a kernel that only reads) | 0.786 | 0.767 |", page)
        self.assertIn("| **v1: quick** | 4,295 [4,252, 4,338] | 1.074 | 1.100 | fastest, last step |", page)

    def test_what_lost_is_shown_slowest_last(self):
        page = self.page()
        lines = [line for line in page.splitlines() if line.startswith(("| CUB |", "| cuBLAS |", "| **v1", "| v0: slow", "| **readable"))]
        self.assertEqual([line.split(" | ")[0].strip("| *") for line in lines[:5]], ["CUB", "cuBLAS", "v1: quick", "readable solution", "v0: slow"])

    def test_it_says_how_it_was_measured(self):
        page = self.page()
        self.assertIn("| device | a small GPU |", page)
        self.assertIn("| 04 | 2026-01-31 10:00 UTC | 1500 MHz measured | SM 1500 MHz, memory 3000 MHz, 30 degrees C | not recorded | "
                      "random, 2 rounds, seed 1 | cold | 12 |", page)

    def test_labs_without_measurements_are_named_and_their_targets_are_not_measured(self):
        page = self.page()
        self.assertIn("Not measured yet: 01-coalescing, 02-shared-memory, 03-nbody-tiling, 05-dynamic-parallelism", page)
        self.assertRegex(page, r"\| 03 \| .* \| - \| not measured \|")

    def test_a_missed_target_comes_with_its_reason_and_a_met_one_without(self):
        self.write("data/unmet-targets.txt", "# why\n04-peers-f32: the grid is too small.\n04-read-f32: never seen.\n")
        page = self.page(dots(550))
        self.assertIn("| at least 0.99 | 0.976 [0.966, 0.986] | **not met** (1) |", page)
        self.assertIn("1. never seen.", page)
        self.assertNotIn("grid is too small", page)
        self.assertIn("at least 1.00 | 0.917 [0.899, 0.935] | **not met** (1) |", self.page(dots(600)))
        self.assertIn("1. the grid is too small.", self.page(dots(600)))

    def test_a_second_machine_stands_beside_the_first_with_intervals(self):
        self.write("data/unmet-targets.txt", "04-read-f32: its memory is slower.\n")
        self.write("data/04-dot-product-large.csv", dots(600).replace("a small GPU", "a large GPU").replace("2026-01-31", "2026-02-01"))
        self.write("data/04-dot-product-sim.csv", dots())  # no machine
        self.write("data/04-dot-product-ratios-small.csv", dots())
        page = self.page(dots(540))
        self.assertIn("| lab | target | what | asked | on a small GPU |  | on a large GPU |  |", page)
        self.assertIn("- a small GPU: 0 of 11 targets met. Not measured: increment (lab 01), strides (lab 01), ", page)
        self.assertRegex(page.replace("\n  ", " "), r"- a large GPU: 0 of 11 targets met. Not met: dot products \(lab 04\)\. Not measured: ")
        self.assertIn("| at least 0.99 | 0.994 [0.984, 1.004] | met | 0.895 [0.886, 0.904] | **not met** (3) |", page)
        self.assertIn("3. its memory is slower.", page)
        self.assertRegex(page, r"The run on a large GPU:\n\n.*\n.*\n\| 04 \| 2026-02-01 10:00 UTC \|")
        self.assertIn("[a large GPU](data/04-dot-product-large.csv) (lab 04)", page)
        self.assertIn("| all | a small GPU |", page)
        self.assertIn("| all | a large GPU |", page)

    def test_a_target_is_met_if_all_its_parts_are_and_its_limit_stands_beside_what_missed_it(self):
        def found(value: float):
            return lambda data: targets.Found(value, value, value) if value else None

        def target(key: str, part_of: str, value: float, limit: float = 0):
            return targets.Target(f"04-{key}", comparison.labs()[3], part_of, key, 1.0, found(value), limit=found(limit), limit_text="doing nothing")

        self.write("data/04-dot-product-small.csv", dots())
        self.write("data/unmet-targets.txt", "")
        data = results.Data(self.folder / "data", "small", self.folder, self.folder / "results.md")
        made = (target("a", "p", 1.1), target("b", "p", 0.9, 0.95), target("c", "q", 1.1), target("d", "q", 0), target("e", "r", 1.2, 1.3),
                target("f", "s", 0.5), target("g", "t", 0.4))
        with mock.patch.object(results, "targets", lambda: made):
            lines = results.targets_table(data)
        self.assertIn("- a small GPU: 1 of 5 targets met. Not met: p (lab 04), s (lab 04) and t (lab 04). Not measured: q (lab 04).", lines)
        reasons = [line for line in lines if re.match(r"\d\.", line)]
        self.assertEqual(len(reasons), 3)
        self.assertTrue(reasons[0].endswith(" The limit, doing nothing in the same run: 0.950 [0.950, 0.950]."), reasons)
        self.assertTrue(reasons[1].endswith(" The limit, doing nothing in the same run: not measured."), reasons)

    def test_a_machine_on_which_a_lab_is_missing_does_not_stand_beside(self):
        self.write("data/03-nbody-tiling-small.csv", dots())
        self.write("data/04-dot-product-large.csv", dots())
        self.assertNotIn(" on a ", self.page().partition("## Targets")[2].partition("Set before")[2].partition("## How")[0])

    def test_a_missed_target_without_a_reason_is_not_passed_over(self):
        self.write("data/unmet-targets.txt", "")
        self.assertIn("Why is not written down yet (`04-peers-f32`", self.page(dots(600)))

    def test_a_reason_for_no_target_is_an_error_with_its_line(self):
        self.write("data/unmet-targets.txt", "\n04-pears: ripe\n")
        self.write("data/04-dot-product-small.csv", dots())
        done = self.results()
        self.assertEqual(done.returncode, 2)
        self.assertIn("unmet-targets.txt, line 2: '04-pears' is no target", done.stderr)

    def test_without_any_measurements_the_script_says_what_makes_them(self):
        done = subprocess.run([sys.executable, "-B", str(ROOT / "plots/results.py"), *words_for_results(self.folder)],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))
        self.assertIn("`./warpbook bench all` on a machine with a GPU makes them", done.stderr)

    def test_broken_measurements_are_a_sentence(self):
        for text in ("", "no,header\n", dots().replace("low", "lo"), HEAD + "solution,dot_f32\n"):
            self.write("data/04-dot-product-small.csv", text)
            done = self.results()
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), text[:40])

    def test_the_check_passes_on_what_was_just_written(self):
        self.page()
        self.picture()
        done = self.results("--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_check_fails_when_a_number_of_the_data_changes(self):
        self.page()
        self.picture()
        self.write("data/04-dot-product-small.csv", dots(601))
        done = self.results("--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("disagree", done.stderr)
        self.assertIn("3,573 GB/s | 0.915 (CUB)", done.stderr)

    def test_the_check_fails_when_the_page_is_edited_or_gone(self):
        page = self.folder / "page.md"
        text = self.page()
        self.picture()
        page.write_text(text.replace("0.917", "0.999"))
        self.assertEqual(self.results("--check").returncode, 1)
        page.unlink()
        self.assertIn("is missing", self.results("--check").stderr)

    def test_the_check_fails_on_a_picture_of_other_data_and_on_a_missing_one(self):
        self.page()
        self.assertIn("is missing", self.results("--check").stderr)
        self.picture("2025-12-24 10:00 UTC")
        done = self.results("--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("was not drawn from the measurements of 2026-01-31 10:00 UTC", done.stderr)
        self.assertEqual(self.results("--stale").stdout, "04-dot-product\n")

    def test_the_check_writes_nothing(self):
        self.write("data/04-dot-product-small.csv", dots())
        self.results("--check")
        self.assertFalse((self.folder / "page.md").exists())

    def test_without_a_profile_the_page_says_how_to_get_one(self):
        self.assertIn("`python3 common/bench/profile_steps.py` on a machine with a GPU", " ".join(self.page().split()))

    def test_a_profile_is_three_lines_about_the_slowest_kernel_of_the_last_step(self):
        rows = [("dot_kernel", metric, value) for metric, value in zip(profiles.METRICS.values(), (478000, 31, 92, 91, 12, 98, 100, 32, 4000, 100))]
        rows += [("small_kernel", profiles.METRICS["duration"], 900)]
        self.write("data/ncu-small.csv", "# profiler: ncu\n" + ",".join(profiles.COLUMNS) + "\n" + "".join(
            f"04-dot-product,step-v1_quick,{kernel},{metric},{value}\n" for kernel, metric, value in rows))
        page = self.page()
        self.assertIn("on the last step, v1: quick (kernel `dot_kernel`, 478 µs under the profiler)", page)
        self.assertIn("- Throughput, of the peak: multiprocessors 31%, memory 92%, DRAM 91%; issue slots 12%.", page)
        self.assertIn("- Occupancy: 98% of the warps that fit, of 100% possible, 32 registers per thread.", page)
        self.assertIn("- Conflicts: 100 of 4,000 wavefronts of shared memory (2.5%) are due to bank conflicts.", page)

    def test_a_profile_of_another_step_is_not_shown(self):
        self.write("data/ncu-small.csv", ",".join(profiles.COLUMNS) + "\n04-dot-product,step-v0_slow,k,gpu__time_duration.sum,1\n")
        self.assertIn("has not looked at the last step yet", self.page())

    def test_a_broken_profile_is_a_sentence(self):
        self.write("data/04-dot-product-small.csv", dots())
        for text in ("", "lab,step\n", ",".join(profiles.COLUMNS) + "\na,b,c,d,much\n"):
            self.write("data/ncu-small.csv", text)
            done = self.results()
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), text)


class Targets(Scratch):
    def measured(self, key: str, text: str) -> float:
        target = next(target for target in targets.targets() if target.key == key)
        found = target.measure(measurements.read(self.write("t.csv", text)))
        return found and found.value

    def test_the_worst_length_counts_and_the_better_peer(self):
        self.assertAlmostEqual(self.measured("04-peers-f32", dots(550, 4)), 1.0, 3)
        self.assertAlmostEqual(self.measured("04-peers-f32", dots(550, 10)), 0.5, 3)

    def test_the_interval_reaches_further_than_the_ratio(self):
        self.assertAlmostEqual(self.measured("04-interval-f32", dots(550, 4)), 1.01 / 0.99, 3)

    def test_a_target_whose_rows_are_not_there_is_not_measured(self):
        for key in ("04-peers-f64", "04-read-f64"):
            self.assertIsNone(self.measured(key, dots()))

    def test_many_bins_are_compared_with_the_best_of_the_three_at_each_number(self):
        head = "submission,function,cluster_size,nbins,values,n,metric,value,low,high,repetitions,unit\n"
        rows = [("step-v6_last", 65536, 600), ("step-v6_last", 524288, 150), ("step-v6_last", 256, 1), ("peer-cub", 65536, 30),
                ("peer-cub", 524288, 20), ("step-v2_cluster", 65536, 100), ("step-v0_global_atomics", 524288, 50),
                ("step-v3_between", 524288, 1000)]
        text = head + "".join(f"{name},histogram,0,{bins},uniform,9,rate,{value},{value},{value},9,Gelem/s\n" for name, bins, value in rows)
        self.assertAlmostEqual(self.measured("06-many-bins", text), 3.0)

    def limit(self, key: str, text: str) -> float | None:
        target = next(target for target in targets.targets() if target.key == key)
        found = target.limit(measurements.read(self.write("t.csv", text)))
        return found and found.value

    def test_the_limit_of_a_transpose_is_what_moving_its_tiles_reaches(self):
        head = "submission,function,precision,stride,radius,rows,cols,metric,value,low,high,repetitions,unit\n"
        rows = [("yardstick", "copy", 4000), ("yardstick", "tiles", 3900), ("peer-cublas_sgeam", "transpose", 3000)]
        text = head + "".join(f"{name},{function},f32,1,0,64,64,effective_bandwidth,{speed},{speed},{speed},9,GB/s\n" for name, function, speed in rows)
        self.assertAlmostEqual(self.limit("02-copy", text), 0.975)
        self.assertAlmostEqual(self.limit("02-cublas", text), 1.3)
        self.assertIsNone(self.limit("02-copy", text.replace("tiles", "tales")))

    def test_the_limit_of_many_bins_is_what_reading_alone_reaches(self):
        head = "submission,function,cluster_size,nbins,values,n,metric,value,low,high,repetitions,unit\n"
        rows = [("peer-cub", 65536, "uniform", 0.1), ("peer-public", 65536, "uniform", 0.2), ("peer-cub", 524288, "uniform", 0.1),
                ("peer-public", 256, "uniform", 0.9), ("step-v9_x", 65536, "uniform", 0.95), ("peer-cub", 65536, "skewed", 0.25)]
        text = head + "".join(f"{name},histogram,0,{bins},{values},9,ratio_to_read,{value},{value},{value},9,ratio\n" for name, bins, values, value in rows)
        self.assertAlmostEqual(self.limit("06-many-bins", text), 5)
        self.assertAlmostEqual(self.limit("06-many-bins-skewed", text), 4)

    def test_strides_are_compared_with_a_copy_of_the_same_sectors(self):
        head = "submission,function,precision,offset,stride,n,metric,value,low,high,repetitions,unit\n"

        def rows(function: str, *points: tuple[int, float, float]) -> str:
            return "".join(f"step-stride_v1_x,{function},f32,0,{stride},9,{metric},{value},{value},{value},9,{unit}\n" for stride, ratio, speed in points
                           for metric, value, unit in (("ratio_to_copy", ratio, "ratio"), ("effective_bandwidth", speed, "GB/s")))

        sectors = "yardstick,sectors,f32,0,16,9,effective_bandwidth,3200,3200,3200,9,GB/s\n"  # 64 bytes apart: 400 GB/s are floats, 800 doubles
        near = rows("stride_add_f32", (1, 1.0, 4000), (4, 0.24, 960))  # every sector is touched: 0.96 of a copy
        self.assertAlmostEqual(self.measured("01-strides", head + sectors + near), 0.96)
        far = near + rows("stride_add_f32", (16, 0.09, 360))
        self.assertAlmostEqual(self.measured("01-strides", head + sectors + far), 0.9)
        self.assertAlmostEqual(self.measured("01-strides", head + sectors + far + rows("stride_add_f64", (8, 0.16, 640))), 0.8)
        self.assertIsNone(self.measured("01-strides", head + far))

    def test_at_most_is_met_below_and_at_least_above_as_printed(self):
        level = next(target for target in targets.targets() if target.at_most)
        self.assertTrue(level.is_met(1.2004))
        self.assertFalse(level.is_met(1.21))
        other = next(target for target in targets.targets() if target.key == "04-peers-f32")
        self.assertTrue(other.is_met(0.9996))
        self.assertFalse(other.is_met(0.999))

    def made(self, **said):
        return targets.make_target(comparison.labs()[3], {"key": "k", "part_of": "p", "text": "t", **said})

    def test_only_points_between_start_and_end_count_and_of_them_the_worst_or_the_best(self):
        measure = {"metric": "ratio_to_read", "along": "n", "where": {"function": "dot_f32"}}
        data = measurements.read(self.write("t.csv", dots(600, 4)))
        at_least, at_large = 8 * 2**10 / 4e-3 / 4000e6, 8 * 2**28 / 600e-3 / 4000e6
        for more, expected in (({}, at_least), ({"best": True}, at_large), ({"start": 2048}, at_large), ({"end": 2048, "best": True}, at_least)):
            self.assertAlmostEqual(self.made(at_least=1, measure={**measure, **more}).measure(data).value, expected, 4, more)
        self.assertIsNone(self.made(at_least=1, measure={**measure, "start": 2**29}).measure(data))

    def test_what_may_be_at_most_so_much_is_a_cost(self):
        measure = {"metric": "time", "along": "n", "where": {"function": "dot_f32", "n": "largest"}, "against": ["peer-cub"]}
        data = measurements.read(self.write("t.csv", dots(600)))
        self.assertAlmostEqual(self.made(at_least=1, measure=measure).measure(data).value, 550 / 600, 4)
        self.assertAlmostEqual(self.made(at_most=1, measure=measure).measure(data).value, 600 / 550, 4)

    def test_of_costs_that_are_compared_with_nobody_the_largest_is_the_worst(self):
        measure = {"metric": "time", "along": "n", "where": {"function": "dot_f32"}}
        data = measurements.read(self.write("t.csv", dots(600, 4)))
        self.assertAlmostEqual(self.made(at_most=1, measure=measure).measure(data).value, 600)
        self.assertAlmostEqual(self.made(at_most=1, measure={**measure, "best": True}).measure(data).value, 4)

    def test_a_target_that_cannot_be_measured_is_a_sentence(self):
        with self.assertRaisesRegex(lab_facts.Broken, "04-dot-product/lab.json, .*: there is no 'ripeness' in measures.py beside it"):
            self.made(at_least=1, measure="ripeness").measure(measurements.read(self.write("t.csv", dots())))
        measure = {"metric": "time", "along": "n", "where": {}}
        for said, sentence in (({"measure": measure}, "has to have either"), ({"measure": measure, "at_least": 1, "at_most": 1}, "has to have either"),
                               ({"measure": {**measure, "worst": 1}, "at_least": 1}, "has the key 'worst'"),
                               ({"measure": {**measure, "where": {"n": 4}}, "at_least": 1}, "'where' is not an object of texts"),
                               ({"measure": 4, "at_least": 1}, "'measure' is not an object or a text"),
                               ({"measure": measure, "at_least": 1, "limit": "ripeness"}, "has to have both 'limit' and 'limit_text'")):
            with self.assertRaisesRegex(lab_facts.Broken, f"04-dot-product/lab.json, .*{sentence}"):
                self.made(**said)

    def test_every_target_belongs_to_a_lab_and_has_a_name_of_its_own(self):
        self.assertEqual(len({target.key for target in targets.targets()}), len(targets.targets()))
        self.assertLessEqual({target.lab for target in targets.targets()}, set(comparison.labs()))

    def test_the_last_step_is_the_one_with_the_highest_number_not_the_last_letter(self):
        names = ["step-v9_a", "step-v10_b", "step-v2_z"]
        self.assertEqual(max(names, key=comparison.version), "step-v10_b")
        self.assertEqual(comparison.version("step-gather_v3b_x"), (3, "b"))
        self.assertEqual(comparison.version("solution"), (-1, ""))


class Profiling(unittest.TestCase):
    def test_kernels_are_found_behind_attributes_and_not_in_comments(self):
        source = ("// __global__ void not_me(int)\n/* __global__ void nor_me() */\ntemplate <int N>\n__global__ void __launch_bounds__(256, 2)\n"
                  "first(float* a);\n__global__ __cluster_dims__(2, 1, 1) void second (int n) {}\n__global__ void first(float*) {}\n"
                  "__global__ void __launch_bounds__(block_of(3)) third(int) {}\n")
        self.assertEqual(profile_steps.kernels_of(source), ["first", "second", "third"])

    def test_of_each_kernel_the_launch_that_is_asked_for_is_kept(self):
        duration, other = profiles.METRICS["duration"], profiles.METRICS["occupancy"]
        text = ("==PROF== Connected\n" f'"ID","Kernel Name","{duration}","{other}"\n"","","nsecond","%"\n'
                '"0","k","1,000","50"\n"1","k","3,000","70"\n"2","other","2,000","n/a"\n')
        self.assertEqual(profile_steps.parse_ncu(text, max), {"k": {duration: 3000, other: 70}, "other": {duration: 2000}})
        self.assertEqual(profile_steps.parse_ncu(text, min)["k"][other], 50)
        self.assertEqual(profile_steps.parse_ncu("==ERROR== no permission\n", max), {})

    def test_a_lab_is_profiled_by_its_bench_whose_runners_are_unconfined(self):
        if not (ROOT / "solutions").is_dir():
            self.skipTest("solutions/ is not here")
        duration = profiles.METRICS["duration"]
        with tempfile.TemporaryDirectory() as name:
            build = pathlib.Path(name)
            step = profile_steps.last_step(ROOT / "solutions" / "01-coalescing" / "steps", profile_steps.choices()["01-coalescing"].steps)
            kernel = profile_steps.kernels_of(step.read_text())[0]
            for file in (f"modules/01/cuda/step-{step.stem}.so", "bin/bench-01", "bin/warpbook-runner-cuda", "ncu"):
                (build / file).parent.mkdir(parents=True, exist_ok=True)
                (build / file).touch(mode=0o755)
            # Without its log ncu would write between the bench's lines; where runners are confined, it follows none.
            (build / "ncu").write_text('#!/bin/sh\nwhile [ "$1" != --log-file ]; do shift; done\n[ "$WARPBOOK_UNCONFINED" = 1 ] || exit 1\n'
                                       '[ "$(basename "$3")" = bench-01 ] || exit 1\n'
                                       f"""printf '"ID","Kernel Name","{duration}"\\n"0","{kernel}","1,500"\\n' > "$2"\n""")
            self.assertEqual(profile_steps.profile("01-coalescing", build, str(build / "ncu")), (f"step-{step.stem}", {kernel: {duration: 1500}}))
            (build / "ncu").write_text("#!/bin/sh\necho 'no permission' >&2\nexit 1\n")
            with self.assertRaisesRegex(profile_steps.Broken, "ncu reported no kernel of .*\n  no permission"):
                profile_steps.profile("01-coalescing", build, str(build / "ncu"))

    def test_every_lab_of_the_page_has_a_last_step_with_kernels(self):
        if not (ROOT / "solutions").is_dir():
            self.skipTest("solutions/ is not here")
        self.assertEqual(set(profile_steps.choices()), {lab.name for lab in comparison.labs()})
        for lab, choice in profile_steps.choices().items():
            source = profile_steps.last_step(ROOT / "solutions" / lab / "steps", choice.steps)
            names = profile_steps.kernels_of(source.read_text())
            self.assertTrue(any(choice.kernel in name for name in names), (lab, names))
            self.assertIn(choice.choose, (max, min))


class Command(Scratch):
    def run_command(self, *arguments: str):
        self.write_lab("01-coalescing")
        with captured() as (out, err), mock.patch("command.cli.restart_with_rich"):
            status = cli.main(list(arguments), str(self.folder))
        return status, out.getvalue() + err.getvalue()

    def test_options_that_mean_something_else_in_every_lab_are_refused(self):
        for option in ("--size", "--function", "--input", "--out"):
            status, said = self.run_command("bench", "all", option, "5")
            self.assertEqual(status, 2)
            self.assertIn(f"`bench all` takes no {option}", said)

    def test_publishing_needs_all_labs_and_a_name(self):
        self.assertIn("--publish goes with `bench all`", self.run_command("bench", "1", "--publish", "h200")[1])
        self.assertIn("takes a short name", self.run_command("bench", "all", "--publish", "../../etc")[1])

    def test_publishing_without_a_gpu_is_refused_before_anything_is_built(self):
        with mock.patch("command.machine_setup.ensure", return_value={"compiler": "", "python": sys.executable}), \
                mock.patch("command.bench.choose") as choose, mock.patch("command.bench.Build.build", side_effect=AssertionError):
            choose.return_value = mock.Mock(preset="sim", reason="No GPU.", backends=lambda: ["sim"])
            status, said = self.run_command("bench", "all", "--publish", "h200")
        self.assertEqual(status, 2)
        self.assertIn("--publish is for times of a GPU, and there is none here: No GPU.", said)

    def test_published_are_the_tables_and_what_lies_beside_them_and_nothing_else(self):
        lab = self.write_lab("03-nbody-tiling")
        for name in ("03-nbody-tiling-cuda.csv", "03-nbody-tiling-cuda.json", "collision-03-nbody-tiling-cuda.csv", "03-nbody-tiling-sim.csv",
                     "03-nbody-tiling-cuda-input.csv", "03-nbody-tiling-cuda-picture.pgm", "04-dot-product-cuda.csv"):
            self.write(f"build/bench/{name}", name)
        workbook = Workbook(self.folder)
        bench_all.publish(workbook, [each for each in workbook.labs() if each.folder == lab], "h200")
        self.assertEqual(sorted(path.name for path in (self.folder / "plots/data").iterdir()),
                         ["03-nbody-tiling-h200-picture.pgm", "03-nbody-tiling-h200.csv", "03-nbody-tiling-h200.json",
                          "collision-03-nbody-tiling-h200.csv"])

    def test_a_lab_that_fails_does_not_keep_the_others_from_being_measured(self):
        for name in ("01-coalescing", "02-shared-memory"):
            self.write_lab(name)
        workbook = Workbook(self.folder)
        labs = workbook.labs()
        (self.folder / "plots").symlink_to(ROOT / "plots")
        csv = self.write("build/bench/02-shared-memory-cuda.csv", dots())
        with mock.patch("command.bench.measure", side_effect=[Problem("It broke."), None]) as measure, captured() as (out, err):
            problems = bench_all.measure_all(mock.Mock(workbook=workbook), labs, "cuda", [])
        self.assertEqual([problem.sentence for problem in problems], ["It broke."])
        self.assertEqual(measure.call_count, 2)
        self.assertIn("[1/2] 01-coalescing  failed in", err.getvalue())
        self.assertIn("[2/2] 02-shared-memory  24 rows in", err.getvalue())
        self.assertIn(str(csv.relative_to(self.folder)), out.getvalue())

    def test_what_the_script_complains_of_is_a_problem(self):
        self.write("plots/results.py", "import sys\nprint('no data')\nsys.exit(2)\n")
        with self.assertRaises(Problem) as caught:
            bench_all.results_script(Workbook(self.folder), sys.executable, [])
        self.assertEqual((caught.exception.sentence, caught.exception.status), ("no data", 2))


@needs_machine
class BenchAll(SmallWorkbook):
    def test_all_labs_are_measured_and_drawn_and_the_simulator_writes_no_page(self):
        self.add_bench()
        status, out, err = self.warpbook("bench", "all")
        self.assertEqual(status, 0, out + err)
        self.assertIn("[1/1] 01-coalescing", err)
        self.assertIn("4 rows in", err)
        self.assertIn("Measurements: build/bench/01-coalescing-sim.csv", out)
        self.assertIn("Picture: build/plots/01-coalescing-sim-offset.svg", out)
        self.assertIn("writes no page of results", out)
        self.assertFalse((self.root / "docs").exists())

    def test_a_bench_that_fails_is_said_with_its_last_lines(self):
        self.add_bench("#!/bin/sh\necho the device fell off the bus\nexit 1\n")
        status, _, err = self.warpbook("bench", "all")
        self.assertEqual(status, 1)
        self.assertIn("The bench of 01-coalescing ended with status 1", err)
        self.assertIn("the device fell off the bus", err)
        self.assertIn("1 of 1 labs could not be measured, so nothing is drawn or published.", err)

    def test_without_a_bench_there_is_nothing_to_measure(self):
        status, _, err = self.warpbook("bench", "all")
        self.assertEqual(status, 2)
        self.assertIn("no lab with a bench", err)


if __name__ == "__main__":
    unittest.main()
