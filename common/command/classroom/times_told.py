"""When hand-ins were submitted, in files by which a system vouches for it: Moodle's worksheet and log, Canvas's submissions, GitHub
Classroom's grades.

A file's time is the student's own word, and is not read; a commit's is one only within what the system says (commits.py).
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
from . import harmless, naming
from .model import Person
from .roster import Roster, delimiter_of, plain_number, text_of
from .who import Who, word_of


@dataclasses.dataclass(frozen=True)
class Told:
    time: datetime.datetime  # aware
    late_by: datetime.timedelta | None = None  # by the system's own deadline
    file: str = ""
    of_all: bool = False  # it is the time of a clone or of a number in Moodle, and of all labs in it


@dataclasses.dataclass(frozen=True)
class Late:
    """What Moodle's worksheet says of a hand-in that was late there."""

    words: str
    file: str
    least: datetime.timedelta | None = None  # and `most`, where that is sure
    most: datetime.timedelta | None = None


@dataclasses.dataclass(frozen=True)
class Pushed:
    """A submission by GitHub Classroom's grades."""

    file: str
    repository: str
    user: str
    identifier: str  # the roster's
    lab: int | None  # that the assignment's name names


#: moodle/moodle, mod/assign/classes/event/assessable_submitted.php: no translation of Moodle changes the sentence. report/log/classes/
#: table_log.php: the columns before it are the time, who did it, for whom ("-": themselves), the context and two more.
_SUBMITTED = re.compile(r"The user with id '\d+' has submitted the submission with id '\d+' for the assignment with course module id '\d+'\.")
_TIME, _USER, _FOR, _CONTEXT = -6, -5, -4, -3
#: In the order of the site's language ("strftimedatetimeshort" of its pack).
_DATE = re.compile(r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4}),? (\d{1,2}):(\d\d)(?::(\d\d))? ?([AP]M)?", re.I)
#: userdate() of moodle/moodle: "strftimedaydatetime" of its packs en and en_us, and both with a clock of 24 hours, as sites have them.
_DAY_AND_TIME = [f"%A, {day}, {clock}" for clock in ("%I:%M %p", "%H:%M") for day in ("%d %B %Y", "%B %d, %Y")]

#: "submittedlateshort" there, of format_time() in lib/moodlelib.php, which has the two largest units.
_LATE = re.compile(r"(?:(\d+) years? ?)?(?:(\d+) days? ?)?(?:(\d+) hours? ?)?(?:(\d+) mins? ?)?(?:(\d+) secs? ?)?late")
_UNITS = [datetime.timedelta(days=365), datetime.timedelta(days=1), datetime.timedelta(hours=1), datetime.timedelta(minutes=1), datetime.timedelta(seconds=1)]

_EXTENSION = "Extension granted until: "  # "userextensiondate" of mod/assign/lang/en/assign.php


class Times:
    """What the files say, by the system's key of a person and the lab's index, or by the name of a repository."""

    def __init__(self, files: Iterable[pathlib.Path], names: naming.LabNames, zone: datetime.tzinfo | None, rosters: Iterable[Roster] = ()):
        """Raises Problem for a file that cannot be read, or says too little. Of `rosters`, grading worksheets say times."""
        self._names, self._zone = names, zone
        self.notes: list[str] = []
        self._told: dict[tuple, Told] = {}
        self.extensions: dict[str, datetime.datetime | str] = {}  # by Moodle's number; words where the time is not sure
        self.late: dict[str, Late] = {}  # by Moodle's number
        self.drafts: dict[str, str] = {}  # by Moodle's number: the file that says that what is there was not submitted
        self.excused: dict[tuple[str, int], str] = {}  # by Canvas's user and the lab: the file that says so
        self._members: dict[str, dict[tuple[str, str], str]] = {}  # by the repository: its address, by users and roster_identifiers
        self.pushed: list[Pushed] = []
        for file in files:
            text = text_of(file, "file of times").removeprefix("\ufeff")
            try:
                rows = None if text.lstrip().startswith("[") else list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True))
                self._canvas(file, json.loads(text)) if rows is None else self._table(file, rows)
            except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, csv.Error) as error:
                raise Problem(f"The file of times {file} cannot be read: {error}.") from None
        for roster in rosters:
            self._worksheet(roster)

    def of(self, who: Who, lab: int, repository: str, namesakes: int) -> Told | None:
        """The files' word on a person's newest file for a lab, in a clone called `repository`, where so many have the person's name."""
        keys = [("repository", repository.casefold()), ("canvas", who.keys.get("canvas_id", ""), lab)]
        keys += [("moodle", _name(who.name), lab)] if namesakes == 1 else []
        keys.append(("worksheet", who.keys.get("_Moodle", "")))
        return next((self._told[key] for key in keys if key in self._told), None)

    def members(self, repository: str) -> list[tuple[str, str]]:
        """Whose a repository is by GitHub Classroom: users' names and the roster's identifiers, of a team those of each member. None where
        repositories of several organizations are called so."""
        said = self._members.get(repository.casefold(), {})
        return [*said] if len({*said.values()}) == 1 else []

    def submissions(self, person: Person, lab: int, namesakes: int) -> list[tuple[str, str]]:
        """The files that say that a person has submitted something for a lab, each with its system."""
        keys = [("Canvas", ("canvas", person.keys.get("canvas_id", ""), lab))]
        keys += [("Moodle", ("moodle", _name(person.name), lab))] if namesakes == 1 else []
        return [(self._told[key].file, system) for system, key in keys if key in self._told]

    def _add(self, key: tuple, told: Told) -> None:
        if key[1] and (key not in self._told or told.time > self._told[key].time):
            self._told[key] = told

    def _lab(self, text: str) -> int | None:
        named = self._names.read(text)
        return named.lab if named.strength > 1 else None

    def _canvas(self, file: pathlib.Path, submissions: list[dict]) -> None:
        """https://canvas.instructure.com/doc/api/submissions.html, "List assignment submissions": user_id, submitted_at, seconds_late,
        excused, and with include[]=assignment the assignment's name."""
        for each in submissions:
            name = (each.get("assignment") or {}).get("name") or file.stem
            said = each["submitted_at"] or ""
            lab, time = self._lab(name), naming.aware(said)
            if said and time is None:
                raise Problem(f"The file of times {file} has '{harmless.shown(str(said))}' as the time of a submission, which cannot be read.")
            if lab is None and "assignment" not in each:
                raise Problem(f"The file of times {file} does not say for which lab it is.",
                              ["Call it lab-01.json, or ask Canvas with include[]=assignment."])
            user = str(each.get("user_id") or f"anon_{each.get('anonymous_id')}")
            if lab is not None and each.get("excused") is True:
                self.excused[user, lab] = file.name
            if time is None or lab is None:
                continue
            late = datetime.timedelta(seconds=each.get("seconds_late") or 0)
            self._add(("canvas", user, lab), Told(time, late or None, file.name))

    def _table(self, file: pathlib.Path, rows: list[list[str]]) -> None:
        head = rows[0] if rows else []
        if {"student_repository_name", "submission_timestamp"} <= set(head):
            self._github(file, [dict(zip(head, row)) for row in rows[1:]])
        elif any(_SUBMITTED.fullmatch(cell) for row in rows for cell in row):
            self._moodle(file, rows[1:])
        else:
            raise Problem(f"The file of times {file} is none that is known here.",
                          ["It can be Moodle's log of a course or an assignment (CSV), what Canvas's API lists of submissions (JSON), or GitHub Classroom's grades "
                           "(CSV). For others a roster of your own has the column submitted."])

    def _github(self, file: pathlib.Path, rows: list[dict[str, str]]) -> None:
        """https://docs.github.com/en/rest/classroom/classroom, "Get assignment grades", which is also the form of the downloaded table. Whether a
        starter that was accepted alone has a timestamp it does not say: a clone is asked for, and shows it."""
        for row in rows:
            repository, user = row["student_repository_name"].rpartition("/")[2].casefold(), row.get("github_username", "").strip()
            identifier = plain_number(row.get("roster_identifier", "").strip())
            if user or identifier:
                self._members.setdefault(repository, {})[user, identifier] = row.get("student_repository_url", "")
            said = row["submission_timestamp"].strip()
            if said and naming.aware(said) is None:
                raise Problem(f"The file of times {file} has '{harmless.shown(said)}' as the time of {harmless.shown(repository)}, which cannot be read.",
                              ["Give the file as GitHub wrote it: Excel writes times in another form."])
            if time := naming.aware(said):
                self._add(("repository", repository), Told(time, of_all=True))
                self.pushed += [Pushed(file.name, repository, user, identifier, self._lab(row.get("assignment_name", "")))] if user or identifier else []

    def _worksheet(self, roster: Roster) -> None:
        """What is said of each number, which no other assignment has. mod/assign/gradingtable.php, col_status(), joins what it says by " - "."""
        texts: dict[tuple[str, str], str] = {}
        for row in roster.rows.values():
            number, parts = row.values.get("moodle_id", ""), [part.strip() for part in re.split(r"\s-(?:\s|$)", row.values.get("status", ""))]
            texts["modified", number] = " ".join(row.values.get("modified", "-").split())
            texts |= {("extension", number): " ".join(part.removeprefix(_EXTENSION).split()) for part in parts if number and part.startswith(_EXTENSION)}
            for words in (part for part in parts if number and part.endswith(" late")):
                self.late[number] = _late(words, roster.file.name, any(part.startswith(_EXTENSION) for part in parts))
            if number and parts[0] == "Draft (not submitted)":
                self.drafts[number] = roster.file.name
        unread = {text for text in texts.values() if text != "-"}
        for form in _DAY_AND_TIME if self._zone else ():
            found = {key: time for key, text in texts.items() if (time := _day_and_time(text, form))}
            if form.endswith("%p") or any(not 1 <= time.hour <= 12 for time in found.values()):  # else it may be a clock of 12 hours
                unread -= {texts[key] for key in found}
                for (what, number), time in found.items():
                    if what == "modified":
                        self._add(("worksheet", number), Told(time.replace(tzinfo=self._zone), of_all=True))
                    else:
                        self.extensions[number] = time.replace(tzinfo=self._zone)
        self.extensions |= {number: f"{roster.file.name}: '{harmless.shown(text)}'" for (what, number), text in texts.items() if what == "extension" and text in unread}
        unread &= {text for (what, _), text in texts.items() if what == "modified"}
        if unread and self._zone:
            count = sum(text in unread for (what, _), text in texts.items() if what == "modified")
            self.notes.append(f"{roster.file.name}: of {count} {'person' if count == 1 else 'people'} the time of submission cannot be read for sure: "
                              f"'{harmless.shown(min(unread))}'.")

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
                self._add(("moodle", _name(name), lab), Told(time.replace(tzinfo=self._zone), file=file.name))


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


def _late(words: str, file: str, has_extension: bool) -> Late:
    """With an extension it is not sure which of the two deadlines Moodle counts from."""
    counts = match.groups() if (match := _LATE.fullmatch(words)) else (None,) * 5
    given = [(int(count), unit) for count, unit in zip(counts, _UNITS) if count]
    if not given or has_extension:
        return Late(words, file)
    # Of two units the second is the last that is said; of one alone the next smaller one is 0.
    cut = given[-1][1] if len(given) > 1 else [*_UNITS, _UNITS[-1]][_UNITS.index(given[0][1]) + 1]
    least = sum((count * unit for count, unit in given), datetime.timedelta(0))
    return Late(words, file, least, least + cut - _UNITS[-1])


def _day_and_time(text: str, form: str) -> datetime.datetime | None:
    try:
        time = datetime.datetime.strptime(text, form)
    except ValueError:
        return None
    return time if text.startswith(time.strftime("%A,")) else None


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
