"""What ./warpbook site writes: pages, links, the index of the search, and no answers of solutions."""
import html
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "command"))
from fakes import ROOT, Scratch  # noqa: E402

import small_site  # noqa: E402
from command import give_out, questions, site  # noqa: E402
from command.problem import Problem  # noqa: E402
from command.website import catalogue, markdown, words  # noqa: E402
from command.website.book import PARTS, Book, Repository  # noqa: E402
from command.workbook import Workbook  # noqa: E402


class Links(html.parser.HTMLParser):
    """The targets and the ids of a page."""

    def __init__(self, text: str):
        super().__init__()
        self.targets: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.targets.append(value or "")
            elif name == "id":
                self.ids.append(value)


def dead_links(files: "dict[str, bytes]") -> list[str]:
    """The links of a site's pages that lead to no file or section of it, and all that lead to another host for something to load."""
    pages = {name: Links(data.decode("utf-8")) for name, data in files.items() if name.endswith(".html")}
    dead = []
    for name, page in pages.items():
        for target in page.targets:
            address = urllib.parse.urlsplit(target)
            if address.scheme:
                continue
            path = str(pathlib.PurePosixPath(name).parent / urllib.parse.unquote(address.path)) if address.path else name
            path = str(pathlib.Path("/", path).resolve())[1:]
            if path not in files or (address.fragment and path in pages and urllib.parse.unquote(address.fragment) not in pages[path].ids):
                dead.append(f"{name}: {target}")
    return dead


class Small(Scratch):
    def setUp(self) -> None:
        super().setUp()
        self.root = small_site.write(self.folder / "book")

    def book(self, repository: Repository = Repository()) -> Book:
        return Book(Workbook(self.root), repository)

    def page(self, target: str, repository: Repository = Repository()) -> str:
        return self.book(repository).files()[target].decode("utf-8")


class Pages(Small):
    def test_the_texts_their_sources_and_their_pictures_are_there_and_nothing_else(self):
        book = self.book()
        self.assertEqual(book.problems, [])
        self.assertEqual(set(book.files()), {
            "index.html", "labs/01-sums/index.html", "labs/01-sums/more.html", "labs/01-sums/hints.html", "labs/01-sums/lab.hpp.html", "labs/01-sums/sums.cu.html",
            "docs/glossary.html", "docs/simulator.html", "docs/how-grading-works.html", "docs/diagnoses.html", "docs/images/lanes.svg", "plots/data/sums.csv",
            "common/parts/index.html", "assets/site.css", "assets/site.js", "assets/answers.js", "assets/labs.js", "assets/search-index.js", ".nojekyll"})
        self.assertEqual(dead_links(book.files()), [])

    def test_a_solution_is_neither_linked_nor_shown_and_a_lab_s_file_is_the_starter(self):
        files = self.book().files()
        self.assertIn("the solution is not", self.page("labs/01-sums/index.html"))
        for name, data in files.items():
            self.assertNotIn(small_site.SECRET, data.decode("utf-8"), name)
        self.assertIn("the first", files["labs/01-sums/sums.cu.html"].decode())

    def test_links_lead_from_page_to_page_and_to_their_sections(self):
        page = self.page("labs/01-sums/index.html")
        for target in ("lab.hpp.html", "sums.cu.html", "../../docs/glossary.html#wavefront", "../../docs/images/lanes.svg", "more.html#measured"):
            self.assertIn(f'"{target}"', page)
        self.assertIn('href="labs/01-sums/index.html#questions"', self.page("index.html"))

    def test_what_leads_nowhere_is_told_with_its_page(self):
        small_site.write(self.root, glossary="# Glossary\n\n[a](nothing.md) [b](../labs/01-sums/README.md#none) [c](#zebra) [d](../../../etc/passwd)\n")
        self.assertEqual(self.book().problems, ["docs/glossary.md: nothing.md leads to no file of the workbook",
                                                "docs/glossary.md: ../../../etc/passwd leads to no file of the workbook",
                                                "docs/glossary.md: labs/01-sums/README.md has no section '#none'",
                                                "docs/glossary.md: docs/glossary.md has no section '#zebra'",
                                                "labs/01-sums/README.md: docs/glossary.md has no section '#wavefront'"])

    def test_headings_have_github_s_anchors(self):
        page = Links(self.page("labs/01-sums/index.html"))
        self.assertLessEqual({"todo1-the-first--best", "todo2-the-second", "questions", "todo1-the-first--best-1"}, set(page.ids))
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for path in [*ROOT.glob("docs/*.md"), *ROOT.glob("labs/*/README.md")]:
            text = path.read_text(encoding="utf-8")
            made = {heading.id for heading in markdown.render(text, str, str).headings}
            self.assertEqual(made, give_out.anchors(text), path.name)

    def test_a_question_stands_in_the_section_of_its_todo_with_its_answer_folded(self):
        page = self.page("labs/01-sums/index.html")
        places = [page.index(words) for words in ('id="todo1-the-first--best"', 'id="question-share-used"', 'id="todo2-the-second"', 'id="question-sectors-at-stride-2"',
                                                  'id="questions"', 'id="question-about-nothing"', 'id="todo1-the-first--best-1"')]
        self.assertEqual(places, sorted(places))
        self.assertIn("How many sectors at <code>stride</code> 2?", page)
        self.assertIn("<details><summary>Answer</summary><p><strong>The answer is 8 sectors.</strong> 256 bytes are 8 &lt; 9 sectors.</p></details>", page)

    def test_questions_without_a_place_come_at_the_end(self):
        small_site.write(self.root, README="# Lab 01: sums\n\nWords.\n")
        page = self.page("labs/01-sums/index.html")
        self.assertGreater(page.index('id="question-about-nothing"'), page.index('id="questions-that-a-number-answers"'))

    def test_the_hints_of_a_todo_are_linked_at_the_end_of_its_section(self):
        page = self.page("labs/01-sums/index.html")
        self.assertEqual(page.count('<a href="hints.html#todo1-x">Hints for TODO(1)</a>'), 2)  # two sections are about it
        self.assertNotIn("Hints for TODO(2)", page)

    def test_commands_and_programs_may_be_copied_and_drawings_not(self):
        page = self.page("labs/01-sums/index.html")
        self.assertEqual([block for block in re.findall(r'<pre( data-copied)?><code class="code">', page)], [" data-copied", "", " data-copied"])

    def test_pages_of_see_are_listed_with_their_programs(self):
        made = self.write("see_one.html", "<title>one</title>")
        book = Book(Workbook(self.root), Repository(), {"docs/examples/see_one.cu": made})
        files = book.files()
        self.assertEqual((book.problems, dead_links(files), files["see/see_one.html"]), ([], [], made.read_bytes()))
        page = files["docs/examples.html"].decode("utf-8")
        self.assertIn('<td><a href="../see/see_one.html">see_one</a></td>\n<td><a href="examples/see_one.cu.html"><code>see_one.cu</code></a></td>\n<td>Shows one thing.</td>', page)
        self.assertNotIn("docs/examples.html", self.book().files())

    def test_what_may_be_edited_leads_to_the_repository_where_there_is_one(self):
        there = Repository("https://github.com/me/book", "trunk")
        self.assertIn('href="https://github.com/me/book/edit/trunk/docs/glossary.md"', self.page("docs/glossary.html", there))
        self.assertIn('href="https://github.com/me/book/blob/trunk/labs/01-sums/lab.hpp"', self.page("labs/01-sums/lab.hpp.html", there))
        self.assertNotIn("/edit/", self.page("docs/diagnoses.html", there))  # made of two others
        self.assertNotIn("github.com", self.page("docs/glossary.html"))

    def test_a_notebook_is_a_page_that_opens_it_in_colab(self):
        cells = [{"cell_type": "markdown", "source": ["# In cells\n", "\n", "See the [glossary](glossary.md#zebra)."]},
                 {"cell_type": "code", "outputs": [], "source": ["import os\n", "print(1 < 2)"]}, {"cell_type": "markdown", "source": ["## After\n"]},
                 {"cell_type": "code", "outputs": [], "source": ["%%todo 01 1\n", "int a;"]}]
        (self.root / "docs/notebook.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        page = self.page("docs/notebook.html", Repository("https://github.com/me/book", "trunk"))
        for words in ('<h1 id="in-cells">', '<a href="glossary.html#zebra">', '<h2 id="after">', "%%todo 01 1\nint a;\n", "&lt;</span>",
                      '<a href="https://colab.research.google.com/github/me/book/blob/trunk/docs/notebook.ipynb" rel="noopener">open it in Colab</a>',
                      "<code>https://github.com/me/book</code>", 'href="https://github.com/me/book/edit/trunk/docs/notebook.ipynb"'):
            self.assertIn(words, page)
        self.assertIn('<a href="docs/notebook.html">In cells</a>', self.page("index.html"))
        for address in ("", "https://example.org/book"):
            page = self.page("docs/notebook.html", Repository(address))
            self.assertNotIn("colab.research", page)
            self.assertIn("open it in Jupyter, in VS Code or in Colab", page)
        self.assertEqual(dead_links(self.book().files()), [])

    def test_the_diagnoses_of_simulator_and_grader_are_listed(self):
        page = self.page("docs/diagnoses.html")
        self.assertIn('<a href="how-grading-works.html#there">nothing</a>', page)
        self.assertIn('<td><a href="simulator.html#shared-race"><code>shared-race (scope)</code></a></td>\n<td>Two blocks, in two lines.</td>', page)
        self.assertIn("<td>Two threads use &lt;place&gt;.</td>", page)

    def test_the_search_knows_each_section(self):
        said = self.book().files()["assets/search-index.js"].decode("utf-8")
        entries = json.loads(said.partition(" = ")[2].rstrip(";\n"))
        self.assertIn(["docs/glossary.html#zebra", "Glossary", "zebra", "An animal: x<y>."], entries)
        self.assertIn(["labs/01-sums/index.html#questions", "Lab 01: sums", "Questions", "Why? Because of sectors."], entries)
        self.assertFalse([entry for entry in entries if entry[0].endswith((".cu.html", ".hpp.html"))])

    def test_a_broken_file_of_questions_is_a_sentence(self):
        (self.root / "labs/01-sums/questions.json").write_text("{")
        with self.assertRaisesRegex(Problem, "questions.json is not JSON"):
            self.book()


class InChinese(Small):
    """The site of a workbook that has a lab in Chinese, too."""

    def setUp(self) -> None:
        super().setUp()
        small_site.write_translation(self.root)

    def test_translated_pages_stand_below_their_language_s_folder(self):
        book = self.book()
        self.assertEqual(book.problems, [])
        self.assertEqual({name for name in book.files() if name.startswith("zh/") or ".zh." in name},
                         {"zh/labs/01-sums/index.html", "zh/labs/01-sums/hints.html", "zh/labs/01-sums/sums.cu.html", "assets/words.zh.js", "assets/search-index.zh.js"})
        self.assertEqual(dead_links(book.files()), [])

    def test_a_switch_leads_from_each_language_to_the_other_and_the_head_names_both(self):
        here, there = self.page("labs/01-sums/index.html"), self.page("zh/labs/01-sums/index.html")
        self.assertIn('<a href="../../zh/labs/01-sums/index.html" lang="zh-Hans" hreflang="zh-Hans">中文</a>', here)
        self.assertIn('<a href="../../../labs/01-sums/index.html" lang="en" hreflang="en">English</a>', there)
        for page, language, back in ((here, "en", "../.."), (there, "zh-Hans", "../../..")):
            self.assertIn(f'<html lang="{language}"', page)
            self.assertIn(f'<link rel="alternate" hreflang="zh-Hans" href="{"" if language == "zh-Hans" else back + "/zh/labs/01-sums/"}index.html">', page)
            self.assertIn('<link rel="alternate" hreflang="x-default" href="', page)
        self.assertNotIn("hreflang", self.page("docs/glossary.html"))

    def test_links_lead_to_the_translation_where_there_is_one_and_say_where_not(self):
        page = self.page("zh/labs/01-sums/index.html")
        for target in ("sums.cu.html", "../../../labs/01-sums/lab.hpp.html", "../../../labs/01-sums/more.html#measured", "../../../docs/glossary.html#wavefront",
                       "../../../docs/images/lanes.svg", "hints.html#todo1-x"):
            self.assertIn(f'"{target}"', page)
        self.assertIn('<a href="../../../docs/glossary.html" hreflang="en" lang="en">Glossary</a>', page)  # in the navigation
        self.assertIn("// TODO(1): 第一个", re.sub("<[^>]*>", "", self.page("zh/labs/01-sums/sums.cu.html")))
        self.assertIn("// TODO(1): the first", re.sub("<[^>]*>", "", self.page("labs/01-sums/sums.cu.html")))

    def test_sections_have_the_original_s_anchors_so_that_progress_is_one(self):
        english, chinese = (Links(self.page(name)).ids for name in ("labs/01-sums/index.html", "zh/labs/01-sums/index.html"))
        self.assertEqual(chinese, english)
        self.assertIn('href="#questions"', self.page("zh/labs/01-sums/index.html"))  # written as #问题
        self.assertEqual(set(re.findall(r'data-lab="(\d*)"', self.page("zh/labs/01-sums/index.html"))), {"01"})

    def test_with_other_headings_a_translation_keeps_its_own_anchors(self):
        (self.root / "labs/01-sums/README.zh.md").write_text("# 实验\n\n## 新的\n", encoding="utf-8")
        self.assertIn("新的", Links(self.page("zh/labs/01-sums/index.html")).ids)

    def test_the_page_speaks_its_language_as_far_as_the_catalogue_goes(self):
        page = self.page("zh/labs/01-sums/index.html")
        for words in ("<span>下一页</span>", "TODO(1) 的提示</a>", "<span>Previous</span>", "有多少个扇区？", "<strong>答案是 8 扇区。</strong> 256 字节", "How many lanes has a warp?"):
            self.assertIn(words, page)  # what is marked as fuzzy, or has no translation, is English
        self.assertNotIn("下一页", self.page("labs/01-sums/index.html"))
        words = self.book().files()["assets/words.zh.js"].decode("utf-8")
        self.assertEqual(json.loads(words.partition(" = ")[2].rstrip(";\n"))["✓ Right."], "✓ 对。")

    def test_lines_that_end_in_chinese_are_joined_without_a_blank(self):
        self.assertIn("</a>，你的文件是 <a ", self.page("zh/labs/01-sums/index.html"))

    def test_a_page_whose_original_has_changed_says_so(self):
        said = "英文页面比这个译文新。"
        self.assertNotIn(said, self.page("zh/labs/01-sums/index.html"))
        self.assertIn(f'<a href="../../../labs/01-sums/hints.html" hreflang="en">{said}</a>', self.page("zh/labs/01-sums/hints.html"))
        self.assertNotIn("Translation of", self.page("zh/labs/01-sums/hints.html"))

    def test_the_search_of_a_language_has_its_pages_and_the_others_in_english(self):
        files = self.book().files()
        english, chinese = ({entry[0]: entry for entry in json.loads(files[f"assets/search-index{name}.js"].decode("utf-8").partition(" = ")[2].rstrip(";\n"))} for name in ("", ".zh"))
        self.assertEqual(chinese["zh/labs/01-sums/index.html#questions"], ["zh/labs/01-sums/index.html#questions", "实验 01：求和", "问题", "为什么？ 因为扇区和合并访问。"])
        self.assertIn("docs/glossary.html#zebra", chinese)
        self.assertFalse([address for address in chinese if address.startswith("labs/01-sums/index")])
        self.assertFalse([address for address in english if address.startswith("zh/")])


class Words(unittest.TestCase):
    def test_every_text_that_pages_and_scripts_say_is_listed_for_translators_and_no_other(self):
        folder = ROOT / "common/command/website"
        said = set(re.findall(r'@"([A-Z][^"]*)"@', (folder / "page.html").read_text(encoding="utf-8")))
        for name in ("site.js", "answers.js", "book.py"):
            text = (folder / name).read_text(encoding="utf-8")
            said |= {found[2] for found in re.finditer(r"""\b(?:say|code\])\((["'])(.+?)\1[,)]""", text)}
        said |= {name for name, _ in PARTS} | {"Labs", "More"}
        self.assertEqual(said, set(words.TEXTS))


class Verb(Small):
    def run_site(self, *options: str) -> tuple:
        shutil.copy(ROOT / "warpbook", self.root / "warpbook")
        if not (self.root / "common/command").exists():
            (self.root / "common/command").symlink_to(ROOT / "common/command")
        done = subprocess.run([sys.executable, "-B", self.root / "warpbook", "site", *options], capture_output=True, text=True, cwd=self.root, check=False)
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode, done.stdout, done.stderr

    def test_it_writes_the_site_and_replaces_it(self):
        status, out, err = self.run_site()
        self.assertEqual((status, err), (0, ""), out)
        self.assertIn("The site: build/site/index.html, 11 pages", out)
        (self.root / "build/site/old.html").write_text("")
        self.run_site()
        self.assertFalse((self.root / "build/site/old.html").exists())
        self.assertTrue((self.root / "build/site/index.html").exists())

    def test_a_folder_with_other_things_is_left_alone(self):
        path = self.write("book/mine/notes.txt", "dear")
        status, _, err = self.run_site("--out", "mine")
        self.assertEqual((status, path.read_text()), (2, "dear"))
        self.assertIn("mine holds other things than a site that ./warpbook site has made; it is left as it is.", err)

    def test_dead_links_are_told_and_the_site_is_written_all_the_same(self):
        small_site.write(self.root, glossary="# Glossary\n\n[a](nothing.md)\n\n## wavefront\n")
        status, out, _ = self.run_site()
        self.assertEqual(status, 1)
        self.assertIn("Links that lead nowhere:\n  docs/glossary.md: nothing.md leads to no file of the workbook\n", out)
        self.assertTrue((self.root / "build/site/index.html").exists())

    def test_an_address_has_to_be_one(self):
        self.assertIn("write the address that a browser opens", self.run_site("--repository", "me/book")[2])

    def test_served_it_is_the_same_site(self):
        self.run_site()
        shutil.copy(ROOT / "warpbook", self.root / "warpbook")
        with subprocess.Popen([sys.executable, "-B", "-u", self.root / "warpbook", "site", "--serve", "--port", "0"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, cwd=self.root) as process:
            try:
                address = next(re.search(r"http://\S+", line)[0] for line in process.stdout if "http://" in line)
                with urllib.request.urlopen(f"{address}labs/01-sums/", timeout=20) as reply:
                    self.assertEqual(reply.read(), (self.root / "build/site/labs/01-sums/index.html").read_bytes())
            finally:
                process.terminate()

    def test_the_repository_is_what_git_calls_its_origin(self):
        for remote, address in (("git@github.com:me/book.git", "https://github.com/me/book"), ("https://github.com/me/book", "https://github.com/me/book"),
                                ("https://token@github.com/me/book.git", "https://github.com/me/book"), ("ssh://git@github.com/me/book.git", "https://github.com/me/book"),
                                ("/srv/book.git", ""), ("https://example.org/book", ""), ("", "")):
            self.assertEqual(site.web_address(remote), address, remote)


@unittest.skipUnless(shutil.which("node"), "no node, which would run the site's code")
class InTheBrowserAsOnTheTerminal(unittest.TestCase):
    def test_answers_are_read_and_judged_alike(self):
        typed = ["8", " 8.0 ", "-3", "−3", "+3", ".5", "5.", "0,5", "1,024", "1,024.5", "0,125", "12,34", "1_024", "1e3", "3/4", "3 / 4", "2^10", "2**-1", "8 sectors", "8sectors", "8 Sector.",
                 "256 bytes", "50 %", "", "eight", "1,2,3", "1/0", "1e999", "--3", "nan", "inf", "-8^0.5", "10^999", "4", "4.0000000000001", "7.99", "8 / sectors", "1e3 sectors", "0^-1",
                 "8 s", "８ sectors", "8个", "8 个扇区", "8 扇区。", "8个 字节", "１．５e３", "3／4 个扇区"]
        question = questions.Question(**small_site.QUESTIONS["questions"][0])
        data = {"answer": 8, "tolerance": 0, "why": question.why, "wrong": question.wrong, "otherwise": question.otherwise}
        script = ("const {numberOf, judge} = require(process.argv[1]).warpbookAnswers; const [typed, question, units] = JSON.parse(process.argv[2]);"
                  "console.log(JSON.stringify(typed.map(t => { const {value, problem} = numberOf(t, ...units); return problem ? [problem] : [value, judge(question, value)]; })))")
        for units in (("sectors",), ("扇区", "sectors")):
            done = subprocess.run(["node", "-e", script, ROOT / "common/command/website/answers.js", json.dumps([typed, data, units])], capture_output=True, text=True, check=True)
            for text, said in zip(typed, json.loads(done.stdout)):
                try:
                    value = questions.number_of(text, *units)
                    judgement = questions.judge(question, value)
                    wanted = [value, {"right": judgement.right, "why": judgement.why}]
                except questions.NotANumber as error:
                    wanted = [str(error)]
                self.assertEqual(said, wanted, (text, units))


class OfTheWorkbook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.book = Book(Workbook(ROOT), Repository("https://github.com/me/book"))
        cls.files = cls.book.files()

    def test_no_link_is_dead(self):
        self.assertEqual(self.book.problems, [])
        self.assertEqual(dead_links(self.files), [])
        self.assertGreater(len(self.book.pages), 40)

    def test_every_text_for_readers_is_there(self):
        for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/*.ipynb"), *ROOT.glob("labs/*/README.md"), *ROOT.glob("labs/*/more.md"), *ROOT.glob("labs/*/hints.md")]:
            self.assertIn(str(path.relative_to(ROOT)), {page.source for page in self.book.pages.values()})

    def test_every_question_of_a_lab_is_in_its_handout(self):
        for lab in Workbook(ROOT).labs():
            page = self.files[f"labs/{lab.name}/index.html"].decode("utf-8")
            for question in questions.read(lab.folder):
                self.assertEqual(page.count(f'id="question-{question.id}"'), 1)

    def test_no_page_defines_a_function_of_a_contract(self):
        """As give-out sees to it: the site's pages, without their tags."""
        tree = {name: give_out.File(re.sub(rb"<[^>]*>", b"", data)) for name, data in self.files.items() if name.endswith(".html")}
        labs = [f"labs/{lab.name}" for lab in Workbook(ROOT).labs()]
        for lab in Workbook(ROOT).labs():
            tree[f"labs/{lab.name}/lab.hpp"] = give_out.File((lab.folder / "lab.hpp").read_bytes())
        starters = {page.target for page in self.book.pages.values() if page.source in self.book.starters}
        self.assertGreaterEqual(len(starters), len(labs))
        self.assertEqual(set(give_out.answers(tree, labs)) - starters, set())
        self.assertLessEqual(starters, set(give_out.answers(tree, labs)))  # the search does find such a definition
        self.assertFalse([name for name in self.files if name.startswith("solutions/")])

    def test_every_diagnosis_of_the_simulator_is_in_the_catalogue(self):
        text = (ROOT / catalogue.SIMULATOR).read_text(encoding="utf-8")
        listed = {name.partition(" ")[0] for name, _, _ in catalogue.findings(text)}
        named = set(" ".join(re.findall(r"^<!-- findings:? ([^>]*)-->", text, re.M)).split()) - {"-->"}
        self.assertGreater(len(named), 40)
        self.assertEqual({name.strip(",:") for name in named} - listed, set())

    def test_nothing_is_loaded_from_another_host(self):
        for name, data in self.files.items():
            if name.endswith((".html", ".css", ".js")) and name != "assets/search-index.js":
                text = data.decode("utf-8")
                self.assertNotRegex(text, r"<(?:link|script|img|iframe)\b[^>]*(?:href|src)=\"?(?:https?:)?//|@import|url\((?!data:)|\bfetch\(", name)


if __name__ == "__main__":
    unittest.main()
