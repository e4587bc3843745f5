"""Whose marks are others than after the grading before, and why.

Each grading keeps what its marks came of, and the list of changes, in the journal. A run that is killed loses no change: the
list is written together with the marks that the next one compares with.
"""
from __future__ import annotations

import dataclasses
import datetime
import pathlib

from .. import files
from .model import Graded, Mark

FILE = "marks.json"  # in the journal's folder
MOST_LINES = 40  # on the terminal
COLUMNS = ["time", "id", "name", "lab", "points_before", "max_points_before", "points", "max_points", "why"]
#: What a mark depends on, as _facts() has it, and how a change of it is called.
_CAUSES = {"file": "file", "rubric": "rubric", "seed": "seed", "rules": "rule", "submitted": "time of submission", "correction": "override"}
_OF_VERDICT = ("file", "rubric", "seed")  # these change a mark through the verdict alone


def _facts(graded: Graded, mark: Mark) -> dict:
    hand_in, correction = mark.hand_in, mark.correction
    scores = [[score.item, score.points, score.max_points] for score in mark.judged.scores()] if mark.judged else []
    return {"name": mark.person.name, "points": mark.points, "max_points": mark.max_points, "file": hand_in.sha256 or hand_in.shown if hand_in else "",
            "scores": files.digest_of(scores), "rubric": graded.rubrics.get(mark.lab.name, ""), "seed": graded.seed,
            "rules": files.digest_of(graded.rules.terms(mark.person, mark.lab)),
            "submitted": [str(hand_in.submitted), str(hand_in.late_by), hand_in.late] if hand_in else [],
            "correction": list(dataclasses.astuple(correction)) if correction else []}


def _why(before: dict, after: dict) -> str:
    causes = [name for fact, name in _CAUSES.items()
              if before[fact] != after[fact] and (fact not in _OF_VERDICT or before["scores"] != after["scores"])]
    return ", ".join(causes) or "judged again"


def since_the_last(graded: Graded, folder: pathlib.Path) -> list[list]:
    """Rows of COLUMNS: the marks that have changed with this grading. `folder` is the journal's; it gets this grading's marks.

    Of labs that were not graded now, the marks stay as they were."""
    path = folder / FILE
    kept = files.read_checked(path)
    before: dict[str, dict[str, dict]] = kept["marks"] if isinstance(kept, dict) else {}
    after: dict[str, dict[str, dict]] = {lab.name: {} for lab in graded.labs}
    for mark in graded.marks:
        after[mark.lab.name][mark.person.id] = _facts(graded, mark)
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    rows: list[list] = []
    for lab, marks in after.items():
        known = before.get(lab, {})
        for id in [*marks, *(id for id in known if id not in marks)] if known else []:
            old, new = known.get(id), marks.get(id)
            points = [value for each in (old, new) for value in ((each["points"], each["max_points"]) if each else ("", ""))]
            if points[:2] != points[2:]:
                why = _why(old, new) if old and new else "new in the class" if new else "no longer in the class"
                rows.append([now, id, (new or old or {})["name"], lab, *points, why])
    graded.changes = [*(kept["changes"] if isinstance(kept, dict) else []), *rows]
    files.write_checked(path, {"marks": {**before, **after}, "changes": graded.changes}, lasting=True)
    return rows


def in_words(rows: list[list]) -> list[str]:
    """Rows for the terminal, a line each."""
    lines = []
    for _, _, name, lab, *points, why in rows[:MOST_LINES]:
        before, after = (f"{got}/{most}" if got != "" else "no mark" for got, most in (points[:2], points[2:]))
        lines.append(f"{name}, {lab}: {before} -> {after} ({why})")
    return lines + ([f"… and {len(rows) - MOST_LINES} more, in changes.csv"] if len(rows) > MOST_LINES else [])
