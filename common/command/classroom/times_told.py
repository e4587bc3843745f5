"""When hand-ins were submitted, in files by which a system vouches for it: Moodle's log, Canvas's submissions, GitHub Classroom's grades.

A commit's time and a file's are the student's own word, and are not read.
"""
from __future__ import annotations

import csv
import dataclasses
import datetime
import io
import json
import pathlib
import re
from collections.abc import Iterable

from ..problem import Problem
from . import naming
from .who import Who, word_of


@dataclasses.dataclass(frozen=True)
class Told:
    time: datetime.datetime  # aware
    late_by: datetime.timedelta | None = None  # by the system's own deadline


#: moodle/moodle, mod/assign/classes/event/assessable_submitted.php: no translation of Moodle changes the sentence. report/log/classes/
#: table_log.php: the columns before it are the time, who did it, for whom ("-": themselves), the context and two more.
_SUBMITTED = re.compile(r"The user with id '\d+' has submitted the submission with id '\d+' for the assignment with course module id '\d+'\.")
_TIME, _USER, _FOR, _CONTEXT = -6, -5, -4, -3
#: In the order of the site's language ("strftimedatetimeshort" of its pack).
_DATE = re.compile(r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4}),? (\d{1,2}):(\d\d)(?::(\d\d))? ?([AP]M)?", re.I)


class Times:
    """What the files say, by the system's key of a person and the lab's index, or by the name of a repository."""

    def __init__(self, files: Iterable[pathlib.Path], names: naming.LabNames, zone: datetime.tzinfo | None):
        """Raises Problem for a file that cannot be read, or says too little."""
        self._names, self._zone = names, zone
        self._told: dict[tuple, Told] = {}
        for file in files:
            try:
                text = file.read_bytes().decode("utf-8-sig")
                rows = None if text.lstrip().startswith("[") else list(csv.reader(io.StringIO(text, newline=""), strict=True))
                self._canvas(file, json.loads(text)) if rows is None else self._table(file, rows)
            except OSError as error:
                raise Problem(f"The file of times {file} cannot be read: {error.strerror}.") from None
            except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, csv.Error) as error:
                raise Problem(f"The file of times {file} cannot be read: {error}.") from None

    def of(self, who: Who, lab: int, repository: str, namesakes: int) -> Told | None:
        """The files' word on a person's newest file for a lab, in a clone called `repository`, where so many have the person's name."""
        keys = [("repository", repository), ("canvas", who.keys.get("canvas_id", ""), lab)]
        keys += [("moodle", _name(who.name), lab)] if namesakes == 1 else []
        return next((self._told[key] for key in keys if key in self._told), None)

    def _add(self, key: tuple, told: Told) -> None:
        if key[1] and (key not in self._told or told.time > self._told[key].time):
            self._told[key] = told

    def _lab(self, text: str) -> int | None:
        named = self._names.read(text)
        return named.lab if named.strength > 1 else None

    def _canvas(self, file: pathlib.Path, submissions: list[dict]) -> None:
        """https://canvas.instructure.com/doc/api/submissions.html, "List assignment submissions": user_id, submitted_at, seconds_late, and
        with include[]=assignment the assignment's name."""
        for each in submissions:
            name = (each.get("assignment") or {}).get("name") or file.stem
            lab, time = self._lab(name), naming.aware(each["submitted_at"] or "")
            if lab is None and "assignment" not in each:
                raise Problem(f"The file of times {file} does not say for which lab it is.",
                              ["Call it lab-01.json, or ask Canvas with include[]=assignment."])
            if time is None or lab is None:
                continue
            late = datetime.timedelta(seconds=each.get("seconds_late") or 0)
            user = each.get("user_id") or f"anon_{each.get('anonymous_id')}"
            self._add(("canvas", str(user), lab), Told(time, late or None))

    def _table(self, file: pathlib.Path, rows: list[list[str]]) -> None:
        head = rows[0] if rows else []
        if {"student_repository_name", "submission_timestamp"} <= set(head):
            self._github([dict(zip(head, row)) for row in rows[1:]])
        elif any(_SUBMITTED.fullmatch(cell) for row in rows for cell in row):
            self._moodle(file, rows[1:])
        else:
            raise Problem(f"The file of times {file} is none that is known here.",
                          ["It can be Moodle's log of a course or an assignment (CSV), what Canvas's API lists of submissions (JSON), or GitHub Classroom's grades "
                           "(CSV). For others a roster of your own has the column submitted."])

    def _github(self, rows: list[dict[str, str]]) -> None:
        """https://docs.github.com/en/rest/classroom/classroom, "Get assignment grades", which is also the form of the downloaded table."""
        for row in rows:
            time = naming.aware(row["submission_timestamp"])
            if time:
                self._add(("repository", row["student_repository_name"].rpartition("/")[2]), Told(time))

    def _moodle(self, file: pathlib.Path, rows: list[list[str]]) -> None:
        if self._zone is None:
            raise Problem(f"Moodle's log {file} says no time zone.", ["Give the course's rules a 'time_zone'."])
        at = next(index for row in rows for index, cell in enumerate(row) if _SUBMITTED.fullmatch(cell))
        if at + _TIME < 0:
            raise Problem(f"Moodle's log {file} lacks the columns in front of the description.")
        rows = [row for row in rows if len(row) > at]
        for row, time in zip(rows, _times(file, [row[at + _TIME] for row in rows])):
            lab = self._lab(row[at + _CONTEXT].partition(":")[2])
            if lab is not None and _SUBMITTED.fullmatch(row[at]):
                name = row[at + _FOR] if row[at + _FOR] not in ("", "-") else row[at + _USER]
                self._add(("moodle", _name(name), lab), Told(time.replace(tzinfo=self._zone)))


def _name(name: str) -> str:
    """As Moodle writes it in a folder's name."""
    return word_of(name).replace("_", " ")


def _times(file: pathlib.Path, texts: list[str]) -> list[datetime.datetime]:
    """The times of a log. Whether the day or the month is first is not said: that order counts in which all are dates, from new to old."""
    found = {tuple(made) for order in ("dmy", "mdy", "ymd") for made in [[_time(text, order) for text in texts]] if None not in made}
    if len(found) > 1:
        found = {made for made in found if list(made) == sorted(made, reverse=True)} or found
    if len(found) != 1:
        what = "can be read in several ways" if found else "are not all read"
        raise Problem(f"The times in {file} {what}: '{texts[0] if texts else ''}'.", ["Write them as 2027-01-31 23:59:00."])
    return list(found.pop())


def _time(text: str, order: str) -> datetime.datetime | None:
    match = _DATE.fullmatch(text.strip())
    if not match:
        return None
    part = dict(zip(order, (match[1], match[3], match[4])))
    if (len(part["y"]) not in (2, 4) or max(len(part["d"]), len(part["m"])) > 2
            or (order == "ymd") != (len(match[1]) == 4) or (match[2] == "." and order == "mdy")):
        return None
    hour = int(match[5]) % 12 + 12 * (match[8].upper() == "PM") if match[8] else int(match[5])
    try:
        return datetime.datetime(int(part["y"]) + 2000 * (len(part["y"]) == 2), int(part["m"]), int(part["d"]), hour, int(match[6]), int(match[7] or 0))
    except ValueError:
        return None
