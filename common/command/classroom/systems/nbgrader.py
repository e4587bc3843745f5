"""nbgrader: a table with the columns that `nbgrader export` writes, for scripts and learning platforms that read those.

https://github.com/jupyter/nbgrader/blob/main/nbgrader/plugins/export.py (CsvExportPlugin). nbgrader has no import of marks from elsewhere: its
gradebook holds the scores of notebooks' cells alone.
"""
from __future__ import annotations

from ...results import number
from .. import outputs
from ..model import Graded

NAME = "nbgrader"
COLUMNS = ["assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score", "late_submission_penalty",
           "score", "max_score"]


def results(graded: Graded) -> str:
    """The raw score is without what the rules take off; names are not split, for nobody can tell how."""
    rows: list[list[object]] = [COLUMNS]
    for mark in graded.marks:
        due = graded.rules.due(mark.person, mark.lab)
        full = mark.raw * mark.max_points / mark.raw_max if mark.raw_max else 0
        penalty = max(full - mark.points, 0)
        rows.append([mark.lab.name, due.strftime("%Y-%m-%d %H:%M:%S.%f") if due else "",
                     mark.hand_in.submitted.strftime("%Y-%m-%d %H:%M:%S.%f") if mark.hand_in and mark.hand_in.submitted else "",
                     mark.person.keys.get("login") or mark.person.id, mark.person.name, "", mark.person.keys.get("email", ""),
                     number(round(mark.points + penalty, 4)), number(round(penalty, 4)), number(round(mark.points, 4)), number(round(mark.max_points, 4))])
    return outputs.csv_text(rows)
