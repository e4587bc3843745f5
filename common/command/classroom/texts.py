"""Texts of hand-ins and people in Markdown and XML, where nothing in them may become markup."""
from __future__ import annotations

import re

from .harmless import shown


def flat(text: str) -> str:
    """`text` in one line, with every character visible."""
    return shown(" ".join(text.split()))


def markdown(text: str, is_ours: bool = False) -> str:
    """`text` as one line of Markdown in which nothing is markup: no link, no picture, no HTML, no mention, no list. An address may be a link
    in what is ours, and no student's."""
    escaped = re.sub(r"([\\`*\[\]<#|~{}$]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z]))", r"\\\1", flat(text).replace("&", "&amp;"))
    escaped = re.sub(r"^([-+=>]|\d+(?=[.)](?:\s|$)))", lambda found: f"&#{ord(found[1])};" if len(found[1]) == 1 else found[1] + "&#8288;", escaped)
    # What GitHub makes links of by itself: a scheme, www., addresses and those whom @ mentions. An entity is the character, and no part of a link.
    escaped = escaped.replace("://", "&#58;//").replace("@", "@" if is_ours else "&#64;&#8288;")
    return re.sub(r"(?i)(?<![0-9a-z])(ww)w(?=\.)", r"\1&#119;", escaped)


def markdown_block(lines: list[str]) -> list[str]:
    """`lines` as a fenced block, which their own backticks cannot end."""
    kept = [shown(line.expandtabs(4)) for line in lines]
    longest = max((len(run) for line in kept for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *kept, fence]


def some(names: list[str]) -> str:
    """The first of many names, and how many more there are."""
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def xml(text: str) -> str:
    """`text` for XML 1.0, which allows no control characters; line feeds stay. Escaping is the writer's part."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", shown(text, lines=True))
