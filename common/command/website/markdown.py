"""A Markdown page as HTML, with its headings, links and code as the site needs them.

markdown-it-py and Pygments come with rich, which the command needs anyway.
"""
from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from ..lab_facts import slug
from ..language import is_wide

_LEXERS = {"cpp": "cpp", "c++": "cpp", "cuda": "cuda", "cu": "cuda", "hpp": "cpp", "c": "c", "python": "python", "py": "python", "json": "json",
           "cmake": "cmake", "js": "javascript", "yaml": "yaml", "yml": "yaml", "sh": "bash", "css": "css"}
_TODOS = re.compile(r"TODO\((\d+)\)")


@dataclasses.dataclass(frozen=True)
class Heading:
    level: int
    id: str
    text: str

    @property
    def todos(self) -> set[int]:
        """The TODOs that a section with this heading is about."""
        return {int(number) for number in _TODOS.findall(self.text)}


@dataclasses.dataclass
class Section:
    """What stands between two headings, as plain text: what the search looks through."""

    heading: Heading | None
    text: str


@dataclasses.dataclass
class Rendered:
    html: str
    headings: list[Heading]
    sections: list[Section]

    @property
    def title(self) -> str:
        return next((heading.text for heading in self.headings if heading.level == 1), "")


def highlighted(code: str, language: str) -> str:
    """Code with a <span class=…> around each token, or plain where the language is not known. No span crosses the end of a line."""
    try:
        lexer = get_lexer_by_name(_LEXERS.get(language.lower(), "text"), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return html.escape(code, quote=False)
    return highlight(code, lexer, HtmlFormatter(nowrap=True)).rstrip("\n") + "\n"


def with_code(text: str) -> str:
    """A plain sentence as HTML; what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


_COMMAND = re.compile(r"^(?:\$ |\./|[A-Z_]+=\S+ \./|(?:cmake|ctest|git|nvcc|sudo|python3|clang-format) )", re.M)


def _fence(code: str, language: str, _attributes: str = "") -> str:
    """A block of code. What may be copied, because it is a command or a program, says so; drawings and outputs are left alone."""
    copied = " data-copied" if language.lower() in _LEXERS or _COMMAND.search(code) else ""
    return f'<pre{copied}><code class="code">{highlighted(code, language)}</code></pre>'


def _plain(inline: Token) -> str:
    return "".join(" " if child.type in ("softbreak", "hardbreak") else child.content
                   for child in inline.children or [] if child.type in ("text", "code_inline", "softbreak", "hardbreak"))


Link = Callable[[str], "str | None"]
Insert = Callable[[Heading], str]


def _relink(inline: Token, link: Link, image: Link) -> None:
    """Rewrites the targets of links and images; a link whose target becomes None stays as plain words."""
    children, open_ = [], []
    for child in inline.children or []:
        if child.type == "link_open":
            target = link(str(child.attrGet("href")))
            open_.append(target is not None)
            if target is None:
                continue
            child.attrSet("href", target)
            if target.startswith(("http:", "https:")):
                child.attrSet("rel", "noopener")
        elif child.type == "link_close" and not open_.pop():
            continue
        elif child.type == "image":
            child.attrSet("src", image(str(child.attrGet("src"))) or "")
            child.attrSet("loading", "lazy")
        children.append(child)
    inline.children = children


def _join_wide(inline: Token) -> None:
    """Takes out the ends of lines between two wide characters, as Chinese has them: a browser would show blanks there."""
    children = inline.children or []
    shown = [child.content for child in children]
    for place, child in enumerate(children):
        if child.type == "softbreak":
            before = next((text for text in reversed(shown[:place]) if text), "")
            after = next((text for text in shown[place + 1:] if text), "")
            if before and after and is_wide(before[-1]) and is_wide(after[0]):
                child.type = "text"


def render(text: str, link: Link, image: Link, insert: "Insert | None" = None, anchors: "dict[str, str] | None" = None) -> Rendered:
    """`text` as HTML. `link` and `image` give the new target of each link and picture. `insert` gives what comes at the end of the section of
    a heading of the second level, as HTML. `anchors` are other anchors than GitHub's, by those."""
    parser = MarkdownIt("commonmark", {"html": True, "highlight": _fence}).enable(["table", "strikethrough"])
    tokens = parser.parse(text)
    headings: list[Heading] = []
    sections: list[Section] = [Section(None, "")]
    seen: dict[str, int] = {}
    made: list[Token] = []
    second: Heading | None = None

    def end_section() -> None:
        if second and insert and (more := insert(second)):
            made.append(Token("html_block", "", 0, content=more))

    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            plain, level = _plain(tokens[place + 1]), int(token.tag[1])
            name = slug(plain)
            count = seen.get(name, 0)
            seen[name] = count + 1
            anchor = f"{name}-{count}" if count else name
            heading = Heading(level, (anchors or {}).get(anchor, anchor), plain)
            token.attrSet("id", heading.id)
            headings.append(heading)
            sections.append(Section(heading, ""))
            if level <= 2:
                end_section()
                second = heading if level == 2 else None
        elif token.type == "inline":
            _relink(token, link, image)
            _join_wide(token)
            if not place or tokens[place - 1].type != "heading_open":
                sections[-1].text += _plain(token) + " "
        elif token.type in ("fence", "code_block"):
            sections[-1].text += token.content + " "
        elif token.type == "html_block":
            sections[-1].text += re.sub(r"<!--.*?-->|<[^>]*>", " ", token.content, flags=re.S) + " "
        elif token.type == "table_open":
            made.append(Token("html_block", "", 0, content='<div class="table">\n'))
        made.append(token)
        if token.type == "table_close":
            made.append(Token("html_block", "", 0, content="</div>\n"))
    end_section()
    for section in sections:
        section.text = re.sub(r"\s+", " ", section.text).strip()
    return Rendered(with_frames(parser.renderer.render(made, parser.options, {})), headings, sections)


def with_frames(text: str) -> str:
    """HTML with a frame around each block of code, where site.js puts a button that copies it."""
    return re.sub(r"(<pre[ >].*?</pre>)", r'<div class="code-block">\1</div>', text, flags=re.S)
