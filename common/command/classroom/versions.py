"""The files of one person for one lab: from where each is, and which of them is the newest."""
from __future__ import annotations

import dataclasses
import datetime
import hashlib
import itertools

from . import clocks, naming
from .model import Person
from .trees import Unreadable
from .walking import Leaf
from .who import Who, shown_path, word_of


@dataclasses.dataclass
class Version:
    """One file of one person for one lab."""

    leaf: Leaf
    who: Who
    lab: int
    source: tuple[str, ...]  # a system's name, in Moodle with the number; "" and a clone; none for files at hand
    folder: tuple[str, ...] = ()  # of files at hand: the person's folder or archive, or what the file lies in
    system: tuple[float, ...] = ()
    system_word: str = ""
    number: int = 0
    submitted: datetime.datetime | None = None
    late: bool = False
    weak: bool = False  # not called .cu, or in another place of a clone
    late_by: datetime.timedelta | None = None
    by_roster: bool = False  # a roster's row with the path says when it was handed in
    assignment: int | None = None  # the lab that it was handed in for, where the system says that

    @property
    def is_stray(self) -> bool:
        """Whether it was handed in for another lab than its own."""
        return self.assignment not in (None, self.lab)

    @property
    def ordered_in(self) -> tuple:
        """What its order is known in."""
        return self.source or ("at hand", self.folder)

    @property
    def system_name(self) -> str:
        return (self.source[0] or "GitHub") if self.source else ""

    @property
    def digest(self) -> str:
        """What the file is, or where it lies if it cannot be read."""
        try:
            return hashlib.sha256(self.leaf.read()).hexdigest()
        except Unreadable:
            return self.leaf.shown

    @property
    def moodles_number(self) -> str:
        return self.source[1] if self.source[:1] == ("Moodle",) else ""


def in_order(versions: list[Version]) -> tuple[list[Version], list[str]]:
    """From old to new, and by what each one is newer than that before it; "" where this is a guess, and for the first.

    The times of hand-ins that systems vouch for decide where all of them are known, whatever files say of their own. Otherwise what
    one source or folder orders is comparable, and what several do is not: then what has such a time comes last, before that what a system has
    exported, and before that clones, by their names and not by what files say.
    """
    sources, timed = {version.ordered_in for version in versions}, [version.submitted is not None for version in versions]
    apart = not all(timed) and (len(sources) > 1 or (not versions[0].source and any(timed)))
    alike = len({(version.submitted, version.late) for version in versions}) == 1 and len({version.digest for version in versions}) == 1
    never = datetime.datetime.min.replace(tzinfo=datetime.timezone.utc)

    def age(version: Version):
        time = version.submitted if apart or all(timed) else None
        return (time.astimezone(datetime.timezone.utc) if time else never, version.source if apart else (), *_age(version))

    order = sorted(versions, key=age)

    def by(place: int) -> str:
        older, newer = order[place - 1], order[place]
        if apart or (all(timed) and any(map(_may_be_newer, order[:place], itertools.repeat(newer)))):
            return ""
        return "by the times of submission" if all(timed) and older.submitted != newer.submitted else _reason(newer, older)

    return order, ["", *(by(place) or "because all are the same" * alike for place in range(1, len(order)))]


def _may_be_newer(older: Version, newer: Version) -> bool:
    """Whether times leave it open which of two is the newer one."""
    if older.submitted == newer.submitted:
        return older.ordered_in != newer.ordered_in
    return clocks.readings(older.submitted)[1] >= clocks.readings(newer.submitted)[0]


def _age(version: Version):
    """Sorts the files of one source from old to new: by the system's number or time, then the number in the name, then the file's time.
    Among equals a plain name is the newest, and in an archive the later entry."""
    return (not version.weak, version.system, version.number, version.leaf.node.time or 0, -len(version.leaf.path[-1]), version.leaf.node.order,
            version.leaf.path)


def why_weak(weak: Version) -> str:
    """Why a weak file does not count where there is another one."""
    return "because it lies where the workbook has the lab's file" if weak.leaf.elsewhere else "because it is the one called .cu"


def _reason(newest: Version, second: Version) -> str:
    """Why of two files of one source one counts."""
    if newest.weak != second.weak:
        return why_weak(second)
    if newest.system != second.system:
        return f"by {newest.system_word or second.system_word}"
    if newest.folder != second.folder:  # a copy of what the system has exported
        return ""
    if newest.number != second.number:
        return "by the number in its name"
    return "by the files' times" if (newest.leaf.node.time or 0) != (second.leaf.node.time or 0) else ""


def of_several(versions: list[tuple[Version, Person]], names: naming.LabNames) -> tuple[dict[str, list[str]], list[str]]:
    """Whose files at hand may be several people's, because they lie in folders of one name in several others, such as sections: by the person's id the
    folders, where there are two files for one lab; and words on those whose folders have files for different labs.

    Folders that say no more than a lab, and those that have no lab in common, are no sections. A roster's row with the path says whose a file is, and
    so does a folder that is called by an email or a student's number."""
    at_hand = [(version, person) for version, person in versions if not version.source]
    named: dict[str, dict[tuple[str, ...], bool]] = {}  # by the person: folders and files, and whether their name alone says whose they are
    for version, person in at_hand:
        is_sure = not version.who.by_hand or word_of(version.who.name) in {word_of(person.keys[key]) for key in ("email", "sid") if key in person.keys}
        named.setdefault(person.id, {})[version.who.path] = not is_sure
    labs_in: dict[tuple[str, ...], set[int]] = {}
    own: dict[Person, dict[tuple[str, ...], set[int]]] = {}
    for version, person in at_hand:
        around = next((path for path, by_name in named[person.id].items() if by_name and version.leaf.path[:len(path)] == path), version.who.path)
        words = (names.read(naming.stem(component)).rest for component in around[:-1])
        section = tuple(word_of(word) for word in words if not naming.is_no_name(word))
        labs_in.setdefault(section, set()).add(version.lab)
        own.setdefault(person, {}).setdefault(section, set()).add(version.lab)
    asked, said = {}, []
    for person, sections in own.items():
        pairs = [(one, other) for one, other in itertools.combinations(sections, 2) if labs_in[one] & labs_in[other]]
        if pairs and any(named[person.id].values()):
            shown = sorted(map(shown_path, named[person.id]))
            if any(sections[one] & sections[other] for one, other in pairs):
                asked[person.id] = shown
            else:
                said.append(f"{person.name} ({', '.join(shown)})")
    return asked, said
