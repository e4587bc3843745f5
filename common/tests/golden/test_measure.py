"""Tests of how measure.py reads Nsight Compute's output."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import measure  # noqa: E402


def ncu_output(value):
    columns = ["ID", "Kernel Name", *measure.METRICS.values()]
    rows = [columns, ["", "", *["inst"] * len(measure.METRICS)], ["0", "load_f32", *[value] * len(measure.METRICS)]]
    text = "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows)
    return "==PROF== Connected\n" + text + "\n==PROF== Disconnected\n"


class ParseNcu(unittest.TestCase):
    def test_counts_are_read_by_our_names(self):
        [(name, counts)] = measure.parse_ncu(ncu_output("1,024"))
        self.assertEqual(name, "load_f32")
        self.assertEqual(counts, {counter: 1024 for counter in measure.METRICS})

    def test_a_fraction_is_refused(self):
        with self.assertRaises(ValueError):
            measure.parse_ncu(ncu_output("3.5"))

    def test_output_without_kernels_gives_none(self):
        self.assertEqual(measure.parse_ncu("==PROF== nothing\n"), [])


if __name__ == "__main__":
    unittest.main()
