"""The pages of `./warpbook see` in a browser: every control by mouse and by keyboard alone, light and dark, wide and narrow.

  test_page.py SOURCE_DIR [FOLDER] [unittest arguments]

FOLDER holds real traces (*.jsonl): only pages of these are tested then. Needs node, chromium, chromium-driver and python3-selenium; the tests in
the browser are skipped where these are missing.
"""
from __future__ import annotations

import functools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])
FOLDER = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 and pathlib.Path(sys.argv[2]).is_dir() else None
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(SOURCE / "common" / "see"))
import page  # noqa: E402

sys.path.insert(0, str(SOURCE / "common"))
from command.notebook import frame  # noqa: E402

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
except ImportError:
    webdriver = None

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
WIDE, NARROW = 1400, 360
#: What the panels show, in JavaScript.
SHOWN = "document.getElementById('panels').innerHTML + location.hash"
#: What the page does between two keys; a control that only one trace has is asked of that trace.
CONTROLS_OF = {"transpose_32": {"earlier-request", "later-request", "block", "thread", "repeat", "array", "owner", "show", "by", "time", "first-moment",
                                "earlier-moment", "later-moment", "last-moment"},
               "matrix": {"window", "window-left", "window-right", "window-up", "window-down", "window-here"},
               "children": {"launch"}}


def setUpModule():
    Pages.folder = pathlib.Path(tempfile.mkdtemp())
    unittest.addModuleCleanup(shutil.rmtree, Pages.folder)
    subprocess.run(["node", str(HERE / "traces.js"), str(Pages.folder)], check=True)
    Pages.traces = {path.stem: path for path in sorted(Pages.folder.glob("*.jsonl"))}


class Pages(unittest.TestCase):
    """The traces that are made by hand, and pages of them."""

    @classmethod
    @functools.cache
    def made(cls, *names: str, select: str = "") -> pathlib.Path:
        out = cls.folder / f"{'-'.join(names)}{select}.html"
        page.write_page([cls.traces[name] for name in names], out, select)
        return out

    def data(self, out: pathlib.Path) -> dict:
        text = out.read_text(encoding="utf-8")
        start = text.index('id="data">') + len('id="data">')
        return json.loads(text[start:text.index("</script>", start)])


class Made(Pages):
    """What page.py writes, without a browser."""

    def test_a_page_holds_its_trace_and_nothing_else_is_loaded(self):
        out = self.made("coalesced_copy")
        text = out.read_text(encoding="utf-8")
        self.assertEqual(self.data(out)["traces"][0]["records"], page.read_trace(self.traces["coalesced_copy"]))
        self.assertNotIn("@DATA@", text)
        self.assertNotRegex(text, r"<(link|img|iframe)\b|\bsrc=|@import|^import |^export |fetch\(")
        self.assertEqual(text.count("</script>"), 2)

    def test_a_large_trace_is_sampled_by_whole_blocks_and_says_so(self):
        out = self.made("large")
        self.assertLessEqual(out.stat().st_size, 3_000_000)
        trace = self.data(out)["traces"][0]
        sample = trace["sample"]
        steps = [record["step"] for record in trace["records"] if "step" in record]
        blocks = {step["block"] for step in steps}
        self.assertEqual(len(steps), 16 * len(blocks))
        self.assertLessEqual({0, 777, 778, 1999}, blocks)
        self.assertEqual(sample, {"blocks": 2000, "blocks_shown": len(blocks), "steps_left_out": 16 * (2000 - len(blocks))})
        self.assertEqual([record["end"] for record in trace["records"] if "end" in record], [{"steps": len(steps), "left_out": 32000 - len(steps)}])
        self.assertGreater(len(blocks), 100)

    def test_a_block_that_is_too_large_by_itself_is_cut(self):
        records = page.read_trace(self.traces["transpose_32"])
        kept, sample = page.sampled(records, 9_000)
        self.assertLessEqual(len("".join(page.compact(record) for record in kept)), 9_000)
        self.assertEqual((sample["blocks"], sample["blocks_shown"]), (1, 1))
        self.assertGreater(sum("step" in record for record in kept), 3)

    def test_a_cluster_stays_whole(self):
        records = page.read_trace(self.traces["cluster"])
        steps = [record for record in records if "step" in record]
        room = sum(len(page.compact(record)) + 1 for record in records) - len(page.compact(steps[0])) * 2
        kept, sample = page.sampled(records, room)
        self.assertEqual({record["step"]["block"] for record in kept if "step" in record}, {0, 1})
        self.assertEqual(sample["blocks_shown"], 2)

    def test_child_grids_at_the_end_are_dropped_where_they_take_too_much(self):
        records = page.read_trace(self.traces["children"])
        kept, sample = page.sampled(records, 1_400)
        launches = sum("launch" in record for record in kept)
        self.assertIn(launches, (1, 2, 3))
        for record in kept:
            if "step" in record:
                self.assertLess(record["step"]["launch"], launches)
                self.assertLess(record["step"].get("child", 0), launches)
        self.assertGreater(sample["steps_left_out"], 0)

    def test_what_is_no_trace_is_refused_with_its_place(self):
        broken = self.folder / "broken.txt"
        for text, words in (("", "first record"), ("{", "broken.txt:1"), ('{"trace": {"version": 7}}', "version 7"), ('{"trace": {"version": 1}}\n[]', "broken.txt:2")):
            broken.write_text(text, encoding="utf-8")
            with self.assertRaisesRegex(page.BrokenTrace, words):
                page.read_trace(broken)

    def test_the_pictures_are_drawn_by_the_same_code(self):
        if not shutil.which("rsvg-convert"):
            self.skipTest("no rsvg-convert")
        written = page.write_pictures(self.traces["race"], self.folder / "pictures")
        self.assertEqual([path.name for path in written if path.suffix == ".png"], [f"race-{view}.png" for view in page.VIEWS])
        for path in written:
            self.assertGreater(path.stat().st_size, 1000)


@unittest.skipUnless(webdriver and BROWSER and DRIVER, "needs chromium, chromium-driver and python3-selenium")


class InBrowser(Pages):
    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        try:
            cls.driver = webdriver.Chrome(service=webdriver.chrome.service.Service(DRIVER), options=options)
        except WebDriverException as error:  # says nothing of a page
            raise unittest.SkipTest(f"the browser does not start here: {error}") from error

        cls.addClassCleanup(cls.driver.quit)

    def look(self, width: int, theme: str) -> None:
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})

    def open(self, out: pathlib.Path, width: int = WIDE, theme: str = "light", fragment: str = ""):
        self.look(width, theme)
        self.driver.get("about:blank")
        self.driver.get(f"{out.as_uri()}{fragment}")

    def script(self, text: str, *arguments):
        return self.driver.execute_script(text, *arguments)

    def open_in_a_frame(self, out: pathlib.Path):
        """The page in the output of a notebook's cell, and the driver in its frame."""
        notebook = self.folder / "notebook.html"
        notebook.write_text(f"<!DOCTYPE html><title>A notebook</title>{frame(out.read_text(encoding='utf-8'), out.stem)}", encoding="utf-8")
        self.open(notebook)
        self.driver.switch_to.frame(self.driver.find_element("tag name", "iframe"))
        self.addCleanup(self.driver.switch_to.default_content)

    def check_quiet(self):
        self.assertEqual([entry["message"] for entry in self.driver.get_log("browser")], [])

    def check_fits(self, width: int):
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)

    def by_id(self, name: str):
        return self.driver.find_element("id", name)

    def note(self) -> None:
        """Has the browser note what the panels show."""
        self.script(f"window.noted = {SHOWN}")

    def changed(self) -> bool:
        """Whether the panels show another thing than what was noted."""
        return self.script(f"return window.noted !== {SHOWN}")

    def press(self, *keys: str):
        actions = webdriver.ActionChains(self.driver)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def tab_to(self, name: str) -> None:
        """Goes to a control by the Tab key alone, from where the focus is; after the last one it begins again."""
        # Most of the presses at once, as many as there should be: each asks the browser for a picture.
        before = self.script("const all = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')].filter("
                             "e => !e.disabled && e.checkVisibility()).map(e => e.id); const here = all.indexOf(document.activeElement.id);"
                             "const there = all.indexOf(arguments[0]); return there < 0 ? 0 : there > here ? there - here : all.length - here + there + 1", name)
        self.press(*[Keys.TAB] * before)
        for _ in range(300):
            if self.script("return document.activeElement.id") == name:
                return
            self.press(Keys.TAB)
        self.fail(f"{name} is not reached by the Tab key")


class RealTraces(InBrowser):
    def test_real_traces_make_pages_without_an_error(self):
        traces = sorted(FOLDER.glob("*.jsonl"))
        self.assertTrue(traces)
        for trace in traces:
            with self.subTest(trace=trace.name):
                out = self.folder / f"{trace.stem}.html"
                records = page.read_trace(trace)
                out.write_text(page.page([records]), encoding="utf-8")
                self.assertLessEqual(out.stat().st_size, 3_000_000)
                self.open(out, NARROW)
                self.check_quiet()
                self.check_fits(NARROW)
                self.check_totals(records)

    def check_totals(self, records: list[page.Record]) -> None:
        """The totals on the page are the sums of the trace's lines, which its own tests compare with what check reports."""
        lines = [record["line"] for record in records if "line" in record]

        def figures(space: str, access: str = "") -> tuple[int, int]:
            chosen = [line for line in lines if line["space"] == space and not line.get("remote") and access in ("", line["access"])]
            return sum(line["cost"] for line in chosen), sum(line["least"] for line in chosen)

        wanted = {"Requests": (sum(line["requests"] for line in lines), None),
                  "Accesses to other blocks' shared memory": (sum(line["lanes"] for line in lines if line.get("remote")), None)}
        for name, space in (("Sectors of global memory", "global"), ("Wavefronts of shared memory", "shared")):
            wanted[name] = figures(space)
            parts = {f"{name}, {words}": figures(space, access) for access, words in (("read", "read"), ("write", "written"), ("atomic", "updated by atomics"))}
            parts = {part: figure for part, figure in parts.items() if figure[0]}
            if len(parts) > 1:
                wanted.update(parts)
        shown = self.script("return [...document.querySelectorAll('#totals tr')].map(row => [row.children[0].textContent, row.children[1].textContent])")
        found = {}
        for name, words in shown:
            if name.startswith("Barriers"):
                continue
            match = re.fullmatch(r"([\d,]+)(?: \(least ([\d,]+)(?:; ([\d.]+) times as many)?\))?", words)
            self.assertIsNotNone(match, words)
            count, least = (int(text.replace(",", "")) if text else None for text in match.group(1, 2))
            found[name] = (count, least)
            self.assertAlmostEqual(float(match.group(3) or 1), count / least if least else 1, delta=0.00501)
        self.assertEqual(found, {name: figure for name, figure in wanted.items() if figure[0] or name == "Requests"})


class Browser(InBrowser):
    def test_pages_fit_wide_and_narrow_light_and_dark_without_an_error(self):
        for name in [*self.traces, ("transpose_32", "transpose_33")]:
            names = name if isinstance(name, tuple) else (name,)
            self.open(self.made(*names))  # wide; those of real traces are narrow from the beginning
            for width, theme in ((WIDE, "light"), (NARROW, "dark"), (WIDE, "dark"), (NARROW, "light"))[:4 if name in ("race", "cluster") else 2]:
                with self.subTest(name=name, width=width, theme=theme):
                    self.note()
                    was = self.script("return innerWidth")
                    self.look(width, theme)
                    self.script("return new Promise(done => requestAnimationFrame(() => setTimeout(done)))")  # behind the event of its size
                    self.check_quiet()
                    self.assertEqual(self.script("return innerWidth"), width)
                    self.assertEqual(self.changed(), width != was)  # the pictures are drawn again
                    self.check_fits(width)
                    dark = self.script("return getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
                    self.assertEqual(dark, theme == "dark")
                    pictures = self.script("return [...document.querySelectorAll('svg.picture')].map(s => [s.querySelector('title').textContent, s.querySelector('desc').textContent, s.getBoundingClientRect().height])")
                    self.assertGreaterEqual(len(pictures), 3 * len(names))
                    for title, words, height in pictures:
                        self.assertGreater(min(len(title), len(words), height), 5)
                    ids = self.script("return [...document.querySelectorAll('[id]')].map(e => e.id)")
                    self.assertEqual(len(ids), len(set(ids)))

    def use(self, control: str, by_keyboard: bool) -> None:
        """Uses a control of the first panel and expects that the page changes, in both directions where it can."""
        name = f"p0-{control}"
        element = self.by_id(name)
        self.note()
        if by_keyboard:
            self.tab_to(name)
        if element.tag_name == "select":
            chosen = Select(element)
            values = [option.get_attribute("value") for option in chosen.options]
            at = values.index(chosen.first_selected_option.get_attribute("value"))
            if len(values) == 1:
                return
            up = at == len(values) - 1
            if by_keyboard:
                self.press(Keys.ARROW_UP if up else Keys.ARROW_DOWN)
            else:
                chosen.select_by_index(at - 1 if up else at + 1)
        elif element.get_attribute("type") == "range":
            if by_keyboard:
                self.press(Keys.END if element.get_attribute("value") == "0" else Keys.HOME)
            else:
                left = -element.size["width"] // 2 + 3 if element.get_attribute("value") != "0" else element.size["width"] // 2 - 3
                webdriver.ActionChains(self.driver).move_to_element_with_offset(element, left, 0).click().perform()
        elif element.get_attribute("type") == "number":
            if not by_keyboard:
                element.click()
            self.press(Keys.HOME, Keys.DELETE, Keys.DELETE, Keys.DELETE, "4", "0", Keys.ENTER)
        elif element.get_attribute("aria-disabled") == "true":
            (self.press(Keys.ENTER) if by_keyboard else element.click())
            self.assertFalse(self.changed(), f"{control} is off, and changes the page")
            return
        elif by_keyboard:
            self.press(Keys.ENTER)
        else:
            element.click()
        self.assertTrue(self.changed(), f"{control} changes nothing")
        if by_keyboard:
            self.assertEqual(self.script("return document.activeElement.id"), name, "the focus is lost")

    def test_every_control_by_mouse_and_by_keyboard(self):
        for name, expected in CONTROLS_OF.items():
            out = self.made(name)
            for by_keyboard in (False, True):
                self.open(out, fragment="#window=0:0" if name == "matrix" else "")
                present = (self.script("return [...document.querySelectorAll('#p0 .controls [id]')].filter(e => e.matches('button, select, input')).map(e => e.id.slice(3))"))
                self.assertLessEqual(expected, set(present))
                for control in sorted(present, key=lambda one: one in ("array", "show", "columns")):  # these leave less to the others
                    with self.subTest(name=name, control=control, by_keyboard=by_keyboard):
                        if self.driver.find_elements("id", f"p0-{control}"):
                            self.use(control, by_keyboard)
                self.check_quiet()

    def test_lines_findings_folds_and_details_by_mouse_and_by_keyboard(self):
        out = self.made("race")
        for by_keyboard in (False, True):
            self.open(out)
            for selector in ("#p0 .row", "#p0 .finding"):
                for name in [one.get_attribute("id") for one in self.driver.find_elements("css selector", selector)]:
                    with self.subTest(name=name, by_keyboard=by_keyboard):
                        if by_keyboard:
                            self.tab_to(name)
                            self.press(Keys.ENTER)
                        else:
                            self.by_id(name).click()
                        self.assertEqual(self.by_id(name).get_attribute("aria-pressed"), "true")
            self.assertIn("nothing orders them", self.script("return document.getElementById('p0-time-figure').textContent"))
        fold = self.made("coalesced_copy")
        self.open(fold)
        name = self.driver.find_element("css selector", "#p0 .fold button").get_attribute("id")
        self.tab_to(name)
        self.press(Keys.ENTER)
        self.assertEqual(self.script("return document.activeElement.getAttribute('aria-expanded')"), "true")
        self.assertIn("cuda_runtime.h", self.by_id("p0-source").text)
        self.check_quiet()

    def test_keys_in_the_pictures(self):
        self.open(self.made("transpose_32"))
        for figure, keys in (("request", [Keys.ARROW_RIGHT, Keys.ARROW_LEFT]),
                             ("array", [Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ENTER, Keys.ESCAPE]),
                             ("time", [Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ARROW_LEFT])):
            self.tab_to(f"p0-{figure}-figure")
            for key in keys:
                with self.subTest(figure=figure, key=key):
                    self.note()
                    self.press(key)
                    self.assertTrue(self.changed(), "the key changes nothing")
                    self.assertEqual(self.script("return document.activeElement.id"), f"p0-{figure}-figure")
            outline = self.script("return getComputedStyle(document.activeElement).outlineStyle")
            self.assertEqual(outline, "solid")
        self.open(self.made("children"))
        self.tab_to("p0-grids-figure")
        self.note()
        self.press(Keys.ARROW_DOWN)
        self.assertTrue(self.changed(), "the key changes nothing")
        self.check_quiet()

    def test_the_cursor_tells_who_used_an_element(self):
        self.open(self.made("transpose_32"), fragment="#line=3&space=shared&access=write")
        self.driver.find_element("css selector", "#p0-array-figure text[data-element='33']").click()
        words = self.by_id("p0-history").text
        self.assertIn("tile[1][1]: 2 accesses.", words)
        self.assertIn("warp 1, lane 1 writes it (line 3)", words)
        self.by_id("p0-history-1").click()
        self.assertIn("line=5", self.script("return location.hash"))

    def test_a_click_in_the_order_selects_the_request(self):
        self.open(self.made("tail"))
        before = self.script("return location.hash")
        self.driver.find_elements("css selector", "#p0-time-figure [data-request]")[-1].click()
        self.assertNotEqual(self.script("return location.hash"), before)
        self.assertIn("Lanes 8–31 are off", self.by_id("p0-request-caption").text)

    def test_a_click_on_a_line_selects_its_worst_cost_and_all_of_the_page_explains_it(self):
        self.open(self.made("transpose_32"), fragment="#line=3&space=global&access=read")
        self.driver.find_element("css selector", "#p0 .line[data-line='0:5'] code").click()
        self.assertIn("Line 5: read of tile, shared memory", self.by_id("p0-request-caption").text)
        self.assertIn("All 32 requests of this line cost 32 wavefronts each.", self.by_id("p0-request-caption").text)
        self.assertIn("Not this run", self.script("return document.getElementById('p0-request-figure').textContent"))
        self.assertEqual(Select(self.by_id("p0-by")).first_selected_option.text, "bank")
        self.assertIn("Bank conflict", self.by_id("glossary").text)

    def test_a_link_opens_at_its_place(self):
        self.open(self.made("transpose_33"), fragment="#line=3&space=global&access=read&request=5&array=tile&view=array")
        self.assertIn("Line 3: read of in", self.by_id("p0-request-caption").text)
        self.assertIn("Request 6 of 32", self.by_id("p0-request-caption").text)
        self.assertIn("tile of block 0", self.by_id("p0-array-caption").text)
        self.assertGreater(self.script("return scrollY"), 100)
        self.script("location.hash = '#line=5&space=shared&access=read'")
        self.assertIn("Line 5: read of tile", self.by_id("p0-request-caption").text)

    def test_in_a_notebook_s_frame_it_reaches_nothing_else_and_its_controls_work(self):
        self.open_in_a_frame(self.made("race"))
        self.script("window.errors = []; addEventListener('error', (event) => errors.push(event.message))")  # the browser's log leaves frames out
        self.assertEqual(self.script("return [location.protocol, self.origin]"), ["about:", "null"])
        rows = self.driver.find_elements("css selector", "[data-row]")
        self.assertGreater(len(rows), 1)
        for row in range(len(rows)):  # they are drawn again
            self.driver.find_elements("css selector", "[data-row]")[row].click()
            self.assertEqual(self.driver.find_elements("css selector", "[data-row]")[row].get_attribute("aria-pressed"), "true")
        self.assertEqual(self.script("return errors"), [])
        self.check_quiet()

    def test_what_the_command_selects_is_selected(self):
        self.open(self.made("transpose_33", select="line=3&space=shared&access=write"))
        self.assertIn("Line 3: write of tile", self.by_id("p0-request-caption").text)

    def test_before_and_after_stand_side_by_side_and_are_chosen_apart(self):
        out = self.made("transpose_32", "transpose_33")
        self.open(out)
        self.assertIn("16.5 times fewer", self.by_id("totals").text)
        tops = self.script("return ['p0', 'p1'].map(id => document.getElementById(id).getBoundingClientRect().top)")
        self.assertEqual(tops[0], tops[1])
        for number in (0, 1):
            self.assertIn("Line 5: read of tile", self.by_id(f"p{number}-request-caption").text)
        self.by_id("p1-later-request").click()
        self.assertIn("after.request=1", self.script("return location.hash"))
        self.assertIn("Request 1 of 32", self.by_id("p0-request-caption").text)
        self.open(out, NARROW)
        tops = self.script("return ['p0', 'p1'].map(id => document.getElementById(id).getBoundingClientRect().top)")
        self.assertGreater(tops[1], tops[0])

    def test_the_switch_of_themes(self):
        self.open(self.made("tail"), theme="dark")
        colours = []
        for _ in range(3):
            colours.append(self.script("return getComputedStyle(document.body).backgroundColor"))
            self.tab_to("theme")
            self.press(Keys.ENTER)
        self.assertEqual(len(set(colours)), 2)
        self.assertEqual(colours[0], colours[2])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2 if FOLDER is None else 3:]], defaultTest="RealTraces" if FOLDER else ("Made", "Browser"))
