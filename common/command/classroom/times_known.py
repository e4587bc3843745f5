"""When files were handed in, as far as systems vouch for it: their times, what one time of several labs says of each, and extensions."""
from __future__ import annotations

import dataclasses
import datetime
import pathlib
from fractions import Fraction

from ..workbook import Lab
from . import commits, harmless
from .assignments import Assignments
from .model import HandIn, Person
from .people import People
from .rules import Rules
from .texts import some
from .times_told import Late, Times
from .versions import Version


class KnownTimes:
    """Gives versions their times, and keeps what is to be said of them."""

    def __init__(self, assignments: Assignments, times: Times, rules: Rules):
        self.assignments, self.times, self.rules = assignments, times, rules
        self.walk, self.labs, self.mapping = assignments.walk, assignments.labs, assignments.mapping
        self.asks: list[str] = []
        self._by_commits: dict[str, bool] = {}  # whose times are those of commits, and whether that is to be asked about: by the push it would be late
        self._pushed_late: dict[int, list[str]] = {}  # by the lab: of which only a time is known that is one of other labs, too

    def said(self) -> tuple[list[str], list[str]]:
        """What is to be noted, and what is to be asked, of all versions."""
        notes, asks = [], self.asks
        for said, is_late in ((notes, False), (asks, True)):
            whose = [each for each, would_be_late in self._by_commits.items() if would_be_late == is_late]
            said += [f"The time of the last commit that changed the file, which is the student's own word, is that of the hand-in, because one push is that of the whole clone"
                     f"{', and by it this lab would be late' * is_late}: {some(whose)}."] if whose else []
        asks += [f"Lab {self.labs[lab].number} was due before {some(whose)}, and there is work on other labs in the same hand-in, so that it is not known whether "
                 "this lab is late. For now nothing is taken off. In a roster of your own a row for each path, with the time in the column submitted, says it."
                 for lab, whose in sorted(self._pushed_late.items())]
        return notes, asks

    def tell(self, version: Version, namesakes: int, person: Person) -> None:
        """What the files of times say is said of all files of one source: which of them was the last one handed in is for the student to
        say, by the times of files."""
        repository = version.leaf.around.repository
        is_moodles = not version.source or version.source[0] == "Moodle"
        lab = version.lab if version.assignment is None else version.assignment
        told = self.times.of(version.who, lab, repository.base if repository else "", namesakes if is_moodles else 0)
        of_all = version.submitted is not None and not version.by_roster  # by the system that has exported it
        if told and version.submitted is None:
            version.submitted, version.late_by, version.late = told.time, told.late_by, version.late or bool(told.late_by)
            of_all = told.of_all or lab != version.lab
        if of_all and version.source:
            version.submitted = self._time_of_lab(version, person)
        late = self.times.late.get(version.moodles_number)
        if late and not version.by_roster and not version.is_stray:
            is_of_lab = version.assignment is not None or len(self.assignments.labs_of(self.assignments.unit(version))) < 2
            self._tell_late(version, person, late if is_of_lab else dataclasses.replace(late, least=None))

    def _tell_late(self, version: Version, person: Person, late: Late) -> None:
        """Moodle's own word on what is late: it has two units of time, and what is less is cut off."""
        lab, version.late = self.labs[version.lab], late.least is not None
        percents = {self._taken_off(person, lab, late=True, late_by=by) for by in (late.least, late.most)}
        if late.least is not None and len(percents) == 1:
            version.late_by = late.least
        elif self.rules.late and not self.rules.has_deadline(lab):
            self.asks.append(f"{late.file} says of {person.name} that {version.leaf.shown} is '{harmless.shown(late.words)}', from which it does not follow what is to be taken off. A deadline "
                             "in course.json, with a 'time_zone', does.")

    def _taken_off(self, person: Person, lab: Lab, **when) -> Fraction | None:
        return self.rules.lateness(person, lab, HandIn(person, lab, pathlib.Path(), "", **when))[0]

    def _time_of_lab(self, version: Version, person: Person) -> datetime.datetime | None:
        """When a file was handed in with other files, where the system says the time of the whole: by the clone's history the last change of the
        file, if that is not later. Where there is no work on other labs, that counts if the clone was pushed too late, and is not this lab's own or was
        pushed with later commits. Else it is the time of the lab that it was handed in for, or that is due last, and of the others only known not to
        be late where the whole is not; work of which nothing was handed in for its own lab came with the whole."""
        labs, time, lab = self.assignments.labs_of(self.assignments.unit(version)), version.submitted, self.labs[version.lab]
        assert time
        is_one, is_own, is_late = len(labs) < 2, version.assignment == version.lab, not self.rules.is_in_time(person, lab, time)
        if is_one and (not is_late or self.walk.is_idle(version.leaf)):
            return time
        repository = version.leaf.around.repository
        if version.source[0] == "" and repository and version.leaf.around.budget is None:
            inside = "/".join(version.leaf.path[len(repository.path):])
            committed, is_last = commits.last_change(self.walk.source.joinpath(*repository.path), inside)
            if committed and committed <= time and not (is_one and is_own and is_last) and (not is_one or self.rules.is_in_time(person, lab, committed)
                                                    or self._taken_off(person, lab, submitted=committed) != self._taken_off(person, lab, submitted=time)):
                self._by_commits[f"{person.name} (lab {lab.number})"] = is_late and (is_own or is_one)
                return committed
        is_of_lab = version.lab in self.assignments.here if version.assignment is not None else lab == self.rules.last_due(self.labs[at] for at in labs)
        if is_one or is_of_lab or not is_late:
            return time
        self._pushed_late.setdefault(version.lab, []).append(f"{person.name}'s hand-in of {self.rules.when(time)} ({version.leaf.shown})")
        return None

    def extend(self, versions: list[Version], people: People) -> None:
        """Tells the rules what Moodle has granted, by its worksheets, those who have a file for the lab, wherever that came from."""
        groups = {(people.of(version.who).id, version.lab) for version in versions}
        for roster in (roster for roster in self.mapping.rosters if roster.lab):
            at, lab = next((at, lab) for at, lab in enumerate(self.labs) if lab.name == roster.lab)
            for row in roster.rows.values():
                extension = self.times.extensions.get(row.values.get("moodle_id", ""))
                if extension is None or row.person is None or (row.person.id, at) not in groups:
                    continue
                if isinstance(extension, datetime.datetime):
                    self.rules.extensions[row.person.id, lab.name] = extension
                elif self.rules.has_deadline(lab):
                    self.asks.append(f"{row.person.name} has an extension for {lab.name}, whose time cannot be read for sure, or is in no 'time_zone' ({extension}). For now the "
                                     "deadline is that of the others; extra_time in course.json says how much more there is.")
