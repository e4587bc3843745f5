"""The site as a whole: which pages there are, where their links lead, and the files that it is made of."""
from __future__ import annotations

import dataclasses
import html
import json
import pathlib
import posixpath
import re
import urllib.parse

from .. import files, language, questions
from ..language import ENGLISH, Language, Translator
from ..problem import Problem
from ..workbook import Lab, Workbook
from . import catalogue, markdown, notebook_page, words
from .markdown import Heading, Rendered

HERE = pathlib.Path(__file__).resolve().parent
ASSETS = ("site.css", "answers.js", "site.js")
DIAGNOSES = "docs/diagnoses.md"
EXAMPLES = "docs/examples.md"  # of pages that ./warpbook see makes
NOTEBOOK = "docs/notebook.ipynb"
#: The navigation, as far as the tree has the pages. Other pages of docs/ come at its end.
PARTS = (
    ("Start", ("README.md", "docs/student-guide.md", NOTEBOOK, "docs/glossary.md")),
    ("Reference", ("docs/run-any-cuda-program.md", EXAMPLES, "docs/simulator.md", DIAGNOSES, "docs/measuring-well.md", "docs/results.md")),
    ("Teaching", ("docs/instructor-guide.md", "docs/course-rules.md", "docs/how-grading-works.md", "docs/what-can-be-faked.md")),
    ("Contributing", ("CONTRIBUTING.md", "docs/where-to-look.md", "docs/adding-a-lab.md", "docs/trace-format.md")),
)
_TEXTS = (".md", ".ipynb")
_OF_A_LAB = ("README.md", "more.md", "hints.md")
#: What a reader is to find out, or to be judged by, stays out: links that lead there become plain words.
SECRET = ("solutions/", "common/tests/accepted/", "common/tests/attacks/")
_LARGEST_CODE = 400_000  # bytes; a larger file is copied as it is
_TEXT = {".cu", ".cpp", ".hpp", ".h", ".c", ".cuh", ".py", ".json", ".js", ".css", ".cmake", ".txt", ".yml", ".yaml", ".sh", ".list", ".starter"}


@dataclasses.dataclass
class Page:
    """One page of the site."""

    source: str  # its path in the workbook; of a lab's file in a translation as if that lay beside it: sums.zh.cu
    target: str  # its path in the site
    title: str
    body: str
    ids: set[str]
    rendered: Rendered | None = None  # of a page that is a text
    lab: Lab | None = None            # of a handout

    @property
    def language(self) -> Language:
        return language.original_of(self.source)[1]

    @property
    def original(self) -> str:
        """The source of the same page in English."""
        return language.original_of(self.source)[0]


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
    """Where the page of a text or a program goes: README.md is its folder's index, and a translation has its language's folder."""
    original, spoken = language.original_of(source)
    folder, name = posixpath.split(original)
    page = "index.html" if name == "README.md" else f"{posixpath.splitext(name)[0] if name.endswith(_TEXTS) else name}.html"
    return posixpath.join("" if spoken == ENGLISH else spoken.code, folder, page)


class Book:
    """All pages of a workbook, and what they need. `problems` are links that lead nowhere, each with its page."""

    def __init__(self, workbook: Workbook, repository: Repository, seen: "dict[str, pathlib.Path] | None" = None):
        """`seen` are the pages of `./warpbook see` to take along, by the programs that they show."""
        self.root, self.repository = workbook.root, repository
        self.seen = seen or {}
        self.labs = {f"labs/{lab.name}": lab for lab in workbook.labs()}
        self.starters: dict[str, str] = {}  # the file with the text of a lab's file, by what the lab's file is called in each language
        for folder, lab in self.labs.items():
            for each in language.ALL.values():
                kept = f"{folder}/{language.translated_name(lab.kept_starter.name, each)}"
                if each == ENGLISH or (self.root / kept).is_file():
                    self.starters[f"{folder}/{language.translated_name(lab.starter.name, each)}"] = kept
        self.say: dict[str, Translator] = {each.code: language.translator(self.root, each) for each in language.ALL.values()}
        self.pages: dict[str, Page] = {}  # by their targets
        self.copied: set[str] = set()     # files that go along as they are
        self.problems: list[str] = []
        self._links: list[tuple[str, str, str]] = []  # (source, target page, anchor), to be checked in the end
        self._asked: dict[tuple[str, str], list[questions.Question]] = {}
        self._anchors: dict[str, dict[str, str]] = {}
        self._made = {DIAGNOSES: catalogue.page(self._read(catalogue.SIMULATOR), self._read(catalogue.GRADER)), EXAMPLES: self._examples()}
        self.parts = self._parts()
        self._waiting = [source for _, sources in self.parts for source in sources]
        done: set[str] = set()
        while self._waiting:
            source = self._waiting.pop(0)
            if source not in done:
                done.add(source)
                page = self._text(source) if source.endswith(_TEXTS) else self._folder(source) if (self.root / source).is_dir() else self._code(source)
                self.pages[page.target] = page
                if page.language == ENGLISH:
                    self._waiting += [each for spoken in language.TRANSLATIONS if self._is_there(each := language.translated_name(source, spoken))]
        self._check()

    # ---- what there is --------------------------------------------------------------------------------

    def _read(self, source: str) -> str:
        try:
            return (self.root / source).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def _is_there(self, source: str) -> bool:
        return bool(self._made.get(source)) or (self.root / self._file(source)).is_file()

    def _file(self, source: str) -> str:
        """The file that a page shows. Of a lab's file in a translation there is the kept starter alone."""
        return source if language.original_of(source)[1] == ENGLISH else self.starters.get(source, source)

    def _translated(self, source: str, spoken: Language) -> str:
        """The source of the same page in a language, as far as there is one."""
        own = language.translated_name(source, spoken)
        return own if own != source and self._is_there(own) else source

    def _parts(self) -> list[tuple[str, list[str]]]:
        parts = [(name, [source for source in sources if self._is_there(source)]) for name, sources in PARTS]
        of_labs = [f"{folder}/{name}" for folder in self.labs for name in _OF_A_LAB if self._is_there(f"{folder}/{name}")]
        parts.insert(1, ("Labs", of_labs))
        known = {source for _, sources in parts for source in sources}
        rest = [f"docs/{path.name}" for path in sorted((self.root / "docs").glob("*.md"))
                if f"docs/{path.name}" not in known and language.original_of(path.name)[1] == ENGLISH]
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
        wanted = self._translated(wanted, language.original_of(source)[1])
        target = self._target(wanted, picture)
        if anchor:
            anchor = urllib.parse.unquote(anchor)
            anchor = self._anchors_of(wanted).get(anchor, anchor)
            self._links.append((source, target, anchor))
            anchor = urllib.parse.quote(anchor)
        from_here = posixpath.dirname(self._page_of(source))
        relative = posixpath.relpath(target, from_here or ".")
        return urllib.parse.quote(relative) + (f"#{anchor}" if anchor else "") if path else f"#{anchor}"

    def _page_of(self, source: str) -> str:
        return f"{source}/index.html" if (self.root / source).is_dir() else target_of(source)

    def _target(self, wanted: str, picture: bool) -> str:
        """The path in the site of a file that a page leads to, which is made or copied with it."""
        file = self.root / self._file(wanted)
        shown = wanted.endswith(_TEXTS) or file.is_dir() or (file.suffix in _TEXT and file.stat().st_size <= _LARGEST_CODE)
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

    def _anchors_of(self, source: str) -> dict[str, str]:
        """Of a translation: the anchors that its headings have in the page, by those that they have in the text. They are the original's,
        so that a link, a tick and the switch of languages lead to the same section; unless its headings are other ones."""
        original, spoken = language.original_of(source)
        if spoken == ENGLISH or not source.endswith(".md"):
            return {}
        if source not in self._anchors:
            own, theirs = (markdown.render(self._read(each), str, str).headings for each in (source, original))
            are_alike = [heading.level for heading in own] == [heading.level for heading in theirs]
            self._anchors[source] = {mine.id: given.id for mine, given in zip(own, theirs)} if are_alike else {}
        return self._anchors[source]

    # ---- pages ----------------------------------------------------------------------------------------

    def _text(self, source: str) -> Page:
        original, spoken = language.original_of(source)
        folder, name = posixpath.split(original)
        say = self.say[spoken.code]
        lab = self.labs.get(folder)
        left = list(self.questions_of(folder, spoken)) if lab and name == "README.md" else []
        hints = self._hints(folder) if lab and name == "README.md" else {}

        def to_hints(todo: int) -> str:
            address = self._resolved(source, f"hints.md#{hints[todo]}") or ""
            return f'<p class="hints"><a href="{html.escape(address)}">{html.escape(say("Hints for TODO({todo})", todo=todo))}</a></p>\n'

        def insert(heading: Heading) -> str:
            more = "".join(map(to_hints, sorted(heading.todos & hints.keys())))
            chosen = left[:] if heading.id.startswith("questions") else [each for each in left if each.todo in heading.todos]
            for each in chosen:
                left.remove(each)
            return more + "".join(question_html(each, lab, say) for each in chosen)

        text = self._made.get(source) or self._read(source)
        if source.endswith(".ipynb"):
            text = notebook_page.page(text, source, self.repository)
        header = language.HEADER.match(text) if spoken != ENGLISH else None
        rendered = markdown.render(text[header.end():] if header else text, lambda href: self._resolved(source, href),
                                   lambda href: self._resolved(source, href, picture=True), insert if lab else None, self._anchors_of(source))
        if left:
            title = say("Questions that a number answers")
            rest = "".join(question_html(each, lab, say) for each in left)
            rendered.html += f'<h2 id="questions-that-a-number-answers">{html.escape(title)}</h2>\n{rest}'
            rendered.headings.append(Heading(2, "questions-that-a-number-answers", title))
        if header and header[2] != files.fingerprint((self.root / original).read_bytes()):
            said = html.escape(say("The English page is newer than this translation."))
            rendered.html = f'<p class="older"><a href="{_from_to(target_of(source), target_of(original))}" hreflang="en">{said}</a></p>\n{rendered.html}'
        ids = {heading.id for heading in rendered.headings} | set(re.findall(r'\bid="([^"]+)"', rendered.html))
        return Page(source, target_of(source), rendered.title or name, rendered.html, ids, rendered, lab if name == "README.md" else None)

    def _hints(self, folder: str) -> dict[int, str]:
        """Where a lab's page of hints has those of each TODO: the anchors of its headings."""
        headings = markdown.render(self._read(f"{folder}/hints.md"), str, str).headings
        return {todo: heading.id for heading in headings if heading.level == 2 for todo in heading.todos}

    def questions_of(self, folder: str, spoken: Language = ENGLISH) -> list[questions.Question]:
        if (folder, spoken.code) not in self._asked:
            try:
                self._asked[folder, spoken.code] = questions.read(self.root / folder, spoken=spoken)
            except questions.Broken as broken:
                raise Problem(str(broken)) from broken
        return self._asked[folder, spoken.code]

    def _code(self, source: str) -> Page:
        """A source file as a page; that of a lab as it is given out, whatever has been made of it."""
        text = self._read(self.starters.get(source, source)).rstrip("\n") + "\n"
        original, spoken = language.original_of(source)
        suffix = pathlib.PurePosixPath(source.removesuffix(".starter")).suffix
        lines = markdown.highlighted(text, suffix[1:]).splitlines(keepends=True)
        code = "".join(f'<span id="L-{number}">{line}</span>' for number, line in enumerate(lines, 1))
        folder, name = posixpath.split(original)
        handout = ""
        if folder in self.labs:
            link = f'<a href="{self._resolved(source, "README.md")}">{html.escape(self.labs[folder].name)}</a>'
            handout = f"<p>{self.say[spoken.code]('A file of {lab}.', lab=link)}</p>\n"
        block = markdown.with_frames(f'<pre class="file" data-copied><code class="code">{code}</code></pre>')
        body = f"<h1>{html.escape(name)}</h1>\n{handout}{block}\n"
        return Page(source, self._page_of(source), name, body, {f"L-{number + 1}" for number in range(len(lines))})

    def _folder(self, source: str) -> Page:
        names = sorted(path.name + "/" * path.is_dir() for path in (self.root / source).iterdir() if path.name != "__pycache__")
        items = "".join(f"<li><code>{html.escape(name)}</code></li>\n" for name in names)
        body = f"<h1>{html.escape(posixpath.basename(source))}/</h1>\n<p>The folder <code>{html.escape(source)}</code> of the workbook holds:</p>\n<ul>\n{items}</ul>\n"
        return Page(source, self._page_of(source), f"{posixpath.basename(source)}/", body, set())

    # ---- the site -------------------------------------------------------------------------------------

    def in_language(self, source: str, spoken: Language) -> Page:
        """The page of an English source in a language, or in English."""
        return self.pages[self._page_of(self._translated(source, spoken))]

    def versions(self, page: Page) -> list[Page]:
        """The page in all languages that have it."""
        found = [self.pages.get(self._page_of(language.translated_name(page.original, each))) for each in language.ALL.values()]
        return [each for each in found if each]

    def order(self, spoken: Language = ENGLISH) -> list[Page]:
        """The pages of the navigation, one after the other."""
        return [self.in_language(source, spoken) for _, sources in self.parts for source in sources]

    def _navigation(self, here: Page) -> str:
        lines = []
        say = self.say[here.language.code]
        for name, sources in self.parts:
            lines.append(f"<li><span>{html.escape(say(name))}</span><ul>")
            for source in sources:
                page = self.in_language(source, here.language)
                current = ' aria-current="page"' if page is here else ""
                label = {"more.md": say("More"), "hints.md": say("Hints")}.get(posixpath.basename(source), "") if source.startswith("labs/") else ""
                of_a_lab = f' data-lab="{page.lab.number}"' if page.lab else ""
                spoken = _other_language(here, page, bool(label))
                lines.append(f'<li{" class=sub" if label else ""}><a href="{_from(here, page.target)}"{current}{of_a_lab}{spoken}>{html.escape(label or page.title)}</a></li>')
            lines.append("</ul></li>")
        return "\n".join(lines)

    def _contents(self, page: Page) -> str:
        headings = [heading for heading in (page.rendered.headings if page.rendered else []) if heading.level in (2, 3)]
        if len(headings) < 2:
            return ""
        title = html.escape(self.say[page.language.code]("On this page"))
        items = "".join(f'<li class="level{heading.level}"><a href="#{html.escape(heading.id)}">{html.escape(heading.text)}</a></li>\n' for heading in headings)
        return f'<nav class="contents" aria-label="{title}">\n<p>{title}</p>\n<ul>\n{items}</ul>\n</nav>'

    def _neighbours(self, page: Page) -> str:
        order = self.order(page.language)
        if page not in order:
            return ""
        say = self.say[page.language.code]
        place = order.index(page)
        links = [(kind, word, order[each]) for kind, word, each in (("previous", say("Previous"), place - 1), ("next", say("Next"), place + 1)) if 0 <= each < len(order)]
        inner = "".join(f'<a class="{kind}" href="{_from(page, other.target)}"><span>{html.escape(word)}</span> <bdi lang="{other.language.tag}">{html.escape(other.title)}</bdi></a>'
                        for kind, word, other in links)
        return f'<nav class="neighbours" aria-label="{html.escape(say("Neighbouring pages"))}">{inner}</nav>'

    def _foot(self, page: Page) -> str:
        there = page.source not in self._made and not (self.root / page.source).is_dir()
        file = self._file(page.source)
        if not there or not self.repository.edit(file):
            return ""
        say = self.say[page.language.code]
        if page.rendered:
            return f'<p><a href="{html.escape(self.repository.edit(file))}" rel="noopener">{html.escape(say("Edit this page"))}</a></p>'
        return f'<p><a href="{html.escape(self.repository.file(file))}" rel="noopener">{html.escape(say("This file in the repository"))}</a></p>'

    def _languages(self, page: Page) -> str:
        """The switch to the page in other languages."""
        versions = self.versions(page)
        if len(versions) < 2:
            return ""
        links = " ".join(f'<span lang="{each.language.tag}" aria-current="true">{each.language.name}</span>' if each is page else
                         f'<a href="{_from(page, each.target)}" lang="{each.language.tag}" hreflang="{each.language.tag}">{each.language.name}</a>' for each in versions)
        return f'<nav class="languages" aria-label="{html.escape(self.say[page.language.code]("Language"))}">{links}</nav>'

    def _alternates(self, page: Page) -> str:
        """What tells a search engine, or a browser, of the page in other languages."""
        versions = self.versions(page)
        named = [*((each.language.tag, each) for each in versions), ("x-default", versions[0])] if len(versions) > 1 else []
        return "\n".join(f'<link rel="alternate" hreflang="{tag}" href="{_from(page, each.target)}">' for tag, each in named)

    def _html(self, page: Page) -> str:
        template = (HERE / "page.html").read_text(encoding="utf-8")
        root = posixpath.relpath(".", posixpath.dirname(page.target) or ".")
        say = self.say[page.language.code]
        spoken = "" if page.language == ENGLISH else f".{page.language.code}"
        parts = {"TITLE": html.escape(page.title if page.original == "README.md" else f"{page.title} – Warpbook"), "ROOT": root,
                 "LANGUAGE": page.language.tag, "SPOKEN": spoken, "ALTERNATES": self._alternates(page), "LANGUAGES": self._languages(page),
                 "WORDS": f'<script src="{root}/assets/words{spoken}.js"></script>\n' if spoken else "",
                 "HOME": _from(page, self.in_language("README.md", page.language).target) if self._is_there("README.md") else f"{root}/index.html",
                 "LAB": page.lab.number if page.lab else "", "NAVIGATION": self._navigation(page), "BODY": page.body,
                 "CONTENTS": self._contents(page), "NEIGHBOURS": self._neighbours(page), "FOOT": self._foot(page)}
        return re.sub(r'@(?:"([A-Z][^"]*)"|([A-Z]+))@', lambda match: html.escape(say(match[1])) if match[1] else parts.get(match[2], match[0]), template)

    def _index(self, spoken: Language = ENGLISH) -> list[list[str]]:
        """[address, page, section, text] of each section of each text: what the search knows. What has no translation is found in English."""
        entries = []
        for page in self.pages.values():
            if page.source != self._translated(page.original, spoken):
                continue
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
            if page.lab and page.rendered and page.language == ENGLISH:
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
        for spoken in {page.language.code: page.language for page in self.pages.values() if page.language != ENGLISH}.values():
            made[f"assets/words.{spoken.code}.js"] = f"window.warpbookWords = {_script(words.in_language(self.say[spoken.code]))};\n".encode("utf-8")
            made[f"assets/search-index.{spoken.code}.js"] = f"window.warpbookIndex = {_script(self._index(spoken))};\n".encode("utf-8")
        for source, page in self.seen.items():
            made[_page_of_see(source)] = page.read_bytes()
        for source in sorted(self.copied):
            made[source] = (self.root / source).read_bytes()
        made[".nojekyll"] = b""  # GitHub Pages is to take the files as they are
        return made


def _page_of_see(source: str) -> str:
    return f"see/{pathlib.PurePosixPath(source).stem}.html"


def _from_to(page: str, target: str) -> str:
    return urllib.parse.quote(posixpath.relpath(target, posixpath.dirname(page) or "."))


def _from(page: Page, target: str) -> str:
    return _from_to(page.target, target)


def _other_language(here: Page, there: Page, is_labelled: bool = False) -> str:
    """The attributes of a link to a page in another language; `is_labelled`: the link's own words are in the language of `here`."""
    if here.language == there.language:
        return ""
    return f' hreflang="{there.language.tag}"' + ("" if is_labelled else f' lang="{there.language.tag}"')


def _script(value: object) -> str:
    """JSON that may stand in a script."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def question_html(question: questions.Question, lab: Lab, say: Translator) -> str:
    """A question with its folded answer; site.js puts the field for the answer in front of that."""
    data = {"id": question.id, "lab": lab.number, "unit": question.unit, "units": question.units, "answer": question.answer, "tolerance": question.tolerance,
            "why": markdown.with_code(question.why), "otherwise": markdown.with_code(question.otherwise),
            "wrong": [{"value": each.value, "why": markdown.with_code(each.why)} for each in question.mistakes]}
    unit = f" {html.escape(question.unit)}" if question.unit else ""
    return (f'<div class="question" id="question-{question.id}">\n<p class="ask" id="ask-{question.id}"><strong>{html.escape(say("Question."))}</strong> {markdown.with_code(question.ask)}</p>\n'
            f"<details><summary>{html.escape(say('Answer'))}</summary><p><strong>{say('The answer is {answer}.', answer=questions.shown(question.answer) + unit)}</strong> {data['why']}</p></details>\n"
            f'<script type="application/json">{_script(data)}</script>\n</div>\n')
