"""The floors: counts over measured ceilings, and that the handouts' tables of them cannot drift from the measurements."""
import dataclasses
import pathlib
import re
import sys
import unittest

from fakes import ROOT, Scratch
from test_results_page import HEAD, dots, run_results

from command import lab_facts

sys.path.insert(0, str(ROOT / "plots"))
import comparison  # noqa: E402
import floors  # noqa: E402
import measurements  # noqa: E402
import results  # noqa: E402

MACHINE = "# device: a small GPU\n# multiprocessors: 10\n# SM clock: 1000 MHz measured\n"
DOT, SUMS, BINS, BODIES = "04-dot-product", "05-dynamic-parallelism", "06-cluster-histogram", "03-nbody-tiling"
LABS = {lab.name: lab for lab in comparison.labs()}


class Floors(Scratch):
    def read(self, **labs: str) -> dict[str, measurements.Measurements]:
        """read(dot=text, …)"""
        names = {"dot": DOT, "sums": SUMS, "bins": BINS, "bodies": BODIES}
        return {names[key]: measurements.read(self.write(f"{key}.csv", text)) for key, text in labs.items()}

    def floor(self, labs, lab: str, task: int = 0) -> floors.Floor | None:
        return floors.rules_of(LABS[lab])[task].floor(labs, lab, LABS[lab].tasks[task])

    def block(self, labs, lab: str) -> str:
        return "\n".join(floors.block(labs, LABS[lab], results.table))

    def test_bytes_are_divided_by_the_ceiling_that_stood_beside_the_last_step(self):
        floor = self.floor(self.read(dot=dots()), DOT)
        self.assertAlmostEqual(floor.seconds, 8 * 2**28 / 4000e9, 9)
        self.assertEqual(floor.text, "268,435,456 x 8 B (read) at 4,000 GB/s")

    def test_the_table_has_the_first_and_the_last_step_the_solution_and_the_best_peer(self):
        rows = [line.split(" | ")[1:] for line in self.block(self.read(dot=dots(600)), DOT).splitlines() if line.startswith("|")][2:]
        self.assertEqual([[row[0], row[1], row[2].rstrip(" |")] for row in rows[1:5]],
                         [["v0: slow", "9,000 µs", "0.06"], ["readable solution", "700 µs", "0.77"],
                          ["v1: quick (last step)", "600 µs", "0.89"], ["CUB (best peer)", "550 µs", "0.98"]])

    def test_a_new_last_step_takes_the_place_of_the_old_one(self):
        text = dots() + "".join(line.replace("step-v1_quick", "step-v10_quicker") + "\n"
                                for line in dots(500).splitlines() if line.startswith("step-v1_quick"))
        self.assertIn("v10: quicker (last step) | 500 µs | 1.07 |", self.block(self.read(dot=text), DOT))

    def test_pairs_are_divided_by_the_issue_slots_of_all_schedulers_at_the_measured_clock(self):
        text = MACHINE + "submission,function,n,metric,value,low,high,repetitions,unit\nsolution,accelerations,1000,interactions,5,5,5,9,G/s\n"
        labs = self.read(bodies=text)
        self.assertAlmostEqual(self.floor(labs, BODIES).seconds, 1000**2 * 17 / 2 / (10 * 4 * 32 * 1e9), 12)
        self.assertIn("1,000,000 directed pairs x 8.5 issue slots", self.block(labs, BODIES))
        self.assertIn("readable solution | 200 µs | 0.03 |", self.block(labs, BODIES))

    def sums(self, device: str = "a small GPU", extra: str = "") -> dict[str, measurements.Measurements]:
        head = MACHINE + "submission,function,size,max_dwell,metric,value,low,high,repetitions,unit\n"
        rows = [("solution", "reduce_interleaved", 2048, 0, "time", 10), ("solution", "reduce_nested_by_level", 2048, 0, "time", 40),
                ("step-level_v0_tail_launch", "one launch of a chain of eight", 256, 0, "time", 6)]
        text = head + "".join(",".join(map(str, (*row, row[-1], row[-1], 9, "us"))) + "\n" for row in rows) + extra
        reads = HEAD.replace("a small GPU", device) + "yardstick,read,f32,1024,0,bandwidth,4,4,4,9,GB/s,cold\n"  # 8,192 bytes
        return self.read(sums=text, dot=reads)

    def test_a_launch_by_device_code_comes_on_top_of_reading(self):
        labs = self.sums()
        self.assertAlmostEqual(self.floor(labs, SUMS, 0).seconds, 8192 / 4e9, 12)
        self.assertAlmostEqual(self.floor(labs, SUMS, 1).seconds, 8192 / 4e9 + 6e-6, 12)
        self.assertIn("a tail launch of 6 µs", self.floor(labs, SUMS, 1).text)

    def test_reading_is_not_taken_from_another_device(self):
        self.assertIsNone(self.floor(self.sums(device="another GPU"), SUMS, 0))

    def test_the_picture_has_a_floor_once_its_steps_were_counted(self):
        self.assertIsNone(self.floor(self.sums(), SUMS, 3))
        counted = "yardstick,mandelbrot_adaptive,64,50,steps,1280000,0,0,1,steps\nsolution,mandelbrot_adaptive,64,50,time,70,70,70,9,us\n"
        labs = self.sums(extra=counted)
        self.assertAlmostEqual(self.floor(labs, SUMS, 3).seconds, 1280000 * 7 / (10 * 4 * 32 * 1e9), 12)
        self.assertIn("1,280,000 steps x 7 issue slots", self.block(labs, SUMS))

    def test_adding_up_is_bins_times_multiprocessors(self):
        head = MACHINE + "submission,function,nbins,values,n,metric,value,low,high,repetitions,unit\n"
        text = head + "".join(f"{name},histogram,2048,uniform,3200,{metric},{value},0,0,9,{unit}\n" for name, metric, value, unit in (
            ("step-v0_global_atomics", "rate", 1, "Gelem/s"), ("step-v0_global_atomics", "ratio_to_read", 0.5, "ratio")))
        block = self.block(self.read(bins=text), BINS)
        self.assertIn("3,200 x 4 B (read) at 8 GB/s", block)
        self.assertIn("20.5 µs with 2,048", block)  # 10 x 2,048 / 10^9
        self.assertIn("3,200 values / 32 lanes x 3.5 turns / (10 x 1,000 MHz) = 0.0353 µs", block)

    def test_without_a_clock_there_is_no_floor_of_instructions(self):
        text = "submission,function,n,metric,value,low,high,repetitions,unit\nsolution,accelerations,1000,interactions,5,5,5,9,G/s\n"
        self.assertIn("| accelerations, 1,000 bodies | **floor**: not in these measurements | - | - |", self.block(self.read(bodies=text), BODIES))

    def test_the_fullest_bank_by_hand(self):
        most_on_one_bank = LABS[BINS].measures.most_on_one_bank
        self.assertAlmostEqual(most_on_one_bank(1, 32), 1)
        self.assertAlmostEqual(most_on_one_bank(2, 2), 1.5)  # both on one bank in every second case
        self.assertAlmostEqual(most_on_one_bank(3, 2), 2.25)  # all three in 2 of 8
        self.assertAlmostEqual(most_on_one_bank(), 3.533, 3)

    def test_small_parts_are_fractions_and_long_times_milliseconds(self):
        self.assertEqual([floors.share_text(share) for share in (1.004, 0.966, 0.0149, 0.001017)], ["1.00", "0.97", "0.01", "1/983"])
        self.assertEqual([floors.time_text(seconds) for seconds in (0.4723, 0.0444, 0.009, 504e-6, 24.9e-6)],
                         ["472 ms", "44.4 ms", "9,000 µs", "504 µs", "24.9 µs"])

    def test_every_task_of_the_page_has_a_rule(self):
        self.assertEqual([len(lab.tasks) for lab in comparison.labs()], [len(floors.rules_of(lab)) for lab in comparison.labs()])

    def test_a_rule_that_there_is_not_is_a_sentence(self):
        task = dataclasses.replace(LABS[DOT].tasks[0], floor={"rule": "bites"})
        with self.assertRaisesRegex(lab_facts.Broken, "the rule is 'bites', not one of bytes, slots"):
            floors.rules_of(dataclasses.replace(LABS[DOT], tasks=(task,)))

    def test_the_bench_of_lab_03_computes_the_same_bound(self):
        path = ROOT / "plots/data/03-nbody-tiling-h200.csv"
        if not path.exists():
            self.skipTest("no measurements of an H200 here")
        own = measurements.read(path)
        task = LABS[BODIES].tasks[0]
        floor = floors.rules_of(LABS[BODIES])[0].floor({BODIES: own}, BODIES, task)
        issued = floors.amount(own, task, ("n", "n")) / floor.seconds * 1e-9 * 17 / 2  # 10^9 instructions of a lane in a second
        bounds = {row["function"]: float(row["value"]) for row in own.rows if row["submission"] == "yardstick"}  # 10^9 directed pairs per second
        self.assertTrue(bounds)
        for method, bound in bounds.items():  # "17 instructions per two directed pairs"
            instructions = float(method.split()[0]) / (2 if " two " in method else 1)
            self.assertAlmostEqual(issued / instructions / bound, 1, 2, method)  # the clock is written down in whole MHz


class Handouts(Scratch):
    PAGE = f"# Lab\n\nBefore.\n\n{results.FLOOR}\n{results.END_OF_FLOOR}\n\nBehind.\n"

    def results(self, *arguments: str):
        return run_results(self.folder, *arguments)

    def handout(self, text: str = PAGE, measured: str = "") -> pathlib.Path:
        self.write("data/04-dot-product-small.csv", measured or dots())
        self.write("images/04-dot-product-small-length.svg", "<svg><!-- date: 2026-01-31 10:00 UTC --></svg>")
        return self.write("labs/04-dot-product/more.md", text)

    def with_handouts(self, *arguments: str):
        return self.results("--handouts", str(self.folder / "labs"), *arguments)

    def test_the_table_is_written_between_the_marks_and_nothing_else_is(self):
        page = self.handout()
        done = self.with_handouts()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = page.read_text()
        self.assertTrue(text.startswith(f"# Lab\n\nBefore.\n\n{results.FLOOR}\nOne run on a small GPU"))
        self.assertTrue(text.endswith(f" |\n{results.END_OF_FLOOR}\n\nBehind.\n"))
        self.assertEqual(self.with_handouts().stdout.splitlines(), [str(self.folder / "page.md")])  # the second time there is nothing to write
        self.assertEqual(page.read_text(), text)

    def test_the_check_fails_when_a_figure_of_the_table_is_edited(self):
        page = self.handout()
        self.with_handouts()
        self.assertEqual(self.with_handouts("--check").returncode, 0)
        page.write_text(page.read_text().replace("550 µs", "540 µs"))
        done = self.with_handouts("--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("more.md and the measurements disagree", done.stderr)
        self.assertIn("540 µs", done.stderr)
        self.assertIn("540 µs", page.read_text())  # a check writes nothing

    def test_the_check_fails_when_the_data_change(self):
        self.handout()
        self.with_handouts()
        self.write("data/04-dot-product-small.csv", dots(601))
        done = self.with_handouts("--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("more.md and the measurements disagree", done.stderr)
        self.assertIn("601 µs", done.stderr)

    def test_a_handout_without_a_place_for_the_table_is_a_sentence(self):
        for text in ("# Lab\n", self.PAGE.replace(results.END_OF_FLOOR, "")):
            self.handout(text)
            done = self.with_handouts()
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))
            self.assertIn("has no place for the table of floors", done.stderr)
            self.assertFalse((self.folder / "page.md").exists())  # all or nothing

    def test_handouts_are_left_alone_unless_they_are_asked_for(self):
        page = self.handout()
        self.assertEqual(self.results().returncode, 0)
        self.assertEqual(page.read_text(), self.PAGE)

    def test_every_lab_has_the_section_and_no_measured_figure_outside_the_table(self):
        for lab in comparison.labs():
            text = (ROOT / "labs" / lab.name / "more.md").read_text(encoding="utf-8")
            found = re.search(r"^## How fast can it be\?\n(.*?)(?=^## |\Z)", text, re.S | re.M)
            self.assertTrue(found, lab.name)
            self.assertIn(results.FLOOR, found[1], lab.name)
            before, _, rest = found[1].partition(results.FLOOR)
            _, _, after = rest.partition(results.END_OF_FLOOR)
            self.assertIn(f"`./warpbook bench {lab.name[:2]}`", after)
            self.assertEqual(re.findall(r"[\d.,]+ (?:GB/s|TB/s|µs|ms|us|MHz|GHz)\b", before + after), [], lab.name)


if __name__ == "__main__":
    unittest.main()
