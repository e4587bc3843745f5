"""A verdict for editors and other programs: as a compiler would say it, and as SARIF."""
from __future__ import annotations

import dataclasses
import json
import pathlib
import re
import urllib.parse

from .language import _
from .results import ItemResult, Verdict
from .workbook import Workbook

# g++ and clang++ say file:line:column: error, and nvcc file(line): error.
_COMPILER = re.compile(r"(?P<file>[^:]+?)(?::(?P<line>\d+):(?P<column>\d+)|\((?P<nvcc_line>\d+)\)): (?:fatal )?error: (?P<text>.*)")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclasses.dataclass(frozen=True)
class Place:
    """A line, and what was seen there, if that is known."""

    file: str
    line: int
    column: int = 1
    text: str = ""


@dataclasses.dataclass
class Finding:
    """What is wrong, where, what else took part, and the items that fail for it."""

    sentence: str
    id: str
    places: list[Place]  # the first is what it is about
    level: str = "error"
    items: list[str] = dataclasses.field(default_factory=list)


def places_of(result: ItemResult, verdict: Verdict) -> list[Place]:
    """What a failure is about: first one line of those that it names, of the accesses that the simulator objected to, its TODO's, or the
    file's first; behind it all of these accesses, and the other lines."""
    seen = [Place(str(each["file"]), int(each["line"]), text=_seen(each))
            for finding in result.findings[:1] for each in finding["participants"] if each.get("line")]
    named = [Place(str(place["file"]), int(place["line"])) for place in result.places if place.get("line")]
    todo = result.todo or {}
    if not seen and not named and todo.get("line"):
        named = [Place(str(todo["file"]), int(todo["line"]))]
    known = {(place.file, place.line) for place in seen}
    first = [dataclasses.replace(place, text="") for place in (named or seen)[:1]]
    return [*first, *seen, *(place for place in named[1:] if (place.file, place.line) not in known)] or [Place(verdict.source, 1)]


def _seen(participant: dict) -> str:
    """"thread (32,0,0) of block (0,0,0) writes 16 bytes of it"."""
    at = participant.get("thread")
    if not at:
        return str(participant["action"])
    thread, block = (",".join(map(str, at[name])) for name in ("thread", "block"))
    return _("thread ({thread}) of block ({block}) {action}", thread=thread, block=block, action=str(participant["action"]))


def problems_of(verdict: Verdict) -> list[Finding]:
    """Everything that is wrong, where what several items fail for is there once; then what the compiler warns of."""
    if verdict.build_failure:
        failure = verdict.build_failure
        name = failure.diagnoses[0] if failure.diagnoses else "build-failed"
        found = next(filter(None, (_COMPILER.match(detail["text"]) for detail in failure.details)), None)
        if found:
            return [Finding(found["text"], name, [Place(found["file"], int(found["line"] or found["nvcc_line"]), int(found["column"] or 1))])]
        return [Finding(failure.reason, name, [Place(verdict.source, 1)])]
    merged: dict[tuple, Finding] = {}  # by ids and places
    for result in verdict.failures:
        places = places_of(result, verdict)
        name, sentence = result.diagnoses[0] if result.diagnoses else "not-graded", " ".join(result.reason.split())
        merged.setdefault((places[0].file, places[0].line, result.cause, name, result.message), Finding(sentence, name, places)).items.append(result.item)
    return [*merged.values(), *(Finding(warned.text, "compiler-warning", [Place(verdict.source, warned.line, warned.column)], "warning")
                                for warned in verdict.warnings)]


def gcc(verdict: Verdict, workbook: Workbook) -> str:
    """file:line:column: error: sentence [id], and a note for each that took part"""
    lines = []
    for problem in problems_of(verdict):
        first, *others = problem.places
        for place, said in [(first, f"{problem.level}: {problem.sentence} [{problem.id}]"), *((other, f"note: {other.text}") for other in others if other.text)]:
            lines.append(f"{_shown(place.file, workbook)}:{place.line}:{place.column}: {said}\n")
    return "".join(lines)


def sarif(verdict: Verdict, workbook: Workbook) -> str:
    """SARIF 2.1.0 (OASIS), with paths relative to the workbook."""
    problems = problems_of(verdict)
    rules = sorted({problem.id for problem in problems})

    def located(place: Place) -> dict:
        return {"physicalLocation": {"artifactLocation": _location(place.file, workbook),
                                     "region": {"startLine": place.line, "startColumn": place.column}},
                **({"message": {"text": place.text}} if place.text else {})}

    results = [{
        "ruleId": problem.id, "ruleIndex": rules.index(problem.id), "level": problem.level, "message": {"text": problem.sentence},
        "locations": [located(problem.places[0])],
        **({"relatedLocations": [{"id": number, **located(place)} for number, place in enumerate(problem.places[1:], 1)]}
           if problem.places[1:] else {}),
        "properties": {"items": problem.items},
    } for problem in problems]
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "Warpbook", "rules": [{"id": name} for name in rules]}},
        "originalUriBaseIds": {"WORKBOOK": {"uri": workbook.root.as_uri() + "/"}}, "columnKind": "unicodeCodePoints", "results": results}]}
    return json.dumps(document, indent=2) + "\n"


def _shown(file: str, workbook: Workbook) -> str:
    return workbook.shown(workbook.root / file)


def _location(file: str, workbook: Workbook) -> dict:
    path = pathlib.PurePosixPath(_shown(file, workbook))
    return {"uri": (workbook.root / path).as_uri()} if path.is_absolute() else {"uri": urllib.parse.quote(str(path)), "uriBaseId": "WORKBOOK"}


FORMATS = {"gcc": gcc, "sarif": sarif}
