"""Lab 05's figures: the picture with its squares, times on a GPU, counters of the simulator."""
from __future__ import annotations

import unittest

import drawing

HEADER = "submission,function,size,max_dwell,metric,value,unit\n"


def simulated() -> str:
    rows = [f"{name},{function},16384,0,{metric},{value},{unit}\n"
            for name in ("solution", "step-flat_v0_in_global_memory")
            for function in ("reduce_neighbored", "reduce_interleaved")
            for metric, value, unit in (("child_grids", 0, "grids"), ("active_lanes", 7.4, "lanes"), ("sectors_per_part", 287, "sectors"))]
    rows.append("step-nested_v0_own_stream,reduce_nested,16384,0,child_grids,448,grids\n")
    return "# backend: sim\n# device: a simulated GPU\n" + HEADER + "".join(rows)


def measured() -> str:
    rows = [f"{name},{function},{size},0,time,{size / 100},us\n" for size in (256, 1024, 4096)
            for name, function in (("step-flat_v2_sixteen_bytes_per_lane", "reduce_interleaved"),
                                   ("step-level_v0_tail_launch", "reduce_nested_by_level"), ("peer-graph", "reduce_nested_by_level"))]
    rows += [f"step-nested_v{step}_{name},reduce_nested,{size},0,time,{size / 10},us\n" for size in (256, 1024, 4096)
             for step, name in enumerate(("own_stream", "fire_and_forget"))]
    rows += ["step-level_v0_tail_launch,one launch of a chain of eight,256,0,time,10.2,us\n",
             "peer-graph,one launch of a chain of eight,256,0,time,0.96,us\n"]
    rows += [f"step-mandelbrot_{name},mandelbrot_adaptive,4096,{dwell},time,{dwell * 2},us\n"
             for name in ("v0_flat", "v1_quarters") for dwell in (64, 256)]
    return "# backend: cuda\n# device: a GPU\n" + HEADER + "".join(rows)


def graymap(side: int = 128) -> bytes:
    """A square picture of two dwells: only the squares of 64 to the right are mixed, in one corner pixel each."""
    pixels = bytearray(b"\1" * side * side)
    for y in range(0, side, 64):
        pixels[y * side + 127] = 2
    return b"P5\n%d %d\n255\n" % (side, side) + bytes(pixels)


class Drawing(drawing.Drawing):
    lab = "05-dynamic-parallelism"

    def draw(self, text: str, picture: bytes | None = None):
        return super().draw(text, {} if picture is None else {"m-picture.pgm": picture})

    def test_counters_of_the_simulator_are_drawn_with_every_bar_named(self):
        done = self.draw(simulated())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(), ["p-grids.svg", "p-lanes.svg"])
        self.need("lanes", "neighbored, v0: in global memory", "7.4", "287", "device: a simulated GPU")
        self.need("grids", "nested, v0: own stream", "448")

    def test_the_least_is_a_mark_across_the_bars_that_the_axis_names(self):
        self.draw(drawing.with_least(simulated(), {"sectors_per_part": 32}))
        self.need("lanes", "black mark: the least that is needed, 32")
        self.assertNotIn("black mark", self.text("grids"))

    def test_times_are_drawn_against_n_and_dwell_and_one_launch_in_every_way(self):
        done = self.draw(measured())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(), ["p-dwell.svg", "p-flat.svg", "p-launch.svg", "p-nested.svg", "p-sums.svg"])
        self.need("launch", "device, tail launch", "10.20 µs", "host, CUDA graph", "0.96 µs")
        self.need("sums", "level, v0: tail launch", "CUDA graph", "interleaved, v2: sixteen bytes per lane", "n (ints)")
        self.need("nested", "nested, v0: own stream", "interleaved, v2: sixteen bytes per lane")
        self.need("flat", "Flat sums of 4,096 ints", "41")
        self.need("dwell", "v0: flat", "4,096 x 4,096")

    def test_lines_that_lie_on_each_other_are_named_below_the_title_and_others_are_not(self):
        self.draw(measured())
        self.assertIn("The line of nested, v1: fire and forget lies on that of nested, v0: own stream.", " ".join(self.text("nested").split()))
        self.draw(measured().replace("256,0,time,25.6,us", "256,0,time,36,us", 1))
        self.assertNotIn("lies on that of", " ".join(self.text("nested").split()))

    def test_the_picture_is_divided_as_the_contract_says(self):
        done = self.draw(simulated(), graymap())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("p-picture.svg", self.pictures())
        # Two squares of 64 stay whole. Each of the others is divided three times and keeps 3 quarters of each size.
        self.need("picture", "20 squares filled, 2 of 8 x 8 computed in full; 6 divided")

    def test_broken_files_are_a_sentence_and_status_2(self):
        for text, picture in ((HEADER, None), (simulated().replace(",16384,0,", ",many,0,"), None),
                              (HEADER + "a,b,1,1,m,1,u\n", None), (simulated(), b"P5\n64 64\n255\nshort"),
                              (simulated(), b"no picture"), (simulated(), b"P5\n8 8\n255\n" + bytes(64))):
            done = self.draw(text, picture)
            self.assertEqual(done.returncode, 2, text[:60])
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
