"""The pictures of lab 02: banks from the geometry, sweeps and steps from measurements."""
import unittest

import drawing

HEADER = "submission,function,precision,stride,radius,rows,cols,metric,value,unit\n"
COMMENTS = "# backend: sim\n# device: a simulated GPU\n"


def gathers(metric: str, unit: str, value) -> str:
    return "".join(f"step-gather_{step},gather_strided_{word},{word},{stride},0,1,64,{metric},{value(step, stride)},{unit}\n"
                   for step in ("v1_without_gaps", "v2_odd_distance") for word in ("f32", "f64", "f32x4")
                   for stride in range(1, 33))


def counted() -> str:
    return COMMENTS + HEADER + gathers("wavefronts_per_shared_load", "wavefronts",
                                       lambda step, stride: stride & -stride if step.startswith("v1") else 1)


def timed() -> str:
    rows = ["yardstick,copy,f32,1,0,64,64,effective_bandwidth,4200,GB/s\n"]
    rows += [f"step-stencil_v1_window,stencil,f32,1,{radius},1,64,effective_bandwidth,{1000 / radius},GB/s\n"
             for radius in (1, 2, 4)]
    for name, side, ratio in (("step-transpose_v1_tile", 64, 0.41), ("step-transpose_v1_tile", 61, 0.2),
                              ("solution", 64, 0.85), ("peer-cublas", 64, 0.93)):
        rows += [f"{name},transpose,f32,1,0,{side},{side},effective_bandwidth,{4200 * ratio},GB/s\n",
                 f"{name},transpose,f32,1,0,{side},{side},ratio_to_copy,{ratio},ratio\n"]
    return COMMENTS + HEADER + gathers("effective_bandwidth", "GB/s", lambda _, stride: 4000 - stride) + "".join(rows)


class Drawing(drawing.Drawing):
    lab = "02-shared-memory"

    def test_banks_and_wavefronts_are_drawn_from_counts(self):
        done = self.draw(counted())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(), ["p-banks.svg", "p-wavefronts.svg"])
        self.need("banks", "float tile[32][32]", "a column: 32 wavefronts", "float tile[32][33]", "a column: 1 wavefront",
                  "stride 8, word beside word: 8 wavefronts", "stride 6, word beside word: 2 wavefronts",
                  "stride 6, a gap where the banks repeat: 1 wavefront")
        self.need("wavefronts", "reading, words of 16 bytes", "ideal: 4", "v1: without gaps", "device: a simulated GPU")

    def test_speed_is_drawn_against_stride_and_radius_and_every_step_as_a_ratio(self):
        done = self.draw(timed())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(),
                         ["p-banks.svg", "p-radius.svg", "p-steps.svg", "p-stride.svg"])
        self.need("stride", "words of 4 bytes", "copy: 4,200")
        self.need("steps", "v1: tile", "0.41", "peer cublas", "0.93", "solution")
        self.assertNotIn("0.20", self.text("steps"))  # the other shape has no bar

    def test_files_without_a_sweep_and_unknown_words_are_a_sentence_and_status_2(self):
        for text in (HEADER, HEADER + "solution,transpose,f32,1,0,8,8,m,1,u\n", counted().replace(",f64,", ",f16,"),
                     counted().replace(",7,0,1,64,", ",x,0,1,64,")):
            done = self.draw(text)
            self.assertEqual(done.returncode, 2, text[-80:])
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
