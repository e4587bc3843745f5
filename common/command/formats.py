"""A verdict for editors and other programs: as a compiler would say it, and as SARIF."""
from __future__ import annotations

import json
import pathlib
import re
import urllib.parse

from .results import ItemResult, Verdict
from .workbook import Workbook

# g++ and clang++ say file:line:column: error, and nvcc file(line): error.
_COMPILER = re.compile(r"(?P<file>[^:]+?)(?::(?P<line>\d+):(?P<column>\d+)|\((?P<nvcc_line>\d+)\)): (?:fatal )?error: (?P<text>.*)")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def places_of(result: ItemResult, verdict: Verdict) -> list[tuple[str, int, int]]:
    """(file, line, column) of what a failure is about: the lines that it names, or its TODO, or the file's beginning."""
    named = [(str(place["file"]), int(place["line"]), 1) for place in result.places if place.get("line")]
    todo = result.todo or {}
    if not named and todo.get("line"):
        named = [(str(todo["file"]), int(todo["line"]), 1)]
    return named or [(verdict.source, 1, 1)]


def problems_of(verdict: Verdict) -> list[tuple[tuple[str, int, int], str, str, list[str]]]:
    """(place, sentence, diagnosis id, items) of everything that is wrong; what several items fail for is there once."""
    if verdict.build_failure:
        failure = verdict.build_failure
        ids = failure.diagnoses[0] if failure.diagnoses else "build-failed"
        found = next(filter(None, map(_COMPILER.match, failure.details)), None)
        if found:
            return [((found["file"], int(found["line"] or found["nvcc_line"]), int(found["column"] or 1)), found["text"], ids, [])]
        return [((verdict.source, 1, 1), failure.reason, ids, [])]
    merged: dict[tuple, list[str]] = {}
    for result in verdict.failures:
        place = places_of(result, verdict)[0]
        key = place, " ".join(result.reason.split()), result.diagnoses[0] if result.diagnoses else "not-graded"
        merged.setdefault(key, []).append(result.item)
    return [(*key, items) for key, items in merged.items()]


def gcc(verdict: Verdict, workbook: Workbook) -> str:
    """file:line:column: error: sentence [id]"""
    return "".join(f"{_shown(file, workbook)}:{line}:{column}: error: {sentence} [{name}]\n"
                   for (file, line, column), sentence, name, _ in problems_of(verdict))


def sarif(verdict: Verdict, workbook: Workbook) -> str:
    """SARIF 2.1.0 (OASIS), with paths relative to the workbook."""
    problems = problems_of(verdict)
    rules = sorted({name for _, _, name, _ in problems})
    results = [{
        "ruleId": name, "ruleIndex": rules.index(name), "level": "error", "message": {"text": sentence},
        "locations": [{"physicalLocation": {"artifactLocation": _location(file, workbook), "region": {"startLine": line, "startColumn": column}}}],
        "properties": {"items": items},
    } for (file, line, column), sentence, name, items in problems]
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
