"""Whose marks are others than after the grading before, and why.

Each grading keeps what its marks came of, and the list of changes, in the journal. A run that is killed loses no change: the
list is written together with the marks that the next one compares with, and with how much of it was shown.
"""
from __future__ import annotations

import copy
import dataclasses
import datetime
import pathlib

from .. import files
from ..problem import Problem
from .model import Graded, Mark

FILE = "marks.json"  # in the journal's folder
MOST_LINES = 40  # on the terminal
COLUMNS = ["time", "id", "name", "lab", "points_before", "max_points_before", "points", "max_points", "why"]
#: What a mark depends on, as _facts() has it, and how a change of it is called.
_CAUSES = {"file": "file", "rubric": "rubric", "seed": "seed", "rules": "rule", "extension": "extension", "submitted": "time of submission", "correction": "override",
           "excused": "excused", "open": "question"}
_TRIED = ("rules", "extension", "submitted")  # without which a mark can be reckoned again


def _facts(graded: Graded, mark: Mark) -> dict:
    hand_in, correction, rules = mark.hand_in, mark.correction, graded.rules
    scores = [[score.item, score.points, score.max_points] for score in mark.judged.scores()] if mark.judged else []
    points, most = (mark.excused, "") if mark.excused else ("" if mark.is_open else mark.points, mark.max_points)
    given = hand_in.given or [(hand_in.sha256 or hand_in.shown, str(hand_in.submitted or ""))] if hand_in else []
    return {"name": mark.person.name, "given": [digest for digest, _ in given], "times": [time for _, time in given], "points": points, "max_points": most, "file": hand_in.sha256 or hand_in.shown if hand_in else "",
            "scores": files.digest_of(scores), "rubric": graded.rubrics.get(mark.lab.name, ""), "seed": graded.seed,
            "rules": files.digest_of([rules.terms(mark.lab), rules.terms_of_lateness(mark.person, mark.lab)]),
            "extension": str(rules.extensions.get((mark.person.id, mark.lab.name)) or ""), "submitted": [str(hand_in.submitted or ""), hand_in.late_by.total_seconds() if hand_in.late_by else None, hand_in.late] if hand_in else [],
            "correction": correction.points if correction else None, "excused": mark.excused or None, "open": mark.is_held or None}


def _why(before: dict, after: dict, mark: Mark, rules, rules_before) -> str:
    """What has changed, and without which the mark would be another one."""
    differ = {fact for fact in after if before.get(fact, "") != after[fact]}
    acting, needed = {*_CAUSES}, set()
    if {"excused", "open"} & differ:  # there was no mark, or is none
        acting = {"excused", "open"}
        if after["correction"] is not None and mark.is_given:
            acting.add("correction")
        elif not after["excused"] and not after["open"]:
            acting |= {fact for fact in _TRIED if _without(fact, before, mark, rules, rules_before) not in (None, [after["points"], after["max_points"]])}
    elif after["correction"] is not None:  # which stands over all but what the lab is worth
        acting = {"correction", *(("rules", "rubric") if "max_points" in differ else ())}
    if "scores" not in differ:  # these change a mark through the verdict alone
        acting -= {"file", "rubric", "seed"}
    if before.get("given") == after["given"] and "file" in differ:  # another one of the same files counts
        differ = differ - {"submitted"} | ({"submitted"} if before["times"] != after["times"] else set())
        needed = {"rules"} & differ if rules_before is None or rules_before.attempts != rules.attempts else {"submitted"} & differ
        acting -= {"file"} if needed else set()  # else what files say of themselves chose it
    acting &= differ
    idle = {fact for fact in acting & {*_TRIED} if _without(fact, before, mark, rules, rules_before) == [after["points"], after["max_points"]]}
    acting = acting - (idle - needed) or acting
    return ", ".join(name for fact, name in _CAUSES.items() if fact in acting) or "judged again"


def _without(fact: str, before: dict, mark: Mark, rules, rules_before) -> list | None:
    """The points and the most that a mark would have if the rules, an extension or the time of submission were as before; None where that is not known.
    Without a file before, its time is compared with one that is not known."""
    hand_in = mark.hand_in
    if fact == "rules" and rules_before is None or fact == "submitted" and not hand_in:
        return None
    if fact == "extension":
        before_, key = before.get("extension"), (mark.person.id, mark.lab.name)
        rules_before = copy.copy(rules)
        rules_before.extensions = {other: time for other, time in rules.extensions.items() if other != key}
        if before_:
            rules_before.extensions[key] = datetime.datetime.fromisoformat(before_)
    if fact == "submitted":
        time, late_by, late = before["submitted"] or ("", None, False)
        hand_in = dataclasses.replace(hand_in, submitted=datetime.datetime.fromisoformat(time) if time else None, late=late,
                                      late_by=None if late_by is None else datetime.timedelta(seconds=late_by))
    try:
        made = (rules if fact == "submitted" else rules_before).choose(mark.person, mark.lab, [(hand_in, mark.judged)] if hand_in else [])
    except Problem:  # it knows too little of other labs
        return None
    return [made.points, made.max_points]


def since_the_last(graded: Graded, folder: pathlib.Path) -> list[list]:
    """Rows of COLUMNS: the marks that have changed with this grading, or with one that was killed before it showed them. `folder` is the journal's; it gets
    this grading's marks.

    Of labs that were not graded now, the marks stay as they were."""
    path = folder / FILE
    kept = files.read_checked(path)
    before: dict[str, dict[str, dict]] = kept["marks"] if isinstance(kept, dict) else {}
    rules_before = graded.rules.with_file(kept["rules"]) if isinstance(kept, dict) and "rules" in kept else None
    after: dict[str, dict[str, dict]] = {lab.name: {} for lab in graded.labs}
    by_id = {(mark.person.id, mark.lab.name): mark for mark in graded.marks}
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
                why = _why(old, new, by_id[id, lab], graded.rules, rules_before) if old and new else "new in the class" if new else "no longer in the class"
                rows.append([now, id, (new or old or {})["name"], lab, *points, why])
    earlier = kept["changes"] if isinstance(kept, dict) else []
    graded.changes, shown = [*earlier, *rows], kept.get("shown", len(earlier)) if isinstance(kept, dict) else 0
    files.write_checked(path, {"marks": {**before, **after}, "rules": graded.rules.said, "changes": graded.changes, "shown": shown}, lasting=True)
    return graded.changes[shown:]


def were_shown(folder: pathlib.Path) -> None:
    """Keeps that all changes were shown, after everything was written."""
    kept = files.read_checked(folder / FILE)
    if isinstance(kept, dict):
        files.write_checked(folder / FILE, {**kept, "shown": len(kept["changes"])}, lasting=True)


def in_words(rows: list[list]) -> list[str]:
    """Rows for the terminal, a line each."""
    lines = []
    for _, _, name, lab, *points, why in rows[:MOST_LINES]:
        before, after = (f"{got}/{most}" if got != "" and most != "" else got or "no mark" for got, most in (points[:2], points[2:]))
        lines.append(f"{name}, {lab}: {before} -> {after} ({why})")
    return lines + ([f"… and {len(rows) - MOST_LINES} more, in changes.csv"] if len(rows) > MOST_LINES else [])
