"""What the checks of each lab came to, for ./warpbook list and hint; and the answers to its questions.

It is a note to the student and no verdict: points are never read from it. A submission has no say in it either: it is
read before one runs, and written back afterwards, when nothing of the submission is left, with the new verdict if any.
"""
from __future__ import annotations

import contextlib
import json
import pathlib
import time
from collections.abc import Iterator

from . import files, lock, regions
from .results import Verdict, in_work, total
from .workbook import Lab, Workbook

_FORMAT = 1


class Record:
    def __init__(self, workbook: Workbook):
        self._path: pathlib.Path = workbook.build_root / "checks.json"
        self._labs: dict[str, dict] = {}
        said = files.read_json(self._path)
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):  # there is none, or none of ours
            if said["format"] == _FORMAT:
                self._labs = {str(number): dict(entry) for number, entry in said["labs"].items()}

    def of(self, lab: Lab) -> dict | None:
        """The last check, if any: {"points", "max_points", "state", "edited": modification time of the file in ns}, and
        "best": most points so far, "before": those of the check before, "tasks": {number: [points, most, state]},
        "parts": fingerprints of the file (regions.py), "right": those of each TODO when its items last passed."""
        entry = self._labs.get(lab.number)
        known = {"points": (int, float), "max_points": (int, float), "state": str, "edited": int}
        if not entry or not all(isinstance(entry.get(key), kind) for key, kind in known.items()):
            return None
        kinds = {"best": (int, float), "before": (int, float), "tasks": dict, "parts": dict, "right": dict}
        others = {key: entry[key] if isinstance(entry.get(key), kind) else None if kind is not dict else {} for key, kind in kinds.items()}
        return {**entry, **others}

    def note(self, lab: Lab, verdict: Verdict, edited: int, text: str) -> None:
        """`text` is the file that was judged."""
        if verdict.build_failure:
            state = "does not compile"
        elif verdict.complete:
            state = "solved"
        else:
            state = "started" if verdict.points else "unsolved"
        last = self.of(lab) or {"points": None, "best": None, "right": {}, "max_points": None, "tasks": {}}
        same = last["max_points"] == verdict.max_points  # another backend has other items
        best = max(verdict.points, last["best"] or 0) if same else verdict.points
        parts = regions.fingerprints(text)
        tasks = {str(task.number): [task.points, task.max_points, task.state] for task in verdict.tasks().values()}
        passed = {number: parts[number] for number, (_, _, state) in tasks.items() if state == "solved" and number in parts}
        self._entry(lab).update({
            "points": verdict.points, "max_points": verdict.max_points, "state": state, "edited": edited, "best": best,
            "before": last["points"] if same else None, "parts": parts, "tasks": tasks, "in_work": in_work(verdict.failures), "right": {**last["right"], **passed},
            "checked": time.strftime("%Y-%m-%dT%H:%M:%S%z")})

    def note_todos(self, lab: Lab, verdict: Verdict, text: str) -> None:
        """What a check of some TODOs alone came to, beside what is known of the others; nothing where nothing is."""
        last, parts = self.of(lab), regions.fingerprints(text)
        tasks = dict(last["tasks"]) if last else {}
        noted = {name: [task.points, task.max_points, task.state] for task in verdict.tasks().values()
                 if (name := str(task.number)) in tasks and name in parts and tasks[name][1] == task.max_points}
        if not noted:
            return
        points = total([last["points"], *(task[0] - tasks[name][0] for name, task in noted.items())])
        tasks.update(noted)
        solved = {name for name, (_, _, state) in tasks.items() if state == "solved"}
        still = last.get("in_work") or 0
        failing = {0 if str(still) in {*noted, *solved} else still, in_work(verdict.failures)} - {0}
        open_ones = sorted((state != "in work", int(name)) for name, (_, _, state) in tasks.items() if name not in solved)
        self._entry(lab).update({
            "points": points, "state": "solved" if not open_ones else "started" if points else "unsolved",
            "best": max(points, last["best"] or 0), "before": last["points"], "tasks": tasks,
            "in_work": min(failing, default=open_ones[0][1] if open_ones else 0), "parts": {**last["parts"], **{name: parts[name] for name in noted}},
            "right": {**last["right"], **{name: parts[name] for name in noted if name in solved}}})

    def hints(self, lab: Lab, todo: int) -> int:
        """How many hints of TODO(`todo`) have been shown."""
        count = self._noted_in(lab, "hints").get(str(todo))
        return count if isinstance(count, int) else 0

    def note_hints(self, lab: Lab, todo: int, count: int) -> None:
        self._note_in(lab, "hints", str(todo), count)

    def answers(self, lab: Lab, question: str) -> list[float]:
        """The answers that were given to the question with the id `question`, in their order."""
        values = self._noted_in(lab, "answers").get(question)
        return [value for value in values if type(value) in (int, float)] if isinstance(values, list) else []

    def note_answer(self, lab: Lab, question: str, value: float) -> None:
        self._note_in(lab, "answers", question, [*self.answers(lab, question), value])

    def _noted_in(self, lab: Lab, kind: str) -> dict:
        noted = self._labs.get(lab.number, {}).get(kind)
        return noted if isinstance(noted, dict) else {}

    def _note_in(self, lab: Lab, kind: str, name: str, value: object) -> None:
        self._entry(lab)[kind] = {**self._noted_in(lab, kind), name: value}

    def _entry(self, lab: Lab) -> dict:
        return self._labs.setdefault(lab.number, {})

    def write(self) -> None:
        """Writes what was read, and what has been noted since."""
        if not self._labs:
            self._path.unlink(missing_ok=True)
            return
        files.write(self._path, json.dumps({"format": _FORMAT, "labs": self._labs}, indent=1))


@contextlib.contextmanager
def kept(workbook: Workbook) -> Iterator[Record]:
    """The record, locked against other commands: a hint waits while a check keeps it, which is as long as a submission runs."""
    with lock.held(workbook, workbook.build_root, ".checks-lock"):
        record = Record(workbook)
        try:
            yield record
        finally:
            record.write()


def edited(lab: Lab) -> int:
    """When the student's file was last changed, in ns; 0 if it is not there."""
    try:
        return lab.starter.stat().st_mtime_ns
    except OSError:
        return 0


def text(file: pathlib.Path) -> str:
    """What is in a student's file; "" if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def changed(last: dict, now: str) -> list[int]:
    """The TODOs whose text is no longer that of the last check; 0 is what is outside of all of them."""
    parts = regions.fingerprints(now)
    names = {*parts, *last["parts"]}
    return sorted(int(name or 0) for name in names if parts.get(name) != last["parts"].get(name))
