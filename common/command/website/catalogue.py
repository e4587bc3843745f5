"""The page of all diagnoses: each id with what it says and where it is explained, taken from the pages that explain them."""
from __future__ import annotations

import posixpath
import re

from ..lab_facts import slug

#: What the page is made of: the blocks of findings in the one, the table of ids in the other.
SIMULATOR, GRADER = "docs/simulator.md", "docs/how-grading-works.md"

_HEAD = """\
# Diagnoses

Each failure has a diagnosis id that never changes. This page lists the ids that every lab and every program can give.
A lab adds ids for its own lessons: a check shows them with their messages.

"""


def findings(text: str) -> list[tuple[str, str, str]]:
    """(id with its kind, what it says, anchor of its section) of the simulator's page, in its order."""
    found, anchor = [], ""
    for part in re.split(r"^(### .*)$", text, flags=re.M):
        if part.startswith("### "):
            anchor = slug(part[4:].replace("`", "").strip())
            continue
        for block in re.findall(r"^<!-- findings[^>]*-->\n```text\n(.*?)^```", part, re.M | re.S):
            for name, body in re.findall(r"^([a-z][a-z-]*(?: \([^)\n]*\))?)[^\n]*\n((?: +[^\n]*\n|\n)*)", block, re.M):
                said = re.split(r"^ +(?:try|or): ", body, maxsplit=1, flags=re.M)[0]
                found.append((name, re.sub(r"\s+", " ", said).strip(), anchor))
    return found


def verdicts(text: str) -> list[tuple[str, str]]:
    """(ids, what they mean) of the table of the page on grading."""
    table = re.search(r"^\| id \| meaning \|\n\|[-| ]+\|\n((?:\|.*\|\n)+)", text, re.M)
    rows = re.findall(r"^\| (.*?) \| (.*) \|$", table[1], re.M) if table else []
    return [(ids, meaning.replace("](#", f"]({posixpath.basename(GRADER)}#")) for ids, meaning in rows]


def page(simulator: str, grader: str) -> str:
    """The page as Markdown, as if it lay in docs/. "" where there is nothing to list."""
    seen, told = findings(simulator), verdicts(grader)
    if not seen and not told:
        return ""
    lines = [_HEAD]
    if told:
        lines += ["## From the grader", "", "[How grading works](how-grading-works.md#what-an-items-failure-tells) explains them.", "",
                  "| id | meaning |", "| --- | --- |", *(f"| {ids} | {meaning} |" for ids, meaning in told), ""]
    if seen:
        lines += ["## From the simulator", "", "Names in angle brackets, such as `<place>`, stand for what a message names. "
                  "Words in round brackets with a bar between them are alternatives. Each id leads to its section, which says what to try.",
                  "", "| id | what it says |", "| --- | --- |"]
        for name, said, anchor in seen:
            shown = re.sub(r"([<>|*_`\[\]])", lambda match: f"&#{ord(match[1])};", said)
            lines.append(f"| [`{name}`](simulator.md#{anchor}) | {shown} |")
    return "\n".join(lines) + "\n"
