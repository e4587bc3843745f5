"""Figures that a page quotes from measurements: that a wrong or an unchecked one is found, and that the labs' pages have neither."""
import re
import sys
import unittest

from fakes import ROOT

sys.path.insert(0, str(ROOT / "plots"))
import comparison  # noqa: E402
import figures  # noqa: E402
import measurements  # noqa: E402

PAGE = """# More

## What an H200 measured

Conflicts of 16 ways cost
18%, and a copy moves 4,239 GB/s.

## Compute capability 9.0

Of version 12.4 on, 20% of it.
"""


class Figures(unittest.TestCase):
    def test_a_page_that_says_what_the_measurements_give_passes(self):
        self.assertEqual(figures.problems(PAGE, ["16 ways cost 18%,", "4,239 GB/s"]), [])

    def test_a_phrase_that_the_page_does_not_say_is_named(self):
        found = figures.problems(PAGE, ["16 ways cost 19%", "cost 18%", "4,239 GB/s"])
        self.assertEqual(found, ["The measurements give '16 ways cost 19%', and the page does not say it."])

    def test_a_figure_in_a_measured_section_that_no_phrase_covers_is_named(self):
        [found] = figures.problems(PAGE, ["cost 18%"])
        self.assertTrue(found.startswith("'4,239 GB/s' is checked by no phrase"), found)

    def test_what_looks_like_a_measured_figure(self):
        for text, wanted in (("0.75 of a copy", "0.75"), ("up to 19% faster", "19%"), ("682 µs", "682 µs"), ("1.2 times", "1.2"), ("3.5 ms", "3.5"),
                             ("16 lanes of 32", None), ("x ^ y / 4 % 8", None), ("32 x 33 floats", None), ("step v2.1.x", None), ("16,384 rows", None)):
            found = figures.FIGURE.search(text)
            self.assertEqual(found and found[0], wanted, text)

    def test_tables_that_are_generated_pictures_and_code_are_left_out(self):
        page = ("## Measured\n\n<!-- floor: written by x -->\n| 0.5 |\n<!-- end of floor -->\n![at 1.5](a.svg)\n\n```\n2.5\n```\n"
                "<!-- 3.5 -->[a](b-4.5.md)\n")
        self.assertEqual(figures.problems(page, []), [])


STEP = """// Step 1: a tile.
//
// Counters    7.4 lanes.
// Measured    H200, 2^27 ints: 0.58 of
//             a copy.

#include <cuda_runtime.h> // 0.9
"""


class Heads(unittest.TestCase):
    def test_a_head_that_says_what_the_measurements_give_passes(self):
        self.assertEqual(figures.problems_of_head(STEP, "H200, 2^27 ints: 0.58 of a copy.", "7.4 lanes"), [])

    def test_a_head_that_says_something_else_is_named(self):
        found = figures.problems_of_head(STEP, "H200, 2^27 ints: 0.60 of a copy.", "7.4 lanes")
        self.assertEqual(found[0], "The measurements give 'Measured H200, 2^27 ints: 0.60 of a copy.', and the head does not say it.")

    def test_a_figure_that_no_phrase_covers_is_named(self):
        self.assertEqual(figures.problems_of_head(STEP, "H200, 2^27 ints: 0.58 of a copy."), ["'7.4' is checked by no phrase of measures.py."])

    def test_a_measured_line_that_nothing_checks_is_named(self):
        self.assertIn("The head says 'Measured', and nothing of measures.py checks it.", figures.problems_of_head(STEP, None, "7.4 lanes"))


class Labs(unittest.TestCase):
    def test_every_labs_pages_quote_its_measurements_as_they_are(self):
        checked = 0
        for lab in comparison.labs():
            page, data = ROOT / "labs" / lab.name / "more.md", ROOT / "plots/data" / f"{lab.name}-h200.csv"
            if not page.exists() or not data.exists():
                continue
            with self.subTest(lab=lab.name):
                phrases = lab.measures.quoted(measurements.read(data), lab) if hasattr(lab.measures, "quoted") else []
                handout = page.with_name("README.md").read_text(encoding="utf-8")
                self.assertEqual(figures.problems(page.read_text(encoding="utf-8") + "\n" + handout, phrases), [])
            checked += 1
        if not checked:
            self.skipTest("no lab has a more.md yet")

    def test_the_page_on_measuring_quotes_the_yardsticks_as_they_were_measured(self):
        def yardstick(lab: str, function: str, n: int, metric: str) -> float:
            data = measurements.read(ROOT / "plots/data" / f"{lab}-h200.csv")
            [row] = measurements.pick(data.rows, submission="yardstick", function=function, n=str(n), metric=metric)
            return float(row["value"])

        copy, memcpy, read = (yardstick("01-coalescing", function, n, "effective_bandwidth")  # a copy of n floats moves 8 n bytes
                              for function, n in (("copy", 2**27), ("memcpy", 2**27), ("read", 2**28)))
        long = yardstick("04-dot-product", "read", 2**29, "bandwidth")  # of two arrays
        page = figures.plain((ROOT / "docs/measuring-well.md").read_text(encoding="utf-8"))
        self.assertIn(f"move 1 GiB at {copy:,.0f}, {memcpy:,.0f} and {read:,.0f} GB/s; a read of 4 GiB reaches {long:,.0f} GB/s", page)

    def test_reasons_for_targets_that_were_missed_quote_the_measurements(self):
        def rows(lab: str, machine: str = "h200", **wanted: str) -> list[dict[str, str]]:
            return measurements.pick(measurements.read(ROOT / "plots/data" / f"{lab}-{machine}.csv").rows, **wanted)

        def one(lab: str, machine: str = "h200", **wanted: str) -> float:
            [row] = rows(lab, machine, **wanted)
            return float(row["value"])

        cub, cublas = (one("04-dot-product", "h100", submission=f"peer-{peer}", function="dot_f64", n=str(2**28), metric="ratio_to_read")
                       for peer in ("cub", "cublas"))
        library = one("02-shared-memory", submission="peer-cublas_sgeam", function="transpose", metric="ratio_to_copy", cols="16384")
        last = max((row["submission"] for row in rows("06-cluster-histogram", function="histogram") if row["submission"].startswith("step-")),
                   key=comparison.version)
        many = one("06-cluster-histogram", submission=last, function="histogram", metric="ratio_to_read", nbins="65536", values="uniform")
        reasons = (ROOT / "plots/data/unmet-targets.txt").read_text(encoding="utf-8")
        for phrase in (f"CUB reaches {cub:.3f} of a read there, and cuBLAS {cublas:.3f}",
                       f"reaches {library:.2f} of a copy, so 1.05 of it would be {1.05 * library:.2f}",
                       f"With 65,536 bins the step has {many:.3f} of its speed on the H200"):
            self.assertIn(phrase, reasons)

    def test_every_picture_of_the_tree_is_on_a_page(self):
        pictures = {path.name for path in (ROOT / "docs/images").iterdir()}
        shown = {name for page in [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("labs/*/*.md")]
                 for name in re.findall(r"images/([^)\s]+)", page.read_text(encoding="utf-8"))}
        self.assertGreater(len(pictures), 10)
        self.assertEqual(pictures - shown, set())

    def test_the_heads_of_steps_say_what_was_measured(self):
        checked = 0
        for lab in comparison.labs():
            steps, data = ROOT / "solutions" / lab.name / "steps", ROOT / "plots/data" / f"{lab.name}-h200.csv"
            if not steps.exists() or not data.exists():
                continue
            measured, counted = ((getattr(lab.measures, name)(measurements.read(data), lab) if hasattr(lab.measures, name) else {})
                                 for name in ("quoted_in_steps", "counted_in_steps"))
            sources = {step.stem: step.read_text(encoding="utf-8") for step in steps.glob("*.cu")}
            with self.subTest(lab=lab.name):
                self.assertEqual((measured.keys() | counted.keys()) - sources.keys(), set(), "steps that do not exist")
            for step, source in sources.items():
                with self.subTest(step=f"{lab.name}/{step}"):
                    self.assertEqual(figures.problems_of_head(source, measured.get(step), counted.get(step), bool(measured or counted)), [])
                checked += 1
        if not checked:
            self.skipTest("no lab has steps and measurements")


if __name__ == "__main__":
    unittest.main()
