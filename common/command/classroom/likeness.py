"""Which hand-ins of a class look alike: winnowing as MOSS does, by the library copydetect, and a page that shows both sides.

A likeness costs no points and proves nothing. The library is asked for by this alone: without it a class is graded all the same.
"""
from __future__ import annotations

import collections
import dataclasses
import json
import os
import pathlib
import subprocess

from .. import files, install, machine_setup, probe
from ..problem import Problem
from ..workbook import Lab, Workbook
from . import harmless, pages
from .model import HandIn, Likeness, Person

LIBRARY = "copydetect==0.5.0"
#: The share from which on a pair is listed. Right files that were written independently (solutions, accepted files, students' files)
#: share at most 0.55 in any lab; copies with other names, comments and blanks 0.99 and more; with other idioms, too, 0.6 to 1.
#: In classes of 60 made of a pool of right and wrong answers to each TODO, 99 of 100 pairs stay below 0.74.
LEAST = 0.75
MOST_PAIRS = 60   # shown for one lab
SECONDS = 600     # for one lab of one class; 500 hand-ins take about 10

_WORKER = pathlib.Path(__file__).with_name("likeness_worker.py")
_COLOURS = 6


@dataclasses.dataclass(frozen=True)
class Pair:
    """A likeness with what shows it: for both sides the file's text, and its passages as (number, begin, end) in characters.
    `same` and `own`: how many lines that the starter does not have are the same letter by letter, of how many of the first's."""

    likeness: Likeness
    texts: tuple[str, str]
    passages: tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]
    same: int
    own: int


@dataclasses.dataclass(frozen=True)
class Comparison:
    """What was found among the hand-ins for one lab. `left`: pairs above LEAST that are not in `pairs`. `unread`: hand-ins that
    were not compared, with the reason. `short`: how many have too little of their own for a comparison."""

    lab: Lab
    compared: int
    pairs: list[Pair]
    left: int
    unread: list[tuple[str, str]]
    short: int = 0


def interpreter(workbook: Workbook) -> str:
    """A Python that has the library, or ""."""
    return next((python for python in probe.python_candidates(workbook.root) if probe.python_modules(python, "copydetect")), "")


def missing(workbook: Workbook) -> str:
    """What to say where no Python has the library."""
    return (f"Likeness was not looked at: it needs {LIBRARY.partition('==')[0]}, which this line installs:\n"
            f"  {install.pip_line(machine_setup.typed_build_folder(workbook.root), LIBRARY)}")


def comparison(hand_ins: list[HandIn], lab: Lab, python: str = "") -> Comparison:
    """The pairs of `hand_ins` for `lab` that look alike, the likest first. `python` is an interpreter() that has the library. Raises Problem
    where the library is missing or fails."""
    workbook = Workbook(lab.folder.parents[1])
    python = python or interpreter(workbook)
    if not python:
        raise Problem(missing(workbook))
    newest: dict[str, HandIn] = {}  # one person's attempts are alike by nature
    for hand_in in hand_ins:
        if hand_in.lab == lab and hand_in.fault is None and files.is_plain(hand_in.file):
            newest[hand_in.person.id] = min(newest.get(hand_in.person.id, hand_in), hand_in, key=lambda each: each.version)
    there = list({hand_in.shown: hand_in for hand_in in newest.values()}.values())  # a team has one file
    if len(there) < 2:
        return Comparison(lab, len(there), [], 0, [])
    solutions = workbook.root / "solutions" / lab.name
    known = [*solutions.glob("*.cu"), *solutions.glob("steps/*.cu"), *(workbook.root / "common/tests/accepted" / lab.name).glob("*.cu")]
    said = _run(python, {"given": [str(path) for path in (lab.kept_starter, lab.folder / "lab.hpp") if path.exists()],
                         "known": [str(path) for path in sorted(known)], "files": [str(hand_in.file) for hand_in in there],
                         "least": LEAST, "most": MOST_PAIRS})
    given = set(_lines(_text(lab.kept_starter))) if lab.kept_starter.exists() else set()
    pairs = [_pair(there[pair["files"][0]], there[pair["files"][1]], pair, given) for pair in said["pairs"]]
    pairs.sort(key=lambda pair: -max(pair.likeness.share_of_first, pair.likeness.share_of_second) - pair.same / max(pair.own, 1) / 10)
    unread = [(there[int(index)].id, why) for index, why in said["unread"].items()]
    short = len(said["short"])
    return Comparison(lab, len(there) - len(unread) - short, pairs, said["left"], unread, short)


def _run(python: str, asked: dict) -> dict:
    # Hashes of texts differ from run to run without PYTHONHASHSEED, and with them which fingerprints are kept.
    environment = {**os.environ, "PYTHONHASHSEED": "0", "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run([python, str(_WORKER)], input=json.dumps(asked), capture_output=True, text=True, errors="replace",
                              env=environment, timeout=SECONDS, check=False)
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise Problem(f"Likeness was not looked at: the comparison took more than {SECONDS} s.") from None
    except ValueError:
        raise Problem("Likeness was not looked at: the comparison failed.", done.stderr.strip().splitlines()[-3:]) from None


def _text(path: pathlib.Path) -> str:
    """The file as the worker reads it, so that places in it are the same."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def _lines(text: str) -> list[str]:
    """The lines of `text` that say something, without their blanks."""
    lines = ("".join(line.split()) for line in text.split("\n"))
    return [line for line in lines if any(character.isalnum() for character in line)]


def _is_own(line: str, given: set[str]) -> bool:
    """Whether the line says something that the starter does not have. `given` are the starter's _lines()."""
    return any(line not in given for line in _lines(line))


def _pair(first: HandIn, second: HandIn, pair: dict, given: set[str]) -> Pair:
    texts = _text(first.file), _text(second.file)
    own = [collections.Counter(line for line in _lines(text) if line not in given) for text in texts]
    passages = tuple([tuple(passage) for passage in side] for side in pair["passages"])
    lines = texts[0].split("\n")
    covered = {line for _, begin, end in passages[0] for line in range(texts[0].count("\n", 0, begin), texts[0].count("\n", 0, end - 1) + 1)
               if _is_own(lines[line], given)}
    likeness = Likeness(first.id, second.id, round(pair["shares"][0], 3), round(pair["shares"][1], 3), len(covered))
    return Pair(likeness, texts, passages, sum((own[0] & own[1]).values()), sum(own[0].values()))


# ---- the page --------------------------------------------------------------------------------------------

_STYLE = """
body { max-width: none; }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.8rem; }
@media (max-width: 60rem) { .sides { grid-template-columns: minmax(0, 1fr); } }
.sides h3 { margin-top: 0.4rem; }
.sides pre { font-size: 0.8rem; line-height: 1.35; tab-size: 4; max-height: 80vh; overflow: auto; }
.sides .given { color: var(--muted); }
.sides mark { color: var(--ink); border-radius: 2px; }
.sides mark sup { font-size: 0.7em; margin-right: 0.2em; user-select: none; }
summary { cursor: pointer; padding: 0.3rem 0; overflow-wrap: anywhere; }
.c0 { background: #cfe3ff; } .c1 { background: #ffe2b8; } .c2 { background: #cdeeda; }
.c3 { background: #f3d3ea; } .c4 { background: #fbf2a9; } .c5 { background: #dcd7fb; }
@media (prefers-color-scheme: dark) { .c0 { background: #12365f; } .c1 { background: #59390b; } .c2 { background: #144a2c; }
  .c3 { background: #57204a; } .c4 { background: #4d470c; } .c5 { background: #332a70; } }
@media print { .sides pre { max-height: none; } }
"""

_MEANING = [
    "<p>A likeness costs no points and proves nothing. Names, comments and blanks do not matter for it, and what the starter and the "
    "contract give does not count. <strong>Share</strong> is the part of a file's own code that the other file has, too, in the same words "
    "and order. Code that many hand-ins of this class, or the workbook's own right files, have counts little; code that few have counts "
    "much. So 100% means that all of a file's own code is there, and one loop that nearly everyone writes brings a pair nowhere near "
    "it.</p>",
    f"<p>Pairs from {LEAST:.0%} on are listed. <strong>Short tasks look alike by nature</strong>: where a task leaves one loop of three "
    "lines to be written, two students who have never met write it alike, and a hint or the handout may have led both. What tells more "
    "than the share: lines that are the same letter by letter, comments and slips among them; the same detour; the same mistake in a place "
    "where others make none. Talk to both before you judge.</p>",
]


def page(comparisons: list[Comparison], people: dict[str, Person]) -> str:
    """The page for the instructor. `people` are the students by HandIn.id."""
    def called(hand_in: str) -> str:
        return pages.text(harmless.name(people[hand_in].name)) if hand_in in people else pages.text(hand_in)

    body = ["<h1>Hand-ins that look alike</h1>", *_MEANING]
    number = 0
    for found in comparisons:
        body.append(f"<h2>{pages.text(found.lab.name)}</h2>")
        count = f"{found.compared} hand-ins were compared with each other"
        listed = {0: f"no pair shares {LEAST:.0%} or more", 1: "1 pair of them is listed"}.get(
            len(found.pairs), f"{len(found.pairs)} pairs of them are listed")
        more = f"; {found.left} more are above {LEAST:.0%}, and none of them is liker than these" if found.left else ""
        body.append(f"<p>{count}: {listed}{more}.</p>")
        if found.short:
            body.append(f"<p>{found.short} more have less than about seven lines of their own, which is too little to compare.</p>")
        body += [f'<p class="note">{called(hand_in)} was not compared: {pages.text(why)}.</p>' for hand_in, why in found.unread]
        if not found.pairs:
            continue
        rows, shown = [], []
        for pair in found.pairs:
            number += 1
            like = pair.likeness
            best = max(like.share_of_first, like.share_of_second)
            rows.append([f'<a href="#pair-{number}">{called(like.first)} and {called(like.second)}</a>', pages.bar(best, f"{best:.0%}"),
                         f"{like.share_of_first:.0%}", f"{like.share_of_second:.0%}", str(like.lines), f"{pair.same} of {pair.own}"])
            sides = "".join(_side(pair, side, called(name), found.lab) for side, name in enumerate((like.first, like.second)))
            shown.append(f'<details id="pair-{number}"{" open" * (number == 1)}><summary>{called(like.first)} and {called(like.second)}: '
                         f'{best:.0%}</summary><div class="sides">{sides}</div></details>')
        headings = ["Pair", "Share", "of the first", "of the second", "Lines in common", "Own lines that are the same letter by letter"]
        body += [pages.table(headings, rows, (2, 3, 4, 5)), *shown]
    return pages.document("Hand-ins that look alike", body).replace("</style>", _STYLE + "</style>", 1)


def _side(pair: Pair, side: int, name: str, lab: Lab) -> str:
    """One file of a pair as HTML: shared passages marked, and what the starter gives grey."""
    text, marks = pair.texts[side], sorted(pair.passages[side], key=lambda passage: passage[1])
    given = set(_lines(_text(lab.kept_starter))) if lab.kept_starter.exists() else set()
    lines, at, told = [], 0, set()
    for line in text.split("\n"):
        end = at + len(line)
        if _is_own(line, given):
            lines.append(_marked(text, at, end, marks, told))
        else:  # a passage begins and ends among given words, which are not meant
            lines.append(f'<span class="given">{_code(line)}</span>' if line.strip() else "")
        at = end + 1
    share = (pair.likeness.share_of_first, pair.likeness.share_of_second)[side]
    return f'<section><h3>{name}, {share:.0%}</h3><pre tabindex="0">' + "\n".join(lines) + "</pre></section>"


def _marked(text: str, begin: int, end: int, marks: list[tuple[int, int, int]], told: set[int]) -> str:
    """A line of a file as HTML, with its parts of passages. The first of each passage has its number; `told` are those that had it."""
    pieces, place = [], begin
    for number, first, last in marks:
        first, last = max(first, place), min(last, end)
        if first < last and text[first:last].strip():
            sign = "" if number in told else f"<sup>{number + 1}</sup>"
            told.add(number)
            pieces += [_code(text[place:first]), f'<mark class="c{number % _COLOURS}">{sign}{_code(text[first:last])}</mark>']
            place = last
    return "".join([*pieces, _code(text[place:end])])


def _code(text: str) -> str:
    return pages.html.escape(harmless.shown(text.replace("\r", ""), lines=True), quote=True)


def look(workbook: Workbook, hand_ins: list[HandIn], labs: list[Lab], target: pathlib.Path) -> tuple[list[Likeness], list[str]]:
    """Compares the hand-ins lab by lab, and writes the page `target`. Returns the likenesses, and sentences for the terminal: what
    keeps a class from its marks must not be this."""
    python = interpreter(workbook)
    if not python:
        return [], [missing(workbook)]
    found, notes = [], []
    for lab in labs:
        try:
            found.append(comparison(hand_ins, lab, python))
        except (Problem, OSError) as problem:
            notes.append(f"{lab.name}: {problem}")
    target.write_text(page(found, {hand_in.id: hand_in.person for hand_in in hand_ins}), encoding="utf-8")
    count = sum(len(each.pairs) for each in found)
    pairs = {0: "no hand-ins look alike", 1: "1 pair of hand-ins looks alike"}.get(count, f"{count} pairs of hand-ins look alike")
    notes.append(f"{target}: {pairs}")
    return [pair.likeness for each in found for pair in each.pairs], notes
