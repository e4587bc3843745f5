"""Tests of how measure.py reads Nsight Compute's output."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import measure  # noqa: E402


def ncu_output(value):
    metrics = [part for metric in measure.METRICS.values() for part in measure.parts_of(metric)]
    columns = ["ID", "Kernel Name", *metrics]
    rows = [columns, ["", "", *["inst"] * len(metrics)], ["0", "load_f32", *[value] * len(metrics)]]
    text = "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows)
    return "==PROF== Connected\n" + text + "\n==PROF== Disconnected\n"


class ParseNcu(unittest.TestCase):
    def test_counts_are_read_by_our_names(self):
        [(name, counts)] = measure.parse_ncu(ncu_output("1,024"))
        self.assertEqual(name, "load_f32")
        self.assertEqual(counts, {counter: 1024 * len(measure.parts_of(metric))
                                  for counter, metric in measure.METRICS.items()})

    def test_a_count_that_changed_is_named_with_both_values(self):
        before = {"a": {"x": 1, "y": 2}, "gone": {"x": 1, "y": 1}}
        self.assertEqual(measure.differences(before, [("a", {"x": 1, "y": 3}), ("new", {"x": 5, "y": 5})]),
                         ["a: y was 2, is 3"])

    def test_the_committed_table_has_every_counter(self):
        table = measure.read_table(measure.HERE / "golden.csv")
        self.assertGreaterEqual(len(table), 40)
        for counts in table.values():
            self.assertEqual(list(counts), list(measure.METRICS))

    def test_a_fraction_is_refused(self):
        with self.assertRaises(ValueError):
            measure.parse_ncu(ncu_output("3.5"))

    def test_output_without_kernels_gives_none(self):
        self.assertEqual(measure.parse_ncu("==PROF== nothing\n"), [])


class Documentation(unittest.TestCase):
    def test_the_page_has_the_number_of_kernels(self):
        page = Path(__file__).resolve().parents[3] / "docs" / "simulator.md"
        self.assertIn(f"holds {len(measure.read_table(Path(__file__).with_name('golden.csv')))} kernels", page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
