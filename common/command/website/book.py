"""The site as a whole: which pages there are, where their links lead, and the files that it is made of."""
from __future__ import annotations

import dataclasses
import html
import json
import os
import pathlib
import posixpath
import re
import urllib.parse

from .. import lab_facts, questions
from ..problem import Problem
from ..workbook import Lab, Workbook
from . import catalogue, markdown
from .markdown import Heading, Rendered

HERE = pathlib.Path(__file__).resolve().parent
ASSETS = ("site.css", "answers.js", "site.js")
DIAGNOSES = "docs/diagnoses.md"
EXAMPLES = "docs/examples.md"  # of pages that ./warpbook see makes
#: The navigation, as far as the tree has the pages. Other pages of docs/ come at its end.
PARTS = (
    ("Start", ("README.md", "docs/student-guide.md", "docs/glossary.md")),
    ("Reference", ("docs/run-any-cuda-program.md", EXAMPLES, "docs/simulator.md", DIAGNOSES, "docs/measuring-well.md", "docs/results.md")),
    ("Teaching", ("docs/instructor-guide.md", "docs/course-rules.md", "docs/how-grading-works.md", "docs/what-can-be-faked.md")),
    ("Contributing", ("CONTRIBUTING.md", "docs/where-to-look.md", "docs/adding-a-lab.md", "docs/trace-format.md")),
)
_OF_A_LAB = ("README.md", "more.md", "hints.md")
#: What a reader is to find out, or to be judged by, stays out: links that lead there become plain words.
SECRET = ("solutions/", "common/tests/accepted/", "common/tests/attacks/")
_LARGEST_CODE = 400_000  # bytes; a larger file is copied as it is
_TEXT = {".cu", ".cpp", ".hpp", ".h", ".c", ".cuh", ".py", ".json", ".js", ".css", ".cmake", ".txt", ".yml", ".yaml", ".sh", ".list", ".starter"}


@dataclasses.dataclass
class Page:
    """One page of the site."""

    source: str  # its path in the workbook
    target: str  # its path in the site
    title: str
    body: str
    ids: set[str]
    rendered: Rendered | None = None  # of a page that is a text
    lab: Lab | None = None            # of a handout


@dataclasses.dataclass(frozen=True)
class Repository:
    """Where the workbook lies on the web; without an address there is nothing to edit."""

    address: str = ""  # https://github.com/owner/name
    branch: str = "main"

    def file(self, path: str) -> str:
        return f"{self.address}/blob/{self.branch}/{urllib.parse.quote(path)}" if self.address else ""

    def edit(self, path: str) -> str:
        return f"{self.address}/edit/{self.branch}/{urllib.parse.quote(path)}" if self.address else ""


def target_of(source: str) -> str:
    """Where the page of a Markdown file goes: README.md is its folder's index."""
    folder, name = posixpath.split(source)
    return posixpath.join(folder, "index.html" if name == "README.md" else name[:-len(".md")] + ".html")


class Book:
    """All pages of a workbook, and what they need. `problems` are links that lead nowhere, each with its page."""

    def __init__(self, workbook: Workbook, repository: Repository, seen: "dict[str, pathlib.Path] | None" = None):
        """`seen` are the pages of `./warpbook see` to take along, by the programs that they show."""
        self.root, self.repository = workbook.root, repository
        self.seen = seen or {}
        self.labs = {f"labs/{lab.name}": lab for lab in workbook.labs()}
        self.starters = {f"{folder}/{lab.starter.name}": f"{folder}/{lab.kept_starter.name}" for folder, lab in self.labs.items()}
        self.pages: dict[str, Page] = {}  # by their targets
        self.copied: set[str] = set()     # files that go along as they are
        self.problems: list[str] = []
        self._links: list[tuple[str, str, str]] = []  # (source, target page, anchor), to be checked in the end
        self._asked: dict[str, list[questions.Question]] = {}
        self._made = {DIAGNOSES: catalogue.page(self._read(catalogue.SIMULATOR), self._read(catalogue.GRADER)), EXAMPLES: self._examples()}
        self.parts = self._parts()
        self._waiting = [source for _, sources in self.parts for source in sources]
        done: set[str] = set()
        while self._waiting:
            source = self._waiting.pop(0)
            if source not in done:
                done.add(source)
                page = self._text(source) if source.endswith(".md") else self._folder(source) if (self.root / source).is_dir() else self._code(source)
                self.pages[page.target] = page
        self._check()

    # ---- what there is --------------------------------------------------------------------------------

    def _read(self, source: str) -> str:
        try:
            return (self.root / source).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def _is_there(self, source: str) -> bool:
        return bool(self._made.get(source)) or (self.root / source).is_file()

    def _parts(self) -> list[tuple[str, list[str]]]:
        parts = [(name, [source for source in sources if self._is_there(source)]) for name, sources in PARTS]
        of_labs = [f"{folder}/{name}" for folder in self.labs for name in _OF_A_LAB if self._is_there(f"{folder}/{name}")]
        parts.insert(1, ("Labs", of_labs))
        known = {source for _, sources in parts for source in sources}
        rest = [f"docs/{path.name}" for path in sorted((self.root / "docs").glob("*.md")) if f"docs/{path.name}" not in known]
        parts.append(("More", rest))
        return [(name, sources) for name, sources in parts if sources]

    def _examples(self) -> str:
        """The page that lists the pages of see. Each program says in its first comment what it shows."""
        if not self.seen:
            return ""
        lines = ["# Examples of drawn accesses", "", "`./warpbook see` draws what the kernels of your file do with memory, and `./warpbook sim --see` those of any program.",
                 "These pages were made of small programs. Each opens by itself; your browser's *Back* returns.", "", "| page | program | what it shows |", "| --- | --- | --- |"]
        for source in self.seen:
            said = re.match(r"(?:// ?(.*)\n)+?(?://\n|\n)", self._read(source))
            name = posixpath.basename(source)
            lines.append(f"| [{pathlib.PurePosixPath(name).stem}](../{_page_of_see(source)}) | [`{name}`](../{source}) | {said[1] if said else ''} |")
        return "\n".join(lines) + "\n"

    # ---- links ----------------------------------------------------------------------------------------

    def _resolved(self, source: str, href: str, picture: bool = False) -> str | None:
        """What the link `href` of the file `source` becomes; None if its target is not shown."""
        if re.match(r"[a-z][a-z0-9+.-]*:", href, re.I):
            return href
        path, _, anchor = href.partition("#")
        here = posixpath.dirname(source)
        wanted = posixpath.normpath(posixpath.join(here, urllib.parse.unquote(path))) if path else source
        wanted = posixpath.join(wanted, "README.md") if self._is_there(posixpath.join(wanted, "README.md")) else wanted
        if any(f"{wanted}/".startswith(secret) for secret in SECRET):
            return None
        if wanted in map(_page_of_see, self.seen):
            return urllib.parse.quote(posixpath.relpath(wanted, posixpath.dirname(self._page_of(source)) or "."))
        if wanted.startswith("..") or not (self._is_there(wanted) or (self.root / wanted).is_dir()):
            self.problems.append(f"{source}: {href} leads to no file of the workbook")
            return None
        target = self._target(wanted, picture)
        if anchor:
            self._links.append((source, target, urllib.parse.unquote(anchor)))
        from_here = posixpath.dirname(self._page_of(source))
        relative = posixpath.relpath(target, from_here or ".")
        return urllib.parse.quote(relative) + (f"#{anchor}" if anchor else "") if path else f"#{anchor}"

    def _page_of(self, source: str) -> str:
        if source.endswith(".md"):
            return target_of(source)
        return f"{source}/index.html" if (self.root / source).is_dir() else f"{source}.html"

    def _target(self, wanted: str, picture: bool) -> str:
        """The path in the site of a file that a page leads to, which is made or copied with it."""
        file = self.root / wanted
        shown = wanted.endswith(".md") or file.is_dir() or (file.suffix in _TEXT and file.stat().st_size <= _LARGEST_CODE)
        if picture or not shown:
            self.copied.add(wanted)
            return wanted
        self._waiting.append(wanted)
        return self._page_of(wanted)

    def _check(self) -> None:
        for source, target, anchor in self._links:
            page = self.pages.get(target)
            if page and anchor not in page.ids:
                self.problems.append(f"{source}: {page.source} has no section '#{anchor}'")

    # ---- pages ----------------------------------------------------------------------------------------

    def _text(self, source: str) -> Page:
        folder, name = posixpath.split(source)
        lab = self.labs.get(folder)
        left = list(self.questions_of(folder)) if lab and name == "README.md" else []
        hints = self._hints(folder) if lab and name == "README.md" else {}

        def insert(heading: Heading) -> str:
            more = "".join(f'<p class="hints"><a href="hints.html#{html.escape(hints[todo])}">Hints for TODO({todo})</a></p>\n' for todo in sorted(heading.todos & hints.keys()))
            chosen = left[:] if heading.text.startswith("Questions") else [each for each in left if each.todo in heading.todos]
            for each in chosen:
                left.remove(each)
            return more + "".join(question_html(each, lab) for each in chosen)

        text = self._made.get(source) or self._read(source)
        rendered = markdown.render(text, lambda href: self._resolved(source, href),
                                   lambda href: self._resolved(source, href, picture=True), insert if lab else None)
        if left:
            rest = "".join(question_html(each, lab) for each in left)
            rendered.html += f'<h2 id="questions-that-a-number-answers">Questions that a number answers</h2>\n{rest}'
            rendered.headings.append(Heading(2, "questions-that-a-number-answers", "Questions that a number answers"))
        ids = {heading.id for heading in rendered.headings} | set(re.findall(r'\bid="([^"]+)"', rendered.html))
        return Page(source, target_of(source), rendered.title or name, rendered.html, ids, rendered, lab if name == "README.md" else None)

    def _hints(self, folder: str) -> dict[int, str]:
        """Where a lab's page of hints has those of each TODO: the anchors of its headings."""
        headings = markdown.render(self._read(f"{folder}/hints.md"), str, str).headings
        return {todo: heading.id for heading in headings if heading.level == 2 for todo in heading.todos}

    def questions_of(self, folder: str) -> list[questions.Question]:
        if folder not in self._asked:
            try:
                self._asked[folder] = questions.read(self.root / folder)
            except questions.Broken as broken:
                raise Problem(str(broken)) from broken
        return self._asked[folder]

    def _code(self, source: str) -> Page:
        """A source file as a page; that of a lab as it is given out, whatever has been made of it."""
        text = self._read(self.starters.get(source, source)).rstrip("\n") + "\n"
        suffix = pathlib.PurePosixPath(source.removesuffix(".starter")).suffix
        lines = markdown.highlighted(text, suffix[1:]).splitlines(keepends=True)
        code = "".join(f'<span id="L-{number}">{line}</span>' for number, line in enumerate(lines, 1))
        name = posixpath.basename(source)
        folder = posixpath.dirname(source)
        handout = f'<p>A file of <a href="index.html">{html.escape(self.labs[folder].name)}</a>.</p>\n' if folder in self.labs else ""
        block = markdown.with_frames(f'<pre class="file" data-copied><code class="code">{code}</code></pre>')
        body = f"<h1>{html.escape(name)}</h1>\n{handout}{block}\n"
        return Page(source, self._page_of(source), name, body, {f"L-{number + 1}" for number in range(len(lines))})

    def _folder(self, source: str) -> Page:
        names = sorted(path.name + "/" * path.is_dir() for path in (self.root / source).iterdir() if path.name != "__pycache__")
        items = "".join(f"<li><code>{html.escape(name)}</code></li>\n" for name in names)
        body = f"<h1>{html.escape(posixpath.basename(source))}/</h1>\n<p>The folder <code>{html.escape(source)}</code> of the workbook holds:</p>\n<ul>\n{items}</ul>\n"
        return Page(source, self._page_of(source), f"{posixpath.basename(source)}/", body, set())

    # ---- the site -------------------------------------------------------------------------------------

    def order(self) -> list[Page]:
        """The pages of the navigation, one after the other."""
        return [self.pages[target_of(source)] for _, sources in self.parts for source in sources]

    def _navigation(self, here: Page) -> str:
        lines = []
        for name, sources in self.parts:
            lines.append(f"<li><span>{html.escape(name)}</span><ul>")
            for source in sources:
                page = self.pages[target_of(source)]
                current = ' aria-current="page"' if page is here else ""
                label = {"more.md": "More", "hints.md": "Hints"}.get(posixpath.basename(source), "") if page.source.startswith("labs/") else ""
                of_a_lab = f' data-lab="{page.lab.number}"' if page.lab else ""
                lines.append(f'<li{" class=sub" if label else ""}><a href="{_from(here, page.target)}"{current}{of_a_lab}>{html.escape(label or page.title)}</a></li>')
            lines.append("</ul></li>")
        return "\n".join(lines)

    def _contents(self, page: Page) -> str:
        headings = [heading for heading in (page.rendered.headings if page.rendered else []) if heading.level in (2, 3)]
        if len(headings) < 2:
            return ""
        items = "".join(f'<li class="level{heading.level}"><a href="#{html.escape(heading.id)}">{html.escape(heading.text)}</a></li>\n' for heading in headings)
        return f'<nav class="contents" aria-label="On this page">\n<p>On this page</p>\n<ul>\n{items}</ul>\n</nav>'

    def _neighbours(self, page: Page) -> str:
        order = self.order()
        if page not in order:
            return ""
        place = order.index(page)
        links = [(word, each, order[each]) for word, each in (("Previous", place - 1), ("Next", place + 1)) if 0 <= each < len(order)]
        inner = "".join(f'<a class="{word.lower()}" href="{_from(page, other.target)}"><span>{word}</span> {html.escape(other.title)}</a>' for word, _, other in links)
        return f'<nav class="neighbours" aria-label="Neighbouring pages">{inner}</nav>'

    def _foot(self, page: Page) -> str:
        there = page.source not in self._made and not (self.root / page.source).is_dir()
        edit, file = self.repository.edit(page.source), self.repository.file(page.source)
        if not there or not edit:
            return ""
        if page.rendered:
            return f'<p><a href="{html.escape(edit)}" rel="noopener">Edit this page</a></p>'
        return f'<p><a href="{html.escape(file)}" rel="noopener">This file in the repository</a></p>'

    def _html(self, page: Page) -> str:
        template = (HERE / "page.html").read_text(encoding="utf-8")
        root = posixpath.relpath(".", posixpath.dirname(page.target) or ".")
        parts = {"TITLE": html.escape(page.title if page.target == "index.html" else f"{page.title} – Warpbook"), "ROOT": root,
                 "LAB": page.lab.number if page.lab else "", "NAVIGATION": self._navigation(page), "BODY": page.body,
                 "CONTENTS": self._contents(page), "NEIGHBOURS": self._neighbours(page), "FOOT": self._foot(page)}
        return re.sub(r"@([A-Z]+)@", lambda match: parts[match[1]] if match[1] in parts else match[0], template)

    def _index(self) -> list[list[str]]:
        """[address, page, section, text] of each section of each text: what the search knows."""
        entries = []
        for page in self.pages.values():
            for section in page.rendered.sections if page.rendered else []:
                heading = section.heading
                if heading or section.text:
                    top = heading is None or heading.level == 1
                    entries.append([page.target if top else f"{page.target}#{heading.id}", page.title, "" if top else heading.text, section.text])
        return entries

    def _labs(self) -> dict[str, dict]:
        """What the browser needs to count a student's progress."""
        counts = {}
        for page in self.pages.values():
            if page.lab and page.rendered:
                counts[page.lab.number] = {"sections": [heading.id for heading in page.rendered.headings if heading.level == 2],
                                           "questions": {each.id: [each.answer, each.tolerance] for each in self.questions_of(f"labs/{page.lab.name}")}}
        return counts

    def files(self) -> dict[str, bytes]:
        """All files of the site by their paths."""
        made = {page.target: self._html(page).encode("utf-8") for page in self.pages.values()}
        for name in ASSETS:
            made[f"assets/{name}"] = (HERE / name).read_bytes()
        made["assets/labs.js"] = f"window.warpbookLabs = {_script(self._labs())};\n".encode("utf-8")
        made["assets/search-index.js"] = f"window.warpbookIndex = {_script(self._index())};\n".encode("utf-8")
        for source, page in self.seen.items():
            made[_page_of_see(source)] = page.read_bytes()
        for source in sorted(self.copied):
            made[source] = (self.root / source).read_bytes()
        made[".nojekyll"] = b""  # GitHub Pages is to take the files as they are
        return made


def _page_of_see(source: str) -> str:
    return f"see/{pathlib.PurePosixPath(source).stem}.html"


def _from(page: Page, target: str) -> str:
    return urllib.parse.quote(posixpath.relpath(target, posixpath.dirname(page.target) or "."))


def _script(value: object) -> str:
    """JSON that may stand in a script."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def question_html(question: questions.Question, lab: Lab) -> str:
    """A question with its folded answer; site.js puts the field for the answer in front of that."""
    data = {"id": question.id, "lab": lab.number, "unit": question.unit, "answer": question.answer, "tolerance": question.tolerance,
            "why": markdown.with_code(question.why), "otherwise": markdown.with_code(question.otherwise),
            "wrong": [{"value": each.value, "why": markdown.with_code(each.why)} for each in question.mistakes]}
    unit = f" {html.escape(question.unit)}" if question.unit else ""
    return (f'<div class="question" id="question-{question.id}">\n<p class="ask" id="ask-{question.id}"><strong>Question.</strong> {markdown.with_code(question.ask)}</p>\n'
            f"<details><summary>Answer</summary><p><strong>{questions.shown(question.answer)}{unit}.</strong> {data['why']}</p></details>\n"
            f'<script type="application/json">{_script(data)}</script>\n</div>\n')
