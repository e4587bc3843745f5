"""The site in a browser, from disk: every page in both themes, wide, narrow and on paper, and what the pages do by themselves.

  test_pages.py PYTHON [unittest arguments]

PYTHON is one that can run ./warpbook site. Needs chromium, chromium-driver and python3-selenium; and for the tests of accessibility
axe-core, which the PyPI package axe-core-python holds: build/venv/bin/pip install axe-core-python
"""
from __future__ import annotations

import base64
import dataclasses
import functools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.keys import Keys

import small_site

ROOT = pathlib.Path(__file__).resolve().parents[3]
PYTHON = sys.argv[1]
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WIDE, NARROW = 1400, 360
#: What axe-core is asked: the rules of WCAG 2.2 A and AA, and the best practices.
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe() -> pathlib.Path | None:
    """axe-core's script, as the PyPI package brings it: from the build folder's virtual environment, or this Python."""
    folders = [*ROOT.glob("build/venv/lib/python3*/site-packages"), *map(pathlib.Path, sys.path)]
    return next((path for folder in folders if (path := folder / "axe_core_python/axe.min.js").is_file()), None)


NO_AXE = "no axe-core: build/venv/bin/pip install axe-core-python brings it"


@functools.cache
def axe_script() -> str:
    return axe().read_text(encoding="utf-8")


def built(root: pathlib.Path, out: pathlib.Path) -> pathlib.Path:
    done = subprocess.run([PYTHON, "-B", root / "warpbook", "site", "--out", out, "--repository", "https://github.com/me/book"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: links that lead nowhere, which test_site.py tells
        raise RuntimeError(done.stderr)
    return out


class Looking:
    """What can be done with a browser, which is `driver`."""

    driver: webdriver.Chrome

    def look(self, width: int = WIDE, theme: str = "light", media: str = "") -> None:
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [
            {"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})

    def open(self, page: pathlib.Path, fragment: str = "") -> None:
        self.driver.get(page.as_uri() + fragment)

    def script(self, text: str, *arguments):
        return self.driver.execute_script(text, *arguments)

    def find(self, selector: str):
        return self.driver.find_element("css selector", selector)

    def requests(self) -> set[str]:
        """The addresses asked for since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return {message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"}

    def violations(self) -> list:
        """What axe-core finds wrong with the page."""
        if not self.script("return 'axe' in window"):
            self.script(axe_script())
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; axe.run(document, {runOnly: arguments[0], resultTypes: ['violations']}).then("
            "r => done(r.violations.map(v => [v.id, v.help, v.nodes.slice(0, 3).map(n => n.target.join(' ') + ': ' + n.failureSummary)])), e => done(String(e)))", AXE_RULES)

    def complaints(self) -> list[str]:
        """What the browser's console has got since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


class Window(Looking):
    """A browser of its own."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        try:
            self.driver = webdriver.Chrome(service=webdriver.chrome.service.Service(shutil.which("chromedriver")), options=options)
        except WebDriverException as error:  # says nothing of a page
            raise unittest.SkipTest(f"the browser does not start here: {error}") from error
        self.driver.set_script_timeout(120)


@functools.cache
def the_driver() -> webdriver.Chrome:
    driver = Window().driver
    unittest.addModuleCleanup(driver.quit)
    return driver


class Browser(Looking, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="warpbook-test-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.driver = the_driver()

    def check_quiet(self) -> None:
        self.assertEqual(self.complaints(), [])


@dataclasses.dataclass
class Visit:
    """What was found on a page."""

    complaints: list[str]
    asked: set[str]      # addresses
    width: int
    ground: str
    broken: list[str]    # pictures
    violations: list     # of accessibility; none of a source file, if one of its kind was visited before: these differ in their text alone


LOOKS = {"light": (WIDE, "rgb(255, 255, 255)"), "dark": (NARROW, "rgb(17, 21, 26)")}  # the theme's width, and its ground


#: What a page is asked, when the pictures that it now wants have come.
ASKED = """
const images = [...document.images];
for (const image of images) image.loading = 'eager';
await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
await Promise.all(images.filter(i => !i.complete).map(i => new Promise(done => i.onload = i.onerror = done)));
return [document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor,
        images.filter(i => !i.naturalWidth).map(i => i.src)]"""


class OfTheWorkbook(Browser):
    """The real site."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.site = built(ROOT, cls.folder / "site")

    @classmethod
    @functools.cache
    def visited(cls) -> dict[str, dict[str, Visit]]:
        """A visit to each page in both themes, wide and narrow. A page is loaded once; what it is loaded with takes turns."""
        found: dict[str, dict[str, Visit]] = {theme: {} for theme in LOOKS}
        self, kinds_seen, looks = cls(), set(), list(LOOKS.items())
        self.open(cls.site / "index.html")
        self.script("localStorage.clear()")  # no theme is chosen
        self.requests(), self.complaints()
        for page in sorted(cls.site.rglob("*.html")):
            kind = page.suffixes[-2] if len(page.suffixes) > 1 else ""
            looks.reverse()
            self.look(looks[0][1][0], looks[0][0])
            self.open(page)
            asked = self.requests()
            for theme, (width, _) in looks:
                self.look(width, theme)
                shown = self.script(ASKED)
                asked |= self.requests()
                visit = found[theme][str(page.relative_to(cls.site))] = Visit(self.complaints(), asked, *shown, [])
                if axe() and (not kind or kind not in kinds_seen):
                    visit.violations = self.violations()
            kinds_seen.add(kind)
        return found

    def test_every_page_wide_and_narrow_light_and_dark_without_an_error_or_an_outside_request(self):
        for theme, pages in self.visited().items():
            width, ground = LOOKS[theme]
            self.assertGreater(len(pages), 40)
            for name, visit in pages.items():
                with self.subTest(page=name, width=width):
                    self.assertEqual(visit.complaints, [])
                    self.assertTrue(visit.asked)
                    self.assertEqual({address for address in visit.asked if not address.startswith(("file://", "data:"))}, set())
                    self.assertLessEqual(visit.width, width)
                    self.assertEqual(visit.ground, ground)
                    self.assertEqual(visit.broken, [])

    @unittest.skipUnless(axe(), NO_AXE)
    def test_every_page_is_accessible_in_both_themes(self):
        self.open(self.site / "index.html")
        self.script("document.querySelector('article').insertAdjacentHTML('beforeend', '<img src=\"data:,\"><p style=\"color: #ccc; background: #fff\">pale</p>')")
        self.assertLessEqual({"image-alt", "color-contrast"}, {each[0] for each in self.violations()})  # it does find what is wrong
        for theme, pages in self.visited().items():
            for name, visit in pages.items():
                with self.subTest(page=name, theme=theme):
                    self.assertEqual(visit.violations, [], json.dumps(visit.violations, indent=1))

    @unittest.skipUnless(axe(), NO_AXE)
    @unittest.skipUnless(shutil.which("node"), "no node, which makes the traces")
    def test_the_pages_of_see_are_accessible_in_both_themes(self):
        traces = self.folder / "traces"
        traces.mkdir()
        subprocess.run(["node", ROOT / "common/tests/see/traces.js", traces], check=True)
        sys.path.insert(0, str(ROOT / "common/see"))
        import page as see

        for name in ("coalesced_copy", "transpose_32", "race", "children"):
            see.write_page([traces / f"{name}.jsonl"], traces / f"{name}.html")
            for theme, (width, _) in LOOKS.items():
                with self.subTest(page=name, theme=theme):
                    self.look(width, theme)
                    self.open(traces / f"{name}.html")
                    found = self.violations()
                    self.assertEqual(found, [], json.dumps(found, indent=1))

    def test_on_paper_the_text_is_left_alone(self):
        self.look(800, "dark", "print")
        for name in ("index.html", *(f"labs/{path.parent.name}/index.html" for path in self.site.glob("labs/*/index.html"))):
            self.open(self.site / name)
            shown = self.script("return [...document.querySelectorAll('body > header, #pages, .contents, .neighbours, body > footer, .copy, .tick, .question form')]"
                                ".filter(e => e.getBoundingClientRect().height).map(e => e.className || e.id || e.tagName)")
            self.assertEqual(shown, [], name)
            self.assertEqual(self.script("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
            self.assertGreater(self.script("return document.querySelector('article').getBoundingClientRect().height"), 500)
            paper = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
            self.assertTrue(paper.startswith(b"%PDF"))
            self.assertGreater(len(paper), 10_000)

    def test_the_search_finds_a_section_and_opens_it(self):
        self.look()
        self.open(self.site / "docs/simulator.html")
        self.driver.find_element("tag name", "body").send_keys("/")
        self.assertEqual(self.script("return document.activeElement.id"), "search")
        self.find("#search").send_keys("bank conflicts")
        self.script("return new Promise(done => { const wait = () => document.querySelector('#found li') ? done(1) : setTimeout(wait, 20); wait(); })")
        self.assertRegex(self.find("#found [role=status]").text, r"^\d+ sections")
        self.assertTrue(self.script("return [...document.querySelectorAll('#found mark')].some(m => /bank/i.test(m.textContent))"))
        first = self.find("#found a").get_attribute("href")
        self.find("#search").send_keys(Keys.ARROW_DOWN)
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertEqual(self.driver.current_url, first)
        self.check_quiet()


class Small(Browser):
    """What a page does, on a site of a few pages."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        root = small_site.write_translation(small_site.write(cls.folder / "book"))
        shutil.copy(ROOT / "warpbook", root / "warpbook")
        (root / "common/command").symlink_to(ROOT / "common/command")
        cls.site = built(root, cls.folder / "site")
        cls.handout = cls.site / "labs/01-sums/index.html"
        cls.chinese = cls.site / "zh/labs/01-sums/index.html"

    def setUp(self) -> None:
        self.look()
        self.open(self.handout)
        self.script("localStorage.clear()")
        self.open(self.handout)

    def tearDown(self) -> None:
        self.check_quiet()

    def answer(self, name: str, text: str) -> str:
        field = self.find(f"#question-{name} input")
        field.clear()
        field.send_keys(text, Keys.ENTER)
        return self.find(f"#question-{name} .feedback").text

    def test_a_question_is_answered_and_the_answer_is_kept(self):
        name = "sectors-at-stride-2"
        self.assertEqual(self.answer(name, "4"), "✗ Not yet. 4 is the least.")
        self.assertEqual(self.answer(name, "5"), "✗ Not yet. Count the bytes.")
        self.assertEqual(self.answer(name, "8 bytes"), "'8 bytes' ends with 'bytes'. The answer is a number of sectors: type the number alone.")
        self.assertEqual(self.answer(name, "8 sectors"), "✓ Right. 256 bytes are 8 < 9 sectors.")
        self.assertEqual(self.find(".progress").text, "Your progress: 0 of 4 sections ticked, 1 of 3 questions answered.")
        self.open(self.handout)
        self.assertEqual(self.find(f"#question-{name} .feedback").text, "✓ Right. 256 bytes are 8 < 9 sectors.")
        self.assertEqual(self.script("return JSON.parse(localStorage.getItem('warpbook-progress'))['01'].answers"), {name: [4, 5, 8]})

    def test_the_answer_is_folded_until_it_is_asked_for(self):
        answer = self.find("#question-share-used details p")
        self.assertFalse(answer.is_displayed())
        self.find("#question-share-used summary").click()
        self.assertEqual(answer.text, "The answer is 0.5. Every second float.")

    def test_ticks_are_kept_and_counted_in_the_navigation_and_can_be_forgotten(self):
        boxes = self.driver.find_elements("css selector", ".tick")
        self.assertEqual([box.text for box in boxes], ["Done", "Done", "Read", "Done"])
        boxes[0].click()
        boxes[2].click()
        self.answer("about-nothing", "32")
        self.open(self.site / "docs/glossary.html")
        self.assertEqual(self.find("#pages .count").text, "3 of 7")
        self.open(self.handout)
        self.assertEqual([box.is_selected() for box in self.driver.find_elements("css selector", ".tick input")], [True, False, True, False])
        self.driver.find_elements("css selector", ".tick")[0].click()
        self.assertEqual(self.find("#pages .count").text, "2 of 7")
        self.find(".forget").click()
        self.assertEqual(self.find(".progress").text, "Your progress: 0 of 4 sections ticked, 0 of 3 questions answered.")
        self.assertEqual(self.driver.find_elements("css selector", "#pages .count"), [])

    def test_what_is_kept_may_be_spoilt(self):
        for spoilt in ('{"01": 3}', "[]", "{", '{"01": {"ticked": [], "answers": {"share-used": "x"}}}'):
            self.script("localStorage.setItem('warpbook-progress', arguments[0])", spoilt)
            self.open(self.handout)
            self.check_quiet()
            self.assertIn("Right", self.answer("share-used", "1/2"))

    def test_the_theme_follows_the_system_until_one_is_chosen_which_stays(self):
        ground = "return getComputedStyle(document.body).backgroundColor"
        light, dark = "rgb(255, 255, 255)", "rgb(17, 21, 26)"
        self.look(theme="dark")
        self.assertEqual(self.script(ground), dark)
        self.look(theme="light")
        self.assertEqual(self.script(ground), light)
        self.find(".theme").click()
        self.find(".theme").click()
        self.assertEqual((self.find(".theme").text, self.script(ground)), ("Theme: dark", dark))
        self.open(self.site / "index.html")
        self.assertEqual(self.script(ground), dark)
        self.look(theme="dark")
        self.find(".theme").click()
        self.find(".theme").click()
        self.assertEqual((self.find(".theme").text, self.script(ground)), ("Theme: light", light))

    def test_commands_are_copied_without_prompt_and_output(self):
        self.script("window.copied = []; navigator.clipboard.writeText = async text => { window.copied.push(text); }")
        buttons = self.driver.find_elements("css selector", ".copy")  # in their order on the page
        for button in buttons:
            self.script("arguments[0].click()", button)
        self.assertEqual(self.script("return window.copied"), ["./warpbook check 01 --todo 1\n./warpbook list\n", "./warpbook check 01 --todo 2", 'int lanes = 32;  // "of a warp"\n'])
        self.assertEqual(buttons[0].text, "Copied")

    def test_on_a_phone_the_pages_are_behind_a_button(self):
        self.look(NARROW)
        self.open(self.handout)
        pages = self.find("#pages")
        self.assertFalse(pages.is_displayed())
        self.find(".menu").send_keys(Keys.ENTER)
        self.assertTrue(pages.is_displayed())
        self.assertEqual(self.find(".menu").get_attribute("aria-expanded"), "true")
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)  # the first page
        self.assertEqual(self.driver.current_url, (self.site / "index.html").as_uri())

    def test_the_search_says_that_it_finds_nothing_and_closes(self):
        self.find("#search").send_keys("zebra")
        self.script("return new Promise(done => { const wait = () => document.querySelector('#found li') ? done(1) : setTimeout(wait, 20); wait(); })")
        self.assertEqual([link.text for link in self.driver.find_elements("css selector", "#found a b")], ["zebra – Glossary"])
        self.find("#search").send_keys(" lion")
        self.assertEqual(self.find("#found [role=status]").text, "Nothing has all these words.")
        self.find("#search").send_keys(Keys.ESCAPE)
        self.assertFalse(self.find("#found").is_displayed())

    def test_the_switch_of_languages_leads_to_the_same_section_with_the_same_progress(self):
        self.driver.find_elements("css selector", ".tick")[0].click()
        self.open(self.handout, "#questions")
        self.find(".languages a").click()
        self.assertEqual(self.driver.current_url, self.chinese.as_uri() + "#questions")
        self.assertEqual(self.script("return document.querySelector(':target').textContent"), "问题")
        self.assertEqual(self.answer("sectors-at-stride-2", "8 扇区"), "✓ 对。 256 字节是 8 < 9 个扇区。")
        self.assertEqual(self.find(".progress").text, "进度：4 节中已勾选 1 节，3 个问题中答对 1 个。")
        self.find(".languages a").click()
        self.assertEqual(self.find(".progress").text, "Your progress: 1 of 4 sections ticked, 1 of 3 questions answered.")

    def test_chinese_is_found_without_blanks_between_its_words(self):
        self.open(self.chinese)
        for typed, sections in (("合并访问", ["问题 – 实验 01：求和"]), ("扇区合并访问", ["问题 – 实验 01：求和"]), ("zebra", ["zebra – Glossary"]), ("线程块", [])):
            self.find("#search").clear()
            self.find("#search").send_keys(typed)
            self.script("return new Promise(done => { const wait = () => window.warpbookIndex ? done(1) : setTimeout(wait, 20); wait(); })")
            self.assertEqual([link.text for link in self.driver.find_elements("css selector", "#found a b")], sections, typed)
        self.assertEqual(self.find("#found [role=status]").text, "找不到。")

    @unittest.skipUnless(axe(), NO_AXE)
    def test_a_page_with_two_languages_is_accessible_in_both_themes(self):
        for theme, (width, _) in LOOKS.items():
            for page in (self.handout, self.chinese, self.chinese.with_name("hints.html")):
                with self.subTest(page=str(page), theme=theme):
                    self.look(width, theme)
                    self.open(page)
                    self.assertEqual(self.violations(), [])
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)

    def test_a_line_of_a_source_file_can_be_linked(self):
        self.open(self.site / "labs/01-sums/lab.hpp.html", "#L-2")
        self.assertEqual(self.script("return document.querySelector(':target').textContent"), "// the contract\n")

    def test_without_scripts_everything_can_be_read(self):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            self.look(NARROW)
            self.open(self.handout)
            self.assertTrue(self.find("#pages").is_displayed())
            self.assertFalse(self.find(".menu").is_displayed())
            self.assertTrue(self.find("#question-share-used summary").is_displayed())
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
