"""For which lab's assignment files were handed in, and what was handed in together."""
from __future__ import annotations

import collections
from typing import Sequence

from . import naming
from .people import People
from .roster import WORKSHEET
from .versions import Version
from .walking import Leaf, Trace, Walk
from .who import Who


class Assignments:
    """What systems say of it: a worksheet that has the number, or the name of the folder or archive that the system made, or of the clone."""

    def __init__(self, walk: Walk, given: str, not_wanted: list[Leaf]):
        """`given` is what the whole is called; `not_wanted` are files for labs that are not graded this time."""
        self.walk, self.labs, self.mapping, self.names, self.given, self.not_wanted = walk, walk.labs, walk.mapping, walk.names, given, not_wanted
        self.here: set[int | None] = set()  # the labs whose assignments are among what was given
        self._of_number: dict[str, int] = {}  # the lab of each number of Moodle, by worksheets
        self._together: dict[tuple[str, ...], list[Leaf]] = {}  # the labs' files in what was handed in at one time
        self._labs_in: dict[tuple[str, ...], set[int]] = {}  # likewise: those that are worked on

    def tell(self, versions: list[Version]) -> None:
        """Finds out for which lab's assignment files were handed in. A person's row that names the lab says that it is no other."""
        numbered = [(version.moodles_number, version.lab) for version in versions]
        numbered += [(owner.number, leaf.lab) for leaf in self.not_wanted if (owner := self.mapping.owner_in(leaf.path)[0]) and owner.system == "Moodle"]
        for roster in (roster for roster in self.mapping.rosters if roster.form is WORKSHEET):
            numbers = {row.values.get("moodle_id", "") for row in roster.rows.values()}
            own = collections.Counter(lab for number, lab in numbered if number in numbers)
            most, named = own.most_common(2), self.named_lab([roster.file.stem])
            is_clear = len(most) == 1 or (len(most) == 2 and most[0][1] > most[1][1])
            at = named if named is not None else most[0][0] if is_clear else None
            if at is not None and (at in own or not own):  # else a course may be called "Lab 1"
                roster.lab = self.labs[at].name
                self._of_number |= dict.fromkeys(numbers - {""}, at)
        for version in versions:
            row, path = self.mapping.row(version.leaf.path), version.leaf.path
            if row and (row.lab or version.by_roster):
                version.assignment = version.lab
            elif version.source:
                version.assignment = self.of(version.moodles_number, path[:self.place(version)])
        self.here = {version.assignment for version in versions} | {*self._of_number.values()}
        for version in versions:
            if version.source:
                self._together.setdefault(self.unit(version), []).append(version.leaf)
        lengths = {len(unit) for unit in self._together}
        for leaf in self.not_wanted:
            for length in lengths:
                if leaf.path[:length] in self._together:
                    self._together[leaf.path[:length]].append(leaf)

    def place(self, version: Version) -> int:
        """How many components of a path stand around what a system says of a person, a clone's name among them."""
        if version.source[0] == "Gradescope":
            return version.leaf.around.submission_at
        return self.mapping.owner_in(version.leaf.path)[1] if version.source[0] else len(version.source) - 1

    def unit(self, version: Version) -> tuple[str, ...]:
        """What was handed in at one time: the folder, archive or clone."""
        return version.leaf.path[:self.place(version) + bool(version.source[0])]

    def of(self, number: str, around: tuple[str, ...]) -> int | None:
        """The lab whose assignment has a number of Moodle, or else is named by the innermost of folders and archives."""
        return self._of_number[number] if number in self._of_number else self.named_lab([self.given, *around])

    def named_lab(self, components: Sequence[str]) -> int | None:
        """The lab that the last of some names says that names one, and no other."""
        for named in (self.names.read(naming.stem(component)) for component in reversed(components)):
            other = self.names.read(named.rest)
            if named.strength > 1 and (other.strength < 2 or other.lab == named.lab):
                return named.lab
        return None

    def labs_of(self, unit: tuple[str, ...]) -> set[int]:
        """The labs that are worked on in what was handed in at one time."""
        if unit not in self._labs_in:
            leaves = self._together[unit]
            is_several = len({leaf.lab for leaf in leaves}) > 1
            self._labs_in[unit] = {leaf.lab for leaf in leaves if leaf.lab is not None and not (is_several and self.walk.is_idle(leaf))}
        return self._labs_in[unit]

    def numbers(self, versions: list[Version], traces: list[tuple[Trace, list[Who]]], people: People) -> dict[str, dict[str, str]]:
        """By labs' names: Moodle's numbers in their assignments, by persons' ids. Where a download's name says nothing, it is the lab of all or most of its
        files; if someone has two numbers in it, it is several downloads, and each number that of its files; if one number has files for several labs,
        it may be an assignment for all of them, and nothing is known."""
        not_wanted = {leaf.path for leaf in self.not_wanted}
        known: list[tuple[str, str, tuple[str, ...], int | None]] = []  # a person's id, the number, what the folder lies in, and the lab of the file
        for path, whose, lab in [*((version.leaf.path, [version.who], version.lab) for version in versions), *((trace.path, whose, trace.lab if trace.path in not_wanted else None) for trace, whose in traces)]:
            owner, at = self.mapping.owner_in(path)
            if owner and owner.system == "Moodle" and owner.number:
                known += [(people.of(who).id, owner.number, path[:at], lab) for who in whose]
        of_place: dict[tuple[str, ...], dict[str, set[int]]] = {}
        of_person: dict[tuple[str, tuple[str, ...]], set[str]] = {}
        for person, number, place, lab in known:
            of_place.setdefault(place, {}).setdefault(number, set()).update(set() if lab is None else {lab})
            of_person.setdefault((person, place), set()).add(number)
        several = {place for (_, place), numbers in of_person.items() if len(numbers) > 1}
        found: dict[str, dict[str, str]] = {}

        def lab_of(number: str, place: tuple[str, ...]) -> int | None:
            if (at := self.of(number, place)) is not None:
                return at
            own = of_place[place]
            labs = collections.Counter(lab for labs in own.values() for lab in labs)
            if any(len(labs) > 1 for labs in own.values()):
                return None
            if place in several:
                return next(iter(own[number]), None)
            at, count = labs.most_common(1)[0] if labs else (None, 0)
            return at if 2 * count > sum(labs.values()) else None

        for person, number, place, _ in known:
            if (at := lab_of(number, place)) is not None:
                found.setdefault(self.labs[at].name, {}).setdefault(person, number)
        for roster in (roster for roster in self.mapping.rosters if roster.lab):
            found.setdefault(roster.lab, {}).update({row.person.id: row.values["moodle_id"] for row in roster.rows.values() if row.person and row.values.get("moodle_id")})
        return found
