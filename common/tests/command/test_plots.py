"""Measurements as CSV, and the pictures drawn from them."""
import pathlib
import re
import sys
import unittest

import drawing
from fakes import ROOT, Scratch

sys.path.insert(0, str(ROOT / "plots"))
import measurements  # noqa: E402

HEADER = "submission,function,precision,offset,stride,n,metric,value,unit,least\n"


def sweep(metric="sectors_per_request_load", unit="sectors", submissions=("solution", "step-v0_naive"),
          values=lambda offset: 4 + (offset % 8 > 0)) -> str:
    """offset_add at 33 offsets."""
    rows = [f"{name},offset_add_{precision},{precision},{offset},1,65536,{metric},{values(offset)},{unit},4\n"
            for name in submissions for precision in ("f32", "f64") for offset in range(33)]
    return "# backend: sim\n# device: a simulated GPU\n# date: 2026-01-01\n" + HEADER + "".join(rows)


def strides(metric="effective_bandwidth", unit="GB/s", submission="solution") -> str:
    """Rows alone: stride_add at 32 strides."""
    return "".join(f"{submission},stride_add_{precision},{precision},0,{stride},{2048 // stride},{metric},"
                   f"{4000 / stride},{unit},\n" for precision in ("f32", "f64") for stride in range(1, 33))


def gpu() -> str:
    """What a bench on a GPU writes, in small."""
    rows = ["yardstick,copy,f32,0,1,1024,effective_bandwidth,4200,GB/s,\n"]
    for name, function, ratio in (("solution", "copy_vectorized", 0.99), ("step-copy_v0_one_float", "copy_vectorized", 0.64),
                                  ("solution", "advance_particles", 0.82)):
        rows += [f"{name},{function},f32,0,1,1024,effective_bandwidth,{4200 * ratio},GB/s,\n",
                 f"{name},{function},f32,0,1,1024,ratio_to_copy,{ratio},ratio,\n"]
    return sweep("effective_bandwidth", "GB/s") + strides() + "".join(rows)


class Reading(Scratch):
    def read(self, text: str):
        return measurements.read(self.write("m.csv", text))

    def complaint(self, text: str) -> str:
        with self.assertRaises(measurements.BrokenFile) as caught:
            self.read(text)
        return str(caught.exception)

    def test_provenance_columns_and_rows_are_read(self):
        data = self.read(sweep())
        self.assertEqual(data.provenance["device"], "a simulated GPU")
        self.assertEqual(len(data.rows), 132)
        self.assertEqual((data.rows[1]["offset"], data.rows[1]["value"], data.rows[1]["line"]), ("1", "5", "6"))

    def test_the_least_is_read_where_a_file_has_it(self):
        table = "submission,function,metric,value,unit,n,least\na,f,m,5,x,2,4\nb,f,m,5,x,2,3\na,f,m,5,x,1,\n"
        rows = measurements.read(self.write("least.csv", table)).rows
        self.assertEqual([measurements.least_of(row) for row in rows], [4, 3, None])
        self.assertEqual(measurements.least_over(rows, "n"), [(2, 3)])
        self.assertIsNone(measurements.least_of({"value": "5"}))  # of an older file

    def test_a_colon_in_a_value_stays(self):
        self.assertEqual(self.read("# date: 2026-01-01 10:30 UTC\n" + sweep()).provenance["date"], "2026-01-01")
        self.assertEqual(self.read(sweep() + "# date: 10:30\n").provenance["date"], "10:30")

    def test_a_word_where_a_number_belongs_is_told_with_its_line(self):
        self.assertIn("line 2: the value is 'fast'", self.complaint(HEADER + "s,f,f32,0,1,1,m,fast,GB/s,\n"))

    def test_nan_and_infinity_are_no_measurements(self):
        for value in ("nan", "inf", ""):
            self.assertIn("not a number", self.complaint(HEADER + f"s,f,f32,0,1,1,m,{value},GB/s,\n"))

    def test_a_cut_off_row_is_told_with_its_line(self):
        self.assertIn("line 3: 3 cells, and the header row has 10",
                      self.complaint(HEADER + "s,f,f32,0,1,1,m,1,u,\ns,f,f32\n"))

    def test_a_missing_column_is_named(self):
        self.assertIn("no column 'value'", self.complaint("submission,function,metric,unit\na,b,c,d\n"))

    def test_an_empty_file_and_a_bare_header_are_sentences(self):
        self.assertIn("no header row", self.complaint("# backend: sim\n\n"))
        self.assertIn("no measurements", self.complaint(HEADER))

    def test_a_file_that_is_no_text_is_a_sentence(self):
        path = self.folder / "m.csv"
        path.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
        with self.assertRaises(measurements.BrokenFile) as caught:
            measurements.read(path)
        self.assertIn("not a text file", str(caught.exception))

    def test_a_missing_file_is_a_sentence(self):
        with self.assertRaises(measurements.BrokenFile):
            measurements.read(self.folder / "nothing.csv")


class Drawing(drawing.Drawing):
    lab = "01-coalescing"

    def test_sectors_are_drawn_against_offset_and_stride_with_provenance_and_every_line_named(self):
        done = self.draw(sweep() + strides("sectors_per_request_load", "sectors"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(), ["p-offset.svg", "p-stride.svg"])
        svg = (self.out / "p-offset.svg").read_text()
        self.assertNotIn("<dc:date", svg)  # the same data make the same bytes
        self.assertNotIn("<text", svg)     # letters are outlines, which need no font
        self.assertEqual([pathlib.Path(line).name for line in done.stdout.splitlines()], self.pictures())
        self.need("offset", "offset_add_f32", "offset_add_f64", "solution, v0", "device: a simulated GPU",
                  "sectors asked for, per sector needed", "offset (elements)", "1 is the least")
        self.need("stride", "stride_add_f32", "stride (elements)", "sectors per load request", "neighbouring elements: 4")

    def test_a_picture_of_a_students_file_names_that_and_no_program_of_the_workbook(self):
        own = sweep(submissions=("yours",)).replace("# date", "# file: labs/01-coalescing/coalescing.cu\n# command: bench-01 --own starter\n# date")
        self.assertEqual(self.draw(own).returncode, 0)
        self.need("offset", "your file: labs/01-coalescing/coalescing.cu")
        self.assertNotIn("--own", self.text("offset"))

    def test_wide_requests_are_drawn_by_what_they_need_and_not_by_their_size(self):
        wide = "".join(f"step-v1_wide,offset_add_f32,f32,{offset},1,65536,sectors_per_request_load,16,sectors,16\n" for offset in range(33))
        self.assertEqual(self.draw(sweep() + wide).returncode, 0)
        self.need("offset", "v1: wide", "solution, v0")
        tops = [float(label) for label in re.findall(r"(?<![\d.])\d\.\d+(?![\d.])", self.text("offset"))]
        self.assertLess(max(tops), 2)  # 16 sectors of 16 needed are 1, beside 5 of 4

    def test_a_file_without_the_least_has_no_picture_of_what_is_asked_for_again(self):
        old = "\n".join(line.rpartition(",")[0] if "," in line else line for line in sweep().splitlines())
        done = self.draw(old + "\n" + strides("sectors_per_request_load", "sectors").replace(",\n", "\n"))
        self.assertEqual((done.returncode, self.pictures()), (0, ["p-stride.svg"]), done.stderr)

    def test_the_other_functions_are_drawn_by_how_often_they_ask_for_a_sector(self):
        rows = [f"{name},column_sums,f32,0,1,65536,sectors_per_request_load,{value},sectors,4\n"
                for name, value in (("solution", 4), ("step-columns_v0_block_per_column", 32))]
        self.assertEqual(self.draw(sweep() + "".join(rows)).returncode, 0)
        self.need("repeats", "column_sums", "v0: block per column", "8.00", "1.00")

    def test_lines_that_lie_on_each_other_are_one_with_all_their_names(self):
        near = sweep("effective_bandwidth", "GB/s", ("step-v1_a", "step-v2_b"), lambda offset: 4.03)
        rows = sweep("effective_bandwidth", "GB/s", ("solution", "step-v0_naive"), lambda offset: 4) + near.partition(HEADER)[2]
        self.assertEqual(self.draw(rows).returncode, 0)
        self.need("offset", "solution, v0, v1, v2")
        apart = sweep("effective_bandwidth", "GB/s", ("step-v1_a",), lambda offset: 4.2).partition(HEADER)[2]
        self.assertEqual(self.draw(sweep("effective_bandwidth", "GB/s", ("solution", "step-v0_naive"), lambda offset: 4) + apart).returncode, 0)
        self.need("offset", "solution, v0: naive", "v1: a")

    def test_bandwidth_is_drawn_with_the_copy_the_sector_model_and_the_ratios_of_the_steps(self):
        done = self.draw(gpu())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(),
                         ["p-offset.svg", "p-steps.svg", "p-stride.svg"])
        self.need("offset", "effective bandwidth (GB/s)", "copy, 16 B per thread: 4,200", "solution")
        self.need("stride", "model: copy x max(1/s, 4/32)", "model: copy x max(1/s, 8/32)")
        self.need("steps", "copy_vectorized", "v0: one float", "0.64", "2,688 GB/s", "36 of the 44 bytes")
        self.assertNotIn("ideal", self.text("offset"))

    def test_names_at_the_ends_of_lines_do_not_overlap(self):
        program = ("import style\n"
                   "figure, axes = style.plt.subplots()\n"
                   "lines = [(axes.plot([0, 1], [0, y])[0], f'line {y}') for y in (5, 5, 5.01, 9.99, 10, 10)]\n"
                   "figure.canvas.draw()\n"
                   "style.label_lines(axes, lines)\n"
                   "figure.canvas.draw()\n"
                   "from matplotlib.text import Text\n"  # an annotation's own extent has its leader line in it
                   "extents = [Text.get_window_extent(text) for text in axes.texts]\n"
                   "boxes = sorted((extent.y0, extent.y1) for extent in extents)\n"
                   "assert len(boxes) == 6\n"
                   "assert all(low[1] <= high[0] for low, high in zip(boxes, boxes[1:])), boxes\n")
        self.run_program(program)

    def test_what_stands_under_a_title_is_broken_where_the_figure_ends(self):
        program = ("import style\n"
                   "for letter, lines in (('i', 1), ('n', 2), ('W', 3)):\n"
                   "    figure = style.plt.figure(figsize=(8, 4))\n"
                   "    style.title(figure, 'title', ' '.join([8 * letter] * 20))\n"
                   "    extents = [text.get_window_extent() for text in figure.texts]\n"
                   "    below = figure.texts[1].get_text()\n"
                   "    assert extents[1].x1 <= 0.988 * figure.bbox.width, extents\n"
                   "    assert below.split() == 20 * [8 * letter], below\n"
                   "    assert below.count(chr(10)) == lines - 1, below\n"
                   "    assert (1 - figure.warpbook_head / 4) * figure.bbox.height <= extents[1].y0, extents\n")
        self.run_program(program)

    def test_more_lines_than_colours_still_differ(self):
        self.run_program("import style\n"
                         "kinds = [tuple(map(str, style.line_style(i, 30).values())) for i in range(30)]\n"
                         "looks = {k[:4] for k in kinds}\nassert len(looks) >= 14, len(looks)\n"
                         "assert len({k[0] for k in kinds[:11]}) == 11\n")

    def test_broken_files_are_a_sentence_and_status_2(self):
        for text in ("", "not,a,csv\n", HEADER, sweep().replace(",32,1,65536", ",far,1,65536"),
                     sweep().replace(",f32,", ",f16,"), "# only: provenance\n", sweep().replace(",1,65536", ",65536"),
                     "submission,function,metric,value,unit\na,b,c,1,d\n", HEADER + "s,f,f32,0,1,1,m,1,u\n"):
            done = self.draw(text)
            self.assertEqual(done.returncode, 2, text[:60])
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertFalse(self.out.exists())

    def test_every_script_explains_itself(self):
        scripts = [ROOT / "plots/results.py", *(ROOT / "labs").glob("*/plot.py")]
        self.assertGreater(len(scripts), 1)
        for script in scripts:
            done = self.run_script(script, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), script)
            self.assertIn("usage: " + script.name, done.stdout)


if __name__ == "__main__":
    unittest.main()
