"""What the class's HTML pages share: one self-contained document, light and dark, on a phone and on paper."""
from __future__ import annotations

import html
import re

from .harmless import shown

# Ink on paper is at least 7:1 and every other pair at least 4.5:1, in both themes.
STYLE = """
:root { color-scheme: light dark; --paper: #fff; --panel: #f5f6f7; --ink: #1b1f23; --muted: #57606a; --rule: #d4d8dd;
  --good: #1a6b32; --bad: #a8200d; --wait: #7a5200; --link: #0550ae; --bar: #0072b2; --rest: #d9dde2; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --panel: #1e2226; --ink: #e6e9ec; --muted: #a3abb3; --rule: #3a4148;
  --good: #6fcf87; --bad: #ff9b8a; --wait: #e8b64c; --link: #79b8ff; --bar: #56b4e9; --rest: #363d44; --mark: #4a3f14; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 74rem; padding: 1.2rem clamp(0.8rem, 3vw, 2rem) 3rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.22rem; margin: 2rem 0 0.5rem; padding-top: 0.8rem; border-top: 1px solid var(--rule); overflow-wrap: anywhere; }
h3 { font-size: 1.03rem; margin: 1.4rem 0 0.3rem; overflow-wrap: anywhere; }
p, ul, ol { margin: 0.4rem 0; max-width: 80ch; overflow-wrap: anywhere; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, "SF Mono", Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace; font-size: 0.9em; }
code { overflow-wrap: anywhere; }
pre { margin: 0.5rem 0; padding: 0.6rem 0.8rem; background: var(--panel); border: 1px solid var(--rule); border-radius: 4px; overflow-x: auto; }
pre.said { white-space: pre-wrap; overflow-wrap: anywhere; }
pre mark { background: var(--mark); color: inherit; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.wide { overflow-x: auto; margin: 0.5rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.9rem 0.25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
thead th { color: var(--muted); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: normal; }
.right { text-align: right; }
.quiet { color: var(--muted); font-size: 0.92rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .wait { color: var(--wait); }
.big { font-size: 1.15rem; font-weight: 600; }
.note { border-left: 3px solid var(--wait); padding-left: 0.7rem; }
.bar { display: inline-block; width: 7rem; max-width: 30vw; height: 0.75em; background: var(--rest); border-radius: 2px; overflow: hidden; vertical-align: baseline; }
.bar i { display: block; height: 100%; background: var(--bar); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1rem 1.5rem; }
figure { margin: 0.4rem 0; }
figure img { display: block; width: 100%; height: auto; }
.drawn .wide { max-height: 30rem; overflow: auto; border: 1px solid var(--rule); border-radius: 4px; padding: 0.4rem; }
.drawn img { width: 40rem; max-width: none; }
summary { cursor: pointer; color: var(--muted); }
figcaption { color: var(--muted); font-size: 0.9rem; }
nav { margin: 0.2rem 0 0.6rem; }
nav a { margin-right: 1rem; }
.tight { white-space: nowrap; }
@media (max-width: 40rem) { table { font-size: 0.88rem; } th, td { padding-right: 0.5rem; } .bar { width: 3.2rem; } }
@media print { :root { --paper: #fff; --panel: #fff; --ink: #000; --muted: #333; --rule: #999; --good: #000; --bad: #000; --wait: #000; --link: #000;
  --bar: #333; --rest: #ddd; --mark: #ddd; } body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; }
  h2, h3, thead { break-after: avoid; } tr, figure { break-inside: avoid; } pre { white-space: pre-wrap; overflow-wrap: anywhere; } .wide, .drawn .wide { overflow: visible; max-height: none; } .drawn img { width: 100%; } }
"""


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


def table(headings: list[str], rows: list[list[str]], right: tuple[int, ...] = (), caption: str = "") -> str:
    """`headings` are texts, the cells of `rows` are HTML; the first cell of a row is its heading. `right`: columns of numbers."""
    side = [' class="right"' if index in right else "" for index in range(len(headings))]
    head = "".join(f'<th scope="col"{side[index]}>{text(heading)}</th>' for index, heading in enumerate(headings))
    lines = []
    for row in rows:
        first, *rest = row
        cells = "".join(f"<td{side[index]}>{cell}</td>" for index, cell in enumerate(rest, 1))
        lines.append(f'<tr><th scope="row"{side[0]}>{first}</th>{cells}</tr>')
    name = f'<caption class="quiet">{text(caption)}</caption>' if caption else ""
    return f'<div class="wide"><table>{name}<thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


def bar(share: float, words: str) -> str:
    """A bar of `share`, 0 to 1, beside the `words` that say it."""
    return f'<span class="bar" aria-hidden="true"><i style="width: {100 * min(max(share, 0.0), 1.0):.1f}%"></i></span> {text(words)}'


def listed(items: list[str]) -> str:
    """A list; `items` are HTML."""
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def link(address: str, words: str) -> str:
    """A link to a file beside the page. `address` is relative and made of safe characters."""
    if not re.fullmatch(r"[A-Za-z0-9._/#-]+", address) or address.startswith("/"):
        raise ValueError(f"no page links to {address!r}")
    return f'<a href="{address}">{text(words)}</a>'
