"""The pictures of lab 04, drawn from small tables."""
import unittest

import drawing

HEADER = "submission,function,precision,n,blocks,metric,value,low,high,repetitions,unit\n"


def row(submission: str, function: str, metric: str, value: float, unit: str, n: int = 1024, blocks: int = 0) -> str:
    precision = "f64" if function.endswith("f64") else "f32"
    return f"{submission},{function},{precision},{n},{blocks},{metric},{value},{value},{value},7,{unit}\n"


def gpu() -> str:
    """What the bench writes on a GPU, in small."""
    rows = [row("yardstick", "read", "bandwidth", 4400, "GB/s", 1 << 20)]
    for n in (1 << 10, 1 << 16, 1 << 20):
        for function in ("dot_f32", "dot_f64"):
            for name, speed in (("step-v3_grid_stride", 3600), ("step-v5_wide", 4300), ("solution", 3500), ("peer-cub", 4290)):
                rows += [row(name, function, "bandwidth", speed * n / (1 << 20), "GB/s", n),
                         row(name, function, "ratio_to_read", speed / 4400, "ratio", n),
                         row(name, function, "time", n * 8e-3 / speed, "us", n)]
    rows += [row("step-v3_grid_stride", "dot_in_blocks_f32", "bandwidth", 3 * blocks, "GB/s", 1 << 20, blocks)
             for blocks in (33, 132, 528, 1056)]
    return "# backend: cuda\n# device: a GPU\n" + HEADER + "".join(rows)


def counted() -> str:
    return HEADER + "".join(row(name, "dot_f32", metric, value, "of them", 65536) for name in ("step-v0_atomics", "solution")
                            for metric, value in (("atomics", 65536), ("shared_requests", 0), ("shuffles", 7), ("barriers", 3)))


class Drawing(drawing.Drawing):
    lab = "04-dot-product"

    def test_a_gpus_table_gives_four_pictures_with_every_line_named(self):
        done = self.draw(gpu())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(), ["p-blocks.svg", "p-length.svg", "p-small.svg", "p-steps.svg"])
        for name in ("v3: grid stride", "v5: wide", "solution", "peer cub", "a read of as many bytes"):
            self.assertIn(name, self.text("length"))

    def test_the_bars_stand_at_the_greatest_length_and_say_the_speed(self):
        self.draw(gpu())
        self.assertIn("2^20 elements", self.text("steps"))
        self.assertIn("0.98      4,300 GB/s", self.text("steps"))

    def test_early_steps_are_left_out_where_short_arrays_are_compared(self):
        self.draw(gpu())
        self.assertNotIn("v3: grid stride", self.text("small"))
        self.assertIn("v5: wide", self.text("small"))

    def test_counts_from_the_simulator_are_one_picture(self):
        done = self.draw(counted())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(), ["p-counts.svg"])
        self.assertIn("65,536", self.text("counts"))

    def test_the_least_is_a_mark_across_the_bars_that_the_axis_names(self):
        self.draw(counted())
        self.assertNotIn("black mark:", self.text("counts"))
        read = "".join(row(name, "dot_f32", "bytes_read", 524288, "bytes", 65536) for name in ("step-v0_atomics", "solution"))
        self.draw(drawing.with_least(counted() + read, {"bytes_read": 524288}))
        self.need("counts", "bytes read from global memory", "black mark: the least that is needed, 524,288")

    def test_a_table_without_anything_to_draw_is_a_sentence(self):
        done = self.draw(HEADER + row("solution", "dot_f32", "bandwidth", 1, "GB/s"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing to draw", done.stderr)

    def test_an_unknown_precision_is_told_with_its_line(self):
        done = self.draw(gpu().replace("dot_f64,f64", "dot_f64,f16", 1))
        self.assertEqual(done.returncode, 2)
        self.assertIn("the precision is 'f16'", done.stderr)


if __name__ == "__main__":
    unittest.main()
