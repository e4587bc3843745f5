"""nbgrader: a table with the columns that `nbgrader export` writes, for scripts and learning platforms that read those.

https://github.com/jupyter/nbgrader/blob/main/nbgrader/plugins/export.py (CsvExportPlugin). nbgrader has no import of marks from
elsewhere: its gradebook holds the scores of notebooks' cells alone.
"""
from __future__ import annotations

import datetime

from ...results import number
from .. import outputs
from ..model import Graded

NAME = "nbgrader"
COLUMNS = ["assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score", "late_submission_penalty",
           "score", "max_score"]


def _time(time: datetime.datetime | None) -> str:
    """As nbgrader keeps times: in UTC, without saying so."""
    return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S.%f") if time else ""


def results(graded: Graded) -> str:
    """The raw score is without what lateness costs. A name stands whole in last_name: where to split it is not known."""
    rows: list[list[object]] = [COLUMNS]
    for mark in (mark for mark in graded.marks if not mark.is_open):
        due = graded.rules.due(mark.person, mark.lab)
        scores = [number(round(mark.points + mark.lateness_cost, 2)), mark.lateness_cost, mark.points, mark.max_points]
        rows.append([mark.lab.name, _time(due), _time(mark.hand_in.submitted if mark.hand_in else None),
                     mark.person.keys.get("login") or mark.person.id, mark.person.name, "", mark.person.keys.get("email", ""), *scores])
    return outputs.csv_text(rows)
