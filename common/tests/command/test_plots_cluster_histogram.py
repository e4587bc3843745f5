"""The pictures of lab 06, drawn from small tables."""
import unittest

import drawing

HEADER = "# device: GPU\nsubmission,function,cluster_size,nbins,values,n,metric,value,low,high,repetitions,unit\n"


def row(submission: str, function: str, nbins: int, metric: str, value: float, unit: str, size: int = 0,
        values: str = "uniform") -> str:
    return f"{submission},{function},{size},{nbins},{values},64,{metric},{value},{value},{value},7,{unit}\n"


def gpu() -> str:
    """What the bench writes on a GPU, in small."""
    rows = [row("yardstick", "read", 0, "rate", 1085, "Gelem/s", values="")]
    for nbins in (256, 4096, 65536):
        rows += [row(name, "histogram", nbins, "rate", rate, "Gelem/s", values=values) for values in ("uniform", "skewed")
                 for name, rate in (("solution", 500), ("step-v0_global_atomics", 70))]
        rows += [row("solution", "histogram_cluster", nbins, "rate", 400 / size, "Gelem/s", size) for size in (1, 2)]
    return HEADER + "".join(rows)


class Drawing(drawing.Drawing):
    lab = "06-cluster-histogram"

    def test_rates_are_drawn_against_the_number_of_bins_by_step_and_by_memory(self):
        done = self.draw(gpu())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(),
                         ["p-memories.svg", "p-steps.svg"])
        self.need("steps", "values spread over all bins", "15 of 16 values in the first bin", "v0: global atomics", "64 Ki",
                  "reading alone: 1,085", "device: GPU")
        self.need("memories", "one block", "cluster of 2", "10^9 values per second")

    def test_of_more_submissions_than_colours_some_are_left_out_by_name(self):
        names = ("solution", *(f"step-v{k}_idea" for k in range(11)), "peer-cub", "peer-cub_in_range")
        rows = "".join(row(name, "histogram", nbins, "rate", 100 + at, "Gelem/s") for at, name in enumerate(names) for nbins in (256, 4096))
        self.assertEqual(self.draw(HEADER + rows).returncode, 0)
        self.need("steps", "v0: idea", "v10: idea", "peer cub", "Not drawn: v2, v3, v5, peer cub in range.")
        self.assertNotIn("v5: idea", self.text("steps"))

    def test_the_simulators_atomics_are_drawn_where_they_go(self):
        counted = "".join(row("solution", "histogram", nbins, f"{where}_atomics", 0.5, "per value")
                          for nbins in (256, 4096) for where in ("remote", "global"))
        self.assertEqual(self.draw(HEADER + counted).returncode, 0)
        self.need("atomics", "in another block's shared memory", "in global memory", "atomics per value")

    def test_the_least_is_a_line_with_its_name_where_the_table_has_it(self):
        counted = "".join(row("solution", "histogram", nbins, "remote_atomics", 0.5, "per value") for nbins in (256, 4096))
        self.draw(HEADER + counted)
        self.assertNotIn("the least", self.text("atomics"))
        self.draw(drawing.with_least(HEADER + counted, {"remote_atomics": 0}))
        self.need("atomics", "the least", "solution")

    def test_a_file_without_a_sweep_and_a_broken_one_are_a_sentence_and_status_2(self):
        for text in (HEADER + row("solution", "histogram", 256, "rate", 500, "Gelem/s"),
                     gpu().replace(",4096,", ",many,"), "submission,function,metric,value,unit\na,b,c,1,d\n"):
            done = self.draw(text)
            self.assertEqual(done.returncode, 2, text[:60])
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
