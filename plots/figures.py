"""The figures that a lab's more.md, README.md and steps quote from its measurements, and whether they quote them as they are. Standard library only.

A lab's measures.py may have a function `quoted(data, lab)`. It returns the phrases of the two that hold measured figures, each made
from the measurements: `f"16 ways cost {percent(…)}"`. A phrase may wrap in the page. common/tests/command/test_figures.py fails if a
phrase is missing, or if a section about measurements holds a figure that no phrase covers.

The head of a step says what was measured, too. `quoted_in_steps(data, lab)` returns {step: the text after "Measured"}, and
`counted_in_steps(data, lab)` {step: a phrase with other figures}. The heads of a lab with one of the two hold no other figure that looks
measured, and those of a lab with neither have no line "Measured".
"""
from __future__ import annotations

import re

#: What looks measured: a decimal fraction, a percentage, a time, a rate.
FIGURE = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+(?![\w.]*\()|(?:\.\d+)? ?%(?! ?\d)|(?:\.\d+)? (?:GB/s|TB/s|µs|ms|GHz|MHz)\b)")
#: The heading of a section whose figures are measured.
MEASURED = re.compile(r"measured", re.IGNORECASE)
#: What is not prose: generated tables, code, pictures, links' targets, comments.
_APART = re.compile(r"<!-- (\w+): written by.*?<!-- end of \1 -->|^```.*?^```|!\[.*?\]\(.*?\)|\]\([^)]*\)|<!--.*?-->", re.S | re.M)


def plain(text: str) -> str:
    """`text` with a space for each run of white space: a phrase is found wherever the page wraps."""
    return " ".join(text.split())


def measured_sections(page: str) -> str:
    """The prose of the page's sections whose headings say that they are about measurements."""
    parts = re.split(r"^(#{2,} .*)$", _APART.sub(" ", page), flags=re.M)
    return plain(" ".join(text for heading, text in zip(parts[1::2], parts[2::2]) if MEASURED.search(heading)))


def problems(page: str, phrases: list[str]) -> list[str]:
    """What differs between a page and the phrases that the measurements give, a sentence each."""
    everything = plain(page)
    found = [f"The measurements give '{phrase}', and the page does not say it." for phrase in map(plain, phrases) if phrase not in everything]
    rest = measured_sections(page)
    for phrase in map(plain, phrases):
        rest = rest.replace(phrase, " ")
    for figure in FIGURE.finditer(rest):
        around = rest[max(figure.start() - 40, 0):figure.end() + 20]
        found.append(f"'{figure[0]}' is checked by no phrase of measures.py: … {around} …")
    return found


def head_of(source: str) -> str:
    """The comment that a kernel file begins with, as prose."""
    lines = source.split("\n")
    first_other = next((at for at, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return plain(" ".join(line.removeprefix("//") for line in lines[:first_other]))


def problems_of_head(source: str, measured: str | None, counted: str | None = None, all_figures: bool = True) -> list[str]:
    """What differs between the head of a step and the measurements, a sentence each. `measured`: what has to stand after "Measured";
    `all_figures`: no other figure may look measured."""
    head = rest = head_of(source)
    phrases = ([f"Measured {measured}"] if measured else []) + ([counted] if counted else [])
    found = [f"The measurements give '{phrase}', and the head does not say it." for phrase in map(plain, phrases) if phrase not in head]
    for phrase in map(plain, phrases):
        rest = rest.replace(phrase, " ")
    if re.search(r"\bMeasured\b", rest) and not found:
        found.append("The head says 'Measured', and nothing of measures.py checks it.")
    return found + [f"'{figure[0]}' is checked by no phrase of measures.py." for figure in (FIGURE.finditer(rest) if all_figures else ())]
