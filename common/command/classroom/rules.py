"""A course's rules: course.json, and the marks that come of verdicts by them. docs/course-rules.md describes the file.

    {
      "time_zone": "Europe/Berlin",
      "total": 100,
      "labs": {
        "01": {"points": 20, "deadline": "2026-11-30T23:59:00+01:00", "leave_out": ["an item"], "items": {"another item": 3}},
        "02": {"weight": 2}
      },
      "late": {"percent_per_day": 10, "grace_minutes": 15, "most_percent": 50, "cut_off_days": 7},
      "extra_time": {"alice": {"days": 2}, "bob@example.org": {"hours": 12, "labs": ["01"]}},
      "excused": {"carol": {"labs": ["02"]}},
      "attempts": {"counts": "best", "most": 3},
      "round": {"to": 0.5, "how": "nearest"},
      "corrections": [{"student": "alice", "lab": "01", "points": 18, "comment": "Right but for a name.", "author": "T. Smith"}]
    }

Without a file, a mark is the plain sum of the items' points. Marks are reckoned in fractions and rounded once, at the end: to two
decimals, or as the rules say. What a lab is worth has two decimals, too, so that sums of labs are exact and full work is full.
"""
from __future__ import annotations

import copy
import dataclasses
import datetime
import difflib
import json
import math
import pathlib
import zoneinfo
from fractions import Fraction
from typing import Iterable

from .. import lab_facts
from ..course import FILE
from ..problem import Problem
from ..results import Verdict, number, total
from ..workbook import Lab
from . import harmless
from .model import Correction, HandIn, Mark, Person
from .rules_file import (TWO_DECIMALS, Attempts, CorrectionSaid, Course, Excused, Extra, LabName, LabRules, Late, Round, Row, counted, decimal, exact, hundredths, is_day, no_number,
                         once, positive, refuse, span, told, two_decimals)
from .texts import some


# ---- the rules ------------------------------------------------------------------------------------------------------------

class Rules:
    """What counts. Without a file: everything, as the rubrics say."""

    def __init__(self, labs: list[Lab], said: dict | None = None, where: str = FILE):
        """`said` is what the file `where` says of the workbook's `labs`. Raises a Problem for what is no rule."""
        self.where = where
        self._all = labs
        self._rubrics: dict[str, dict[str, float]] = {}
        try:
            self._read(said or {})
        except lab_facts.Broken as broken:
            raise Problem(str(broken), ["docs/course-rules.md describes the file."]) from None

    @classmethod
    def find(cls, root: pathlib.Path, labs: list[Lab], given: str | pathlib.Path | None = None) -> "Rules":
        """The rules of the file `given`, or else of course.json in the workbook's root, if that is there."""
        path = pathlib.Path(given) if given else root / FILE
        if not given and not path.exists():
            return cls(labs)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise Problem(f"The course's rules, {path}, cannot be read: {error.strerror}.") from None
        except UnicodeDecodeError:
            raise Problem(f"The course's rules, {path}, are not UTF-8.") from None
        try:
            said = json.loads(text, object_pairs_hook=once, parse_constant=no_number)
        except (ValueError, RecursionError) as error:
            raise Problem(f"{path} is not JSON: {error}.") from None
        if not isinstance(said, dict):
            raise Problem(f"{path} is not a JSON object.")
        return cls(labs, said, str(path))

    def _read(self, said: dict) -> None:
        self._said = said
        course = lab_facts.make(Course, said, self.where)
        self.contact = course.contact
        self.total = positive(course.total, f"{self.where}: 'total'")
        self.zone = self._zone(course.time_zone)
        self.late = None if course.late is None else self._make(Late, course.late, "late")
        self._rows = self._table(self.late) if self.late else []
        self.attempts = self._make(Attempts, course.attempts, "attempts")
        self.round = TWO_DECIMALS if course.round is None else self._make(Round, course.round, "round")
        self._choice("attempts", "counts", self.attempts.counts, ("last", "best"))
        refuse(self.attempts.most is not None and self.attempts.most < 1, f"{self.where}: 'most' in 'attempts' is at least 1.")
        self._choice("round", "how", self.round.how, ("nearest", "up", "down"))
        positive(self.round.to, f"{self.where}: 'to' in 'round'")
        self._labs: dict[str, LabRules] = {}
        self._due: dict[str, datetime.datetime] = {}
        self._twice: list[str] = []  # deadlines that clocks show twice, in sentences
        self._whole_days: set[str] = set()  # labs whose deadline is a day
        self.extensions: dict[tuple[str, str], datetime.datetime] = {}  # by a person's id and a lab's name: what Moodle has granted
        for key, value in course.labs.items():
            lab = self._lab(key, "labs")
            refuse(lab.name in self._labs, f"{self.where} has two entries for {lab.name}.")
            self._labs[lab.name] = self._lab_rules(lab, value)
        self._complete()
        self.extra = {key.casefold(): self._extra(key, value) for key, value in course.extra_time.items()}
        self._excused = {key.casefold(): self._labs_of(self._make(Excused, value, f"excused: {key}").labs, f"excused: {key}")
                         for key, value in course.excused.items()}
        self.corrections: dict[tuple[str, str], Correction] = {}
        for place, value in enumerate(course.corrections, 1):
            self._read_correction(value, f"correction {place}")

    @property
    def said(self) -> dict:
        """What the file says."""
        return self._said

    def with_file(self, said: dict) -> "Rules | None":
        """Another file's rules for the same class, with the corrections of this one; None where they are none any more."""
        try:
            made = Rules(self._all, said, self.where)
        except Problem:
            return None
        made._rubrics, made.extensions, made.corrections = self._rubrics, self.extensions, self.corrections
        return made

    def _complete(self) -> None:
        """Completes the rules of the labs: a total is that of the labs that the file names, or of all where it names none."""
        others_alone = self.total is not None and any(said.counts for said in self._labs.values())
        self._unnamed = [lab for lab in self._all if lab.name not in self._labs]
        self._labs |= {lab.name: LabRules(counts=not others_alone) for lab in self._unnamed}
        if self.total is None:
            return
        given = sum(exact(said.points or 0) for said in self._labs.values() if said.counts)
        sharing = [lab.name for lab in self._all if self._shares_total(lab)]
        refuse(bool(sharing) and given >= exact(self.total), f"{self.where}: the 'points' come to {told(given)}, which leaves nothing of the 'total' of "
                                                               f"{told(self.total)} for {', '.join(sharing)}.")
        refuse(not sharing and given != exact(self.total),
                f"{self.where}: the 'points' of the labs come to {told(given)}, and 'total' is {told(self.total)}.")

    def _read_correction(self, said: dict, place: str) -> None:
        where = f"{self.where}: {place}"
        made = lab_facts.make(CorrectionSaid, said, where)
        lab = self._lab(made.lab, place)
        for name in ("student", "author", "comment"):
            refuse(not getattr(made, name).strip(), f"{where}: '{name}' is empty.")
        refuse((made.points or 0) < 0, f"{where}: 'points' is at least 0.")
        two_decimals(made.points or 0, f"{where}: 'points'")
        key = made.student.casefold(), lab.name
        refuse(key in self.corrections, f"{where} is a second one of {made.student} in lab {lab.number}.")
        self.corrections[key] = Correction(made.author, made.comment, made.points)

    def _make(self, kind: type, said, key: str):
        refuse(not isinstance(said, dict), f"{self.where}: '{key}' is not an object.")
        return lab_facts.make(kind, said, f"{self.where}: '{key}'")

    def _choice(self, key: str, name: str, value: str, choices: tuple[str, ...]) -> None:
        refuse(value not in choices, f"{self.where}: '{name}' in '{key}' is \"{value}\"; it can be " + " or ".join(f'"{choice}"' for choice in choices) + ".")

    def _zone(self, name: str | None) -> zoneinfo.ZoneInfo | None:
        try:
            return None if name is None else zoneinfo.ZoneInfo(name)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            raise lab_facts.Broken(f"{self.where}: there is no time zone '{name}'; one is called Europe/Berlin.") from None

    def _lab(self, key: str | int, place: str) -> Lab:
        found = next((lab for lab in self._all if lab.is_called(str(key))), None)
        refuse(found is None, f"{self.where}: '{place}' names the lab '{key}'; there are " + ", ".join(lab.name for lab in self._all) + ".")
        assert found
        return found

    def _lab_rules(self, lab: Lab, said) -> LabRules:
        where = f"{self.where}: lab {lab.name}"
        made = self._make(LabRules, said, f"labs: {lab.name}")
        refuse(made.points is not None and made.weight is not None, f"{where} has 'points' and 'weight'; use one of them.")
        positive(made.points, f"{where}: 'points'")
        refuse(made.weight is not None and not made.weight > 0, f"{where}: 'weight' is more than 0.")
        for item, points in made.items.items():
            refuse(type(points) not in (int, float) or points < 0, f"{where}: the points of the item '{item}' are not a number of at least 0.")
            refuse(item in made.leave_out, f"{where}: the item '{item}' is left out and has points.")
            two_decimals(points, f"{where}: the item '{item}'")
        if made.deadline is not None:
            self._due[lab.name] = self._time(made.deadline, f"{where}: 'deadline'")
            if is_day(made.deadline):
                self._whole_days.add(lab.name)
        return made

    def _time(self, text: str, where: str) -> datetime.datetime:
        try:
            time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        except ValueError:
            raise lab_facts.Broken(f"{where} is \"{text}\"; a time is written as 2026-11-30T23:59:00+01:00.") from None
        time = time + datetime.timedelta(days=1) if is_day(text) else time  # the day ends at 24:00
        if not time.tzinfo and self.zone and not is_day(text):
            there = time.replace(tzinfo=self.zone)
            refuse(there.astimezone(datetime.timezone.utc).astimezone(self.zone).replace(tzinfo=None) != time,
                    f"{where} is \"{text}\", which no clock shows in {self.zone}: there clocks are put forward over it. Choose another time.")
            if there.utcoffset() != there.replace(fold=1).utcoffset():
                self._twice.append(f"{where} is \"{text}\", which clocks in {self.zone} show twice, because they are put back. The first time counts; the second one is "
                                   f"written as {there.replace(fold=1).isoformat()}.")
        time = time if time.tzinfo else time.replace(tzinfo=self.zone)
        refuse(time.tzinfo is None, f"{where} has no time zone: write 2026-11-30T23:59:00+01:00, or give the course a 'time_zone'.")
        return time

    def _table(self, late: Late) -> list[Row]:
        """The rows of the table; checks what else is said of lateness."""
        self._choice("late", "of", late.of, ("reached", "full"))
        refuse((late.percent_per_day is None) == (late.table is None),
                f"{self.where}: 'late' needs either 'percent_per_day' or a 'table'; 'percent_if_marked' may be beside them.")
        for name in ("percent_per_day", "most_percent", "percent_if_marked"):
            value = getattr(late, name) or 0
            refuse(not 0 <= value <= 100, f"{self.where}: '{name}' in 'late' is {number(value)}; a percentage is between 0 and 100.")
        for name in ("grace_minutes", "cut_off_days"):
            refuse((getattr(late, name) or 0) < 0, f"{self.where}: '{name}' in 'late' is at least 0.")
        refuse(late.table == [], f"{self.where}: the 'table' in 'late' is empty.")
        rows: list[Row] = []
        for place, row in enumerate(late.table or [], 1):
            where = f"{self.where}: row {place} of the 'table' in 'late'"
            made = lab_facts.make(Row, row, where)
            refuse((made.days is None) == (made.hours is None) or made.limit <= datetime.timedelta(0), f"{where} needs either 'days' or 'hours', more than 0.")
            refuse(not 0 <= made.percent <= 100, f"{where}: a percentage is between 0 and 100.")
            refuse(bool(rows) and made.limit <= rows[-1].limit, f"{where} is not later than the row before.")
            rows.append(made)
        return rows

    def _extra(self, key: str, said) -> Extra:
        made = self._make(Extra, said, f"extra_time: {key}")
        refuse(made.days < 0 or made.hours < 0 or not made.time, f"{self.where}: 'extra_time' of {key} gives no time; say 'days' or 'hours'.")
        return dataclasses.replace(made, labs=self._labs_of(made.labs, f"extra_time: {key}"))

    def _labs_of(self, said: tuple[LabName, ...] | None, where: str) -> tuple[str, ...] | None:
        return None if said is None else tuple(self._lab(lab, where).name for lab in said)

    def excuses(self, person: Person, lab: Lab) -> bool:
        return any(labs is None or lab.name in labs for key, labs in self._excused.items() if key in names_of(person))

    def of_labs(self, labs: list[Lab], private: bool) -> dict:
        """The file for a workbook that has `labs` alone: with the points that they have in the course with all of its labs, whose items have
        to be known. Only a `private` file says who has extra time, and none has corrections."""
        made = {key: value for key, value in self._said.items() if key not in ("labs", "total", "extra_time", "excused", "corrections")}
        names = {lab.name for lab in labs}
        said = {self._lab(key, "labs").name: value for key, value in self._said.get("labs", {}).items()}
        made["labs"] = {lab.name: dict(said.get(lab.name, {})) for lab in labs if lab.name in said or self.total is not None}
        for lab in labs if self.total is not None else []:
            own = made["labs"][lab.name]
            own.pop("weight", None)
            worth = self._worth(lab, self._known(lab))
            own |= {"points": decimal(worth)} if worth else {"counts": False}
        for key, extra in self._said.get("extra_time", {}).items() if private else ():
            in_them = [lab for lab in extra.get("labs", []) if self._lab(lab, "extra_time").name in names]
            if in_them or "labs" not in extra:
                made.setdefault("extra_time", {})[key] = {**extra, "labs": in_them} if in_them else extra
        return made

    # ---- items ------------------------------------------------------------------------------------------------------------

    def know(self, lab: Lab, items: Iterable[dict]) -> None:
        """Tells the lab's items, as a grader lists them ({"item", "points", …}): the points of a person without a hand-in come
        from there. Raises a Problem if the rules name an item that the lab does not have."""
        self._rubrics[lab.name] = {item["item"]: item["points"] for item in items}
        said = self._labs[lab.name]
        for name in (*said.leave_out, *said.items):
            if name not in self._rubrics[lab.name]:
                near = difflib.get_close_matches(name, self._rubrics[lab.name], n=1, cutoff=0.5)
                raise Problem(f"{self.where}: lab {lab.name} has no item '{harmless.shown(name)}'."
                              + (f" Did you mean '{near[0]}'?" if near else ""),
                              ["Its items are:", *(f"  {item}" for item in self._rubrics[lab.name])])
        if said.points is not None and self._rubrics[lab.name] and not self._known(lab):
            raise Problem(f"{self.where}: lab {lab.name} has 'points', and none of its items that count has any.")

    def apply_points(self, lab: Lab, items: Iterable) -> list:
        """Copies of a lab's items with the points that they have in this course, without those that are left out.

        An item is a results.ItemResult or ItemScore, or a line of a grader's list ({"item", "points"}).
        """
        said = self._labs[lab.name]
        changed = []
        for item in items:
            name = item["item"] if isinstance(item, dict) else item.item
            if name in said.leave_out:
                continue
            item = copy.copy(item)
            if name in said.items:
                worth = said.items[name]
                if isinstance(item, dict):
                    item["points"] = worth
                else:
                    item.points = worth if item.status == "passed" else 0
                    item.max_points = 0 if item.status in ("skipped", "undecided") and not item.max_points else worth
            changed.append(item)
        return changed

    def applied(self, lab: Lab, verdict: Verdict) -> Verdict:
        """The verdict with the items' points in this course; one that nothing changes in is the same object."""
        said = self._labs[lab.name]
        if not said.leave_out and not said.items:
            return verdict
        return dataclasses.replace(verdict, results=self.apply_points(lab, verdict.results))

    # ---- marks ------------------------------------------------------------------------------------------------------------

    @property
    def grades_all_attempts(self) -> bool:
        """Whether the intake has to give every version, and not the newest alone."""
        return self.attempts.counts == "best"

    def needed(self, labs: list[Lab]) -> list[Lab]:
        """The labs whose items have to be known for marks of `labs`: a lab's share of a total depends on the others."""
        sharing = any(map(self._shares_total, labs))
        return [lab for lab in self._all if lab in labs or (sharing and self._shares_total(lab))]

    def mark(self, person: Person, lab: Lab, hand_in: HandIn | None, verdict: Verdict | None) -> Mark:
        """What a person gets for a lab. `verdict` is the grader's, with the rubric's points."""
        raw_max = verdict.max_points if verdict else total(self._rubrics.get(lab.name, {}).values())
        notes = self._item_notes(lab, verdict) if verdict else []
        judged, reached, most = verdict, Fraction(0), self._known(lab)
        if verdict:
            verdict = self.applied(lab, verdict)
            reached, most = exact(verdict.points), exact(verdict.max_points)
        worth = self._worth(lab, most)
        points = reached / most * worth if most else Fraction(0)
        if not self._labs[lab.name].counts:
            notes.append("This lab does not count in this course.")
        elif verdict and worth != most:
            notes.append(f"{told(reached)} of {told(most)} points are {told(points)} of {told(worth)} in this course.")
        in_time = points
        if hand_in and self._labs[lab.name].counts:
            points = self._less_for_lateness(person, lab, hand_in, points, worth, notes)
        rounded = self._rounded(points, worth)
        if rounded != hundredths(points):
            notes.append(f"{told(points)} is rounded {'' if self.round.how == 'nearest' else self.round.how + ' '}to {told(rounded)}.")
        return Mark(person, lab, hand_in, judged, verdict, raw_max, decimal(rounded), decimal(worth),
                    decimal(self._rounded(in_time, worth) - rounded), notes)

    def choose(self, person: Person, lab: Lab, attempts: list[tuple[HandIn, Verdict | None]]) -> Mark:
        """The mark of a person for a lab, of the attempts that were graded: the best, and among equals the newest; and what a person
        has said of it."""
        marks = [self.mark(person, lab, hand_in, verdict)
                 for hand_in, verdict in sorted(attempts, key=lambda attempt: attempt[0].version)] or [self.mark(person, lab, None, None)]
        best = max(marks, key=lambda mark: (mark.verdict is not None, mark.points))  # max takes the first of equals
        if len(marks) > 1:
            assert best.hand_in
            best.notes.append(f"The best of {len(marks)} attempts counts: {best.hand_in.shown}.")
        return self._corrected(best)

    def _corrected(self, mark: Mark) -> Mark:
        correction = next(iter(self._corrections_of(mark.person, mark.lab)), None)
        if correction is None:
            return mark
        notes = [*mark.notes, correction.sentence(mark.points)]
        if correction.points is None:
            return dataclasses.replace(mark, correction=correction, notes=notes)
        return dataclasses.replace(mark, correction=correction, notes=notes, points=number(correction.points), lateness_cost=0,
                                   max_points=decimal(self._worth(mark.lab, self._known(mark.lab))))

    def _corrections_of(self, person: Person, lab: Lab) -> list[Correction]:
        return [self.corrections[name, lab.name] for name in sorted(names_of(person)) if (name, lab.name) in self.corrections]

    def _known(self, lab: Lab) -> Fraction:
        """What the lab's items that count come to, before its weight."""
        items = [{"item": item, "points": points} for item, points in self._rubrics.get(lab.name, {}).items()]
        return exact(total(item["points"] for item in self.apply_points(lab, items)))

    def _shares_total(self, lab: Lab) -> bool:
        said = self._labs[lab.name]
        return self.total is not None and said.counts and said.points is None

    def _weighed(self, lab: Lab, most: Fraction) -> Fraction:
        weight = self._labs[lab.name].weight
        return most * exact(1 if weight is None else weight)

    def _worth(self, lab: Lab, most: Fraction) -> Fraction:
        """What the lab is worth in this course, with two decimals. `most` is what its items that were judged come to."""
        said = self._labs[lab.name]
        if not said.counts:
            return Fraction(0)
        if said.points is not None:
            return exact(said.points)
        return self._shares()[lab.name] if self.total is not None else hundredths(self._weighed(lab, most))

    def _shares(self) -> dict[str, Fraction]:
        """What is left of the total, shared out by the labs' weighed points. The hundredths that are left over go to those that have
        lost most by rounding down, so that the labs come to the total."""
        assert self.total is not None
        rest = exact(self.total) - sum(exact(said.points or 0) for said in self._labs.values() if said.counts)
        parts = {lab.name: self._weighed(lab, self._known(lab)) for lab in self._all if self._shares_total(lab)}
        everything = sum(parts.values())
        if not everything:
            raise Problem(f"{self.where}: no item counts of the labs that 'total' is to be shared out over.")
        wanted = {name: 100 * rest * part / everything for name, part in parts.items()}
        cents = {name: math.floor(share) for name, share in wanted.items()}
        left = int(100 * rest) - sum(cents.values())
        for name in sorted(wanted, key=lambda name: cents[name] - wanted[name])[:left]:
            cents[name] += 1
        return {name: Fraction(count, 100) for name, count in cents.items()}

    def _rounded(self, points: Fraction, worth: Fraction) -> Fraction:
        """As the course rounds; full points stay what they are, and nothing exceeds them."""
        step = exact(self.round.to)
        whole = {"nearest": lambda count: math.floor(count + Fraction(1, 2)), "up": math.ceil, "down": math.floor}[self.round.how]
        return worth if points >= worth else min(whole(points / step) * step, worth)

    def _item_notes(self, lab: Lab, verdict: Verdict) -> list[str]:
        said = self._labs[lab.name]
        scores = {score.item: score for score in verdict.scores()}
        notes = [f"'{item}' does not count in this course." for item in said.leave_out if item in scores]
        return notes + [f"'{item}' is worth {counted(points, 'point')} in this course."
                        for item, points in said.items.items() if item in scores]

    def when(self, time: datetime.datetime | None) -> str:
        """A time in words: in one zone wherever it comes from, the course's or else that of its deadlines."""
        zone = self.zone or next((due.tzinfo for due in self._due.values()), datetime.timezone.utc)
        return time.astimezone(zone).strftime("%Y-%m-%d %H:%M %z") if time else "at a time that is not known"

    # ---- deadlines --------------------------------------------------------------------------------------------------------

    def due(self, person: Person, lab: Lab) -> datetime.datetime | None:
        """A person's deadline for a lab, with extra time."""
        due = self._due.get(lab.name)
        # In UTC, so that a day is 24 hours, as late days are.
        return None if due is None else (due.astimezone(datetime.timezone.utc) + self.extra_time(person, lab)).astimezone(due.tzinfo)

    def has_deadline(self, lab: Lab) -> bool:
        return lab.name in self._due

    def extra_time(self, person: Person, lab: Lab) -> datetime.timedelta:
        """By the person's id, or by what a system calls them; the longest, if several are given, or what Moodle has granted is longer."""
        due, extension = self._due.get(lab.name), self.extensions.get((person.id, lab.name))
        own = self._own_extra_time(person, lab)
        return max(own, extension - due.astimezone(datetime.timezone.utc)) if due and extension else own

    def _own_extra_time(self, person: Person, lab: Lab) -> datetime.timedelta:
        """What the file says."""
        return max((extra.time for key, extra in self.extra.items() if key in names_of(person) and (extra.labs is None or lab.name in extra.labs)), default=datetime.timedelta(0))

    def _when_due(self, lab: Lab, due: datetime.datetime) -> str:
        """A deadline in words: a day ends at 24:00 of it."""
        day_before = due - datetime.timedelta(days=1)
        return self.when(due).replace(f"{due:%Y-%m-%d} 00:00", f"{day_before:%Y-%m-%d} 24:00") if lab.name in self._whole_days else self.when(due)

    def late_by(self, person: Person, lab: Lab, hand_in: HandIn) -> datetime.timedelta | None:
        """By how much a hand-in is late, or early: by the course's deadline, or else by the system's. None if that is not known."""
        due = self.due(person, lab)
        if due is not None:
            # In UTC: two times of one zone are subtracted by the clock on the wall, so that the same delay would be another one in another system.
            return hand_in.submitted.astimezone(datetime.timezone.utc) - due.astimezone(datetime.timezone.utc) if hand_in.submitted is not None else None
        return hand_in.late_by - self.extra_time(person, lab) if hand_in.late_by is not None else None

    def is_in_time(self, person: Person, lab: Lab, time: datetime.datetime) -> bool:
        due = self.due(person, lab)
        return due is None or time.astimezone(datetime.timezone.utc) - due.astimezone(datetime.timezone.utc) <= self._grace

    def last_due(self, labs: Iterable[Lab]) -> Lab:
        """The one of some labs that is due last."""
        never = datetime.datetime.max.replace(tzinfo=datetime.timezone.utc)
        return max(labs, key=lambda lab: (self._due.get(lab.name, never), lab.name))

    def is_late(self, mark: Mark) -> bool:
        """By the course's rules, or where they cannot tell by the system that collected the file."""
        if mark.hand_in is None or mark.is_open:
            return False
        by = self.late_by(mark.person, mark.lab, mark.hand_in)
        return mark.hand_in.late if by is None else by > self._grace

    @property
    def _grace(self) -> datetime.timedelta:
        return datetime.timedelta(minutes=self.late.grace_minutes if self.late else 0)

    def lateness(self, person: Person, lab: Lab, hand_in: HandIn) -> tuple[Fraction | None, str]:
        """The percentage that is taken off, and why; None where nothing is, with a sentence on that, or ""."""
        extra, by = self.extra_time(person, lab), self.late_by(person, lab, hand_in)
        deadline = f"your deadline of {self._when_due(lab, self.due(person, lab))}" if self.own_due(person, lab) else "the deadline"
        if by is not None and self.late and by > self._grace:
            percent, why = self._percent(by)
            return percent, f"Handed in {span(by)} after {deadline}{why}"
        if by is not None and by > datetime.timedelta(0):
            return None, f"Handed in {span(by)} after {deadline}; nothing was taken off." if not self._grace else f"With {span(self._grace)} of grace this is not late."
        if by is not None:
            return None, f"With {span(extra)} of extra time this is not late." if by + extra > datetime.timedelta(0) else ""
        if hand_in.late and extra:
            return None, ("The system that collected this marks it as late. There is extra time, and the time of the hand-in is not "
                          "known, so nothing was taken off.")
        if hand_in.late and self.late and self.late.percent_if_marked is not None:
            return exact(self.late.percent_if_marked), "The system that collected this marks it as late"
        if hand_in.late:
            return None, "The system that collected this marks it as late but does not say by how much; nothing was taken off."
        is_unknown = self.late and self._due.get(lab.name)
        return None, "The time of this hand-in is not known, so nothing was taken off for the deadline." if is_unknown else ""

    def _less_for_lateness(self, person: Person, lab: Lab, hand_in: HandIn, points: Fraction, worth: Fraction, notes: list[str]) -> Fraction:
        """What is left of `points` where late points are taken off; `notes` get sentences on it."""
        percent, words = self.lateness(person, lab, hand_in)
        if percent is None or not self.late:
            notes += [words] if words else []
            return points
        lost = min(points, (points if self.late.of == "reached" else worth) * percent / 100)
        notes.append(f"{words}: {told(percent)} % of the points{'' if self.late.of == 'reached' else ' of the lab'} "
                     f"{'was' if percent == 1 else 'were'} taken off ({told(lost)}).")
        return points - lost

    def _percent(self, by: datetime.timedelta) -> tuple[Fraction, str]:
        """What is taken off of a hand-in that is late `by` so much, and words on it."""
        assert self.late
        most = exact(self.late.most_percent)
        if self.late.cut_off_days is not None and by > datetime.timedelta(days=self.late.cut_off_days):
            return Fraction(100), f", and nothing counts after {counted(self.late.cut_off_days, 'day')}"
        if self._rows:
            row = next((row for row in self._rows if by <= row.limit), None)
            if row:
                return min(exact(row.percent), most), ""
            return Fraction(100), f", and nothing counts after {span(self._rows[-1].limit)}"
        days = math.ceil(by / datetime.timedelta(days=1))
        return min(days * exact(self.late.percent_per_day or 0), most), f" ({counted(days, 'day')} begun)"

    # ---- in words ---------------------------------------------------------------------------------------------------------

    def sentences(self, labs: list[Lab]) -> list[str]:
        """The rules in sentences, as far as they are about `labs`. Who has extra time concerns no one else: not even that someone has."""
        found = []
        if self.total is not None:
            found.append(f"All labs that count are worth {told(self.total)} points together.")
        for lab in labs:
            found += self._lab_sentences(lab)
        if self.late is not None:
            found += self._late_sentences()
        elif any(self._due.get(lab.name) for lab in labs):
            found.append("Nothing is taken off after a deadline.")
        if self.attempts != Attempts():
            most = self.attempts.most
            of = f"the first {most} attempts" if most else "all attempts"
            found.append(f"Of several attempts the {'best' if self.attempts.counts == 'best' else 'last'} counts, of {of}. A file without work, such as the starter as it "
                         "was given out, is no attempt." if most != 1 else "The first attempt alone counts. A file without work, such as the starter as it was given out, is none.")
        if self.round != TWO_DECIMALS:
            how = {"nearest": "to the nearest", "up": "up to a", "down": "down to a"}[self.round.how]
            found.append(f"Each lab's points are rounded {how} multiple of {told(self.round.to)}.")
        return found

    def _lab_sentences(self, lab: Lab) -> list[str]:
        said = self._labs[lab.name]
        if not said.counts:
            return [f"Lab {lab.number} does not count."]
        found = []
        absolute = self.total is not None or any(rules.points is not None for rules in self._labs.values())
        known = all(other.name in self._rubrics for other in self.needed([lab]))
        if absolute and (known or said.points is not None):
            found.append(f"Lab {lab.number}: full points are worth {told(self._worth(lab, self._known(lab)))}.")
        elif said.weight is not None:
            found.append(f"Lab {lab.number}: each point counts {told(said.weight)} times.")
        found += [f"Lab {lab.number}: '{item}' does not count." for item in said.leave_out]
        found += [f"Lab {lab.number}: '{item}' is worth {counted(points, 'point')}." for item, points in said.items.items()]
        if due := self._due.get(lab.name):
            found.append(f"Lab {lab.number} is due at {self._when_due(lab, due)}.")
        return found

    def _late_sentences(self) -> list[str]:
        late = self.late
        assert late
        of = "the points reached" if late.of == "reached" else "the lab's full points"
        if late.percent_per_day is not None:
            found = [f"For each day begun after the deadline, {told(late.percent_per_day)} % of {of} are taken off"
                     + (f", at most {told(late.most_percent)} %." if late.most_percent < 100 else ".")]
        else:
            steps = "; ".join(f"up to {span(row.limit)}: {told(min(row.percent, late.most_percent))} %" for row in self._rows)
            found = [f"Taken off of {of} after the deadline: {steps}; later, nothing counts."]
        if late.grace_minutes:
            found.append(f"Up to {span(datetime.timedelta(minutes=late.grace_minutes))} after the deadline nothing is taken off.")
        if late.percent_if_marked is not None:
            found.append(f"Where a system marks a hand-in as late and does not say by how much, {told(late.percent_if_marked)} % of {of} are taken off.")
        if late.cut_off_days is not None:
            found.append(f"More than {counted(late.cut_off_days, 'day')} after the deadline nothing counts.")
        return found

    def terms(self, lab: Lab) -> list:
        """All that the rules say and that a mark for a lab depends on, but for times and corrections: to tell whether it has changed."""
        labs = self._labs.values() if self.total is not None else [self._labs[lab.name]]
        return [self.total, [dataclasses.asdict(said) | {"deadline": None} for said in labs], dataclasses.asdict(self.attempts),
                dataclasses.asdict(self.round)]

    def terms_of_lateness(self, person: Person, lab: Lab) -> list:
        """The same for what is taken off of a person's mark for lateness."""
        return [str(self._due.get(lab.name)), dataclasses.asdict(self.late) if self.late else None, self._own_extra_time(person, lab).total_seconds()]

    def uncounted(self, labs: list[Lab]) -> list[str]:
        """For the instructor: which labs a total leaves out."""
        return [f"The 'total' of {self.where} is that of the labs that it names, so that lab {lab.number} does not count." for lab in labs
                if lab in self._unnamed and not self._labs[lab.name].counts]

    def check(self, people: list[Person], labs: list[Lab]) -> list[str]:
        """What the instructor has to look at, of the rules for a class whose `labs` are known, in sentences. Raises Problem for a correction
        that cannot be meant."""
        found = [*self._twice]
        by_name: dict[str, list[Person]] = {}
        for person in people:
            for name in names_of(person):
                by_name.setdefault(name, []).append(person)
        for what, keys in (("gives extra time to", self.extra), ("excuses", self._excused), ("corrects a mark of", dict.fromkeys(key for key, _ in self.corrections))):
            for key in (key for key in keys if key not in by_name):
                called = [person.id for person in people if person.name.casefold() == key]
                found.append(f"{self.where} {what} {harmless.shown(key)}, who is not in this class{' by an id' if called else ''}."
                             + (f" A name is none: write {' or '.join(called)}." if called else ""))
        for (key, lab_name), correction in self.corrections.items():
            lab, own = next(lab for lab in self._all if lab.name == lab_name), by_name.get(key, [])
            if lab not in labs:
                continue
            whose = f"{self.where}: the correction of {harmless.shown(key)} in lab {lab.number}"
            if len(own) > 1:
                raise Problem(f"{whose} may be meant for {' or '.join(person.id for person in own)}.", ["Name the person by the id."])
            if any(len(self._corrections_of(person, lab)) > 1 for person in own):
                raise Problem(f"{whose} is a second one of {own[0].id}, under another name.")
            worth = self._worth(lab, self._known(lab))
            if exact(correction.points or 0) > worth:
                raise Problem(f"{whose} gives {told(correction.points or 0)} of {told(worth)} points.")
        return found

    def is_unsure(self, mark: Mark) -> bool:
        """Whether a system marks a hand-in as late, and it is not known what that costs."""
        is_marked = mark.hand_in is not None and mark.hand_in.late and not mark.is_given
        return is_marked and self.late is not None and self.late.percent_if_marked is None and self.late_by(mark.person, mark.lab, mark.hand_in) is None

    def unknown_times(self, marks: list[Mark]) -> list[str]:
        """For the instructor: how many hand-ins a deadline does not apply to, because their time is not known."""
        found = []
        for lab in dict.fromkeys(mark.lab for mark in marks if self._due.get(mark.lab.name)):
            own = [(mark.person, lab, mark.hand_in) for mark in marks if mark.lab == lab and mark.hand_in and not mark.is_open]
            unknown = [about[0].name for about in own if about[-1].submitted is None and self.lateness(*about)[0] is None]
            if unknown:
                found.append(f"Lab {lab.number} has a deadline, and of {len(unknown)} of {len(own)} hand-ins the time is not known, so that nothing is taken off "
                             f"for it: {some(unknown)}. --times FILE reads what a system says of times, and with a 'time_zone' a grading worksheet of Moodle says "
                             "them; a roster of your own has the column submitted.")
        return found

    def own_due(self, person: Person, lab: Lab) -> str:
        """For a person with extra time."""
        due, extra = self.due(person, lab), self.extra_time(person, lab)
        return f"{self._when_due(lab, due)}, with {span(extra)} of extra time" if due and extra else ""

    def extra_time_sentences(self) -> list[str]:
        """For the instructor."""
        return [f"{len(self.extra)} {'person has' if len(self.extra) == 1 else 'persons have'} extra time."] if self.extra else []


def names_of(person: Person) -> set[str]:
    """What the file may call a person: the id, and what systems say."""
    return {name.casefold() for name in (person.id, *person.keys.values())}
