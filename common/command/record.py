"""What the last check of each lab came to, for ./warpbook list.

It is a note to the student and no verdict: points are never read from it. A submission has no say in it either: it is
read before one runs, and written back afterwards, when nothing of the submission is left, with the new verdict if any.
"""
from __future__ import annotations

import contextlib
import json
import pathlib
import time
from collections.abc import Iterator

from .results import Verdict
from .workbook import Lab, Workbook

_FORMAT = 1


class Record:
    def __init__(self, workbook: Workbook):
        self._path: pathlib.Path = workbook.build_root / "checks.json"
        self._labs: dict[str, dict] = {}
        try:
            said = json.loads(self._path.read_text(encoding="utf-8"))
            if said["format"] == _FORMAT:
                self._labs = {str(number): dict(entry) for number, entry in said["labs"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass  # there is none, or none of ours

    def of(self, lab: Lab) -> dict | None:
        """{"points", "max_points", "state", "edited": modification time of the file in ns} of the last check, if any."""
        entry = self._labs.get(lab.number)
        known = {"points": (int, float), "max_points": (int, float), "state": str, "edited": int}
        return entry if entry and all(isinstance(entry.get(key), kind) for key, kind in known.items()) else None

    def note(self, lab: Lab, verdict: Verdict, edited: int) -> None:
        if verdict.build_failure:
            state = "does not compile"
        elif verdict.complete:
            state = "solved"
        else:
            state = "started" if verdict.points else "unsolved"
        self._labs[lab.number] = {"points": verdict.points, "max_points": verdict.max_points, "state": state,
                                  "edited": edited, "checked": time.strftime("%Y-%m-%dT%H:%M:%S%z")}

    def write(self) -> None:
        """Writes what was read, and what has been noted since."""
        if not self._labs:
            self._path.unlink(missing_ok=True)
            return
        draft = self._path.with_suffix(".part")
        draft.write_text(json.dumps({"format": _FORMAT, "labs": self._labs}, indent=1), encoding="utf-8")
        draft.replace(self._path)


@contextlib.contextmanager
def kept(workbook: Workbook) -> Iterator[Record]:
    """The record while a submission runs, to be used with the build folder locked: another check writes it too."""
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
