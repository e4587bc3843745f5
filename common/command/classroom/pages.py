"""What the class's HTML pages share: one self-contained document, light and dark, on a phone and on paper."""
from __future__ import annotations

import html
import pathlib
import re
import urllib.parse

from .harmless import shown

STYLE = (pathlib.Path(__file__).parent / "pages.css").read_text(encoding="utf-8")


def text(value: object) -> str:
    """`value` as text of a page: nothing in it is markup, and no character of it is invisible."""
    return html.escape(shown(str(value)), quote=True)


def document(title: str, body: list[str]) -> str:
    """A whole page. `title` is a text, `body` is HTML."""
    return "\n".join([
        "<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; img-src data: \'self\'">',
        f"<title>{text(title)}</title>", f"<style>{STYLE}</style>", "</head>", "<body>", *body, "</body>", "</html>", ""])


def table(headings: list[str], rows: list[list[str]], right: tuple[int, ...] = ()) -> str:
    """`headings` are texts, the cells of `rows` are HTML; the first cell of a row is its heading. `right`: columns of numbers."""
    side = [' class="right"' if index in right else "" for index in range(len(headings))]
    head = "".join(f'<th scope="col"{side[index]}>{text(heading)}</th>' for index, heading in enumerate(headings))
    lines = []
    for row in rows:
        first, *rest = row
        cells = "".join(f"<td{side[index]}>{cell}</td>" for index, cell in enumerate(rest, 1))
        lines.append(f'<tr><th scope="row"{side[0]}>{first}</th>{cells}</tr>')
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


def bar(share: float, words: str) -> str:
    """A bar of `share`, 0 to 1, beside the `words` that say it."""
    return f'<span class="bar" aria-hidden="true"><i style="width: {100 * min(max(share, 0.0), 1.0):.1f}%"></i></span> {text(words)}'


def listed(items: list[str]) -> str:
    """A list; `items` are HTML."""
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def link(address: str, words: str) -> str:
    """A link to a file beside the page. `address` is relative and made of letters, digits and safe characters."""
    quoted = urllib.parse.quote(address, safe="/#")
    if not re.fullmatch(r"(?:[A-Za-z0-9._/#-]|%[89A-F][0-9A-F])+", quoted) or address.startswith("/"):
        raise ValueError(f"no page links to {address!r}")
    return f'<a href="{quoted}">{text(words)}</a>'
