"""Whom a path, a system or a row of a roster speaks of."""
from __future__ import annotations

import dataclasses
import unicodedata

from . import harmless, naming
from .roster import Row, plain_number


@dataclasses.dataclass(eq=False)
class Who:
    """A person as one file or one row shows it."""

    name: str
    base: str  # what the id is made from
    keys: dict[str, str] = dataclasses.field(default_factory=dict)  # each belongs to one person; those with _ in front stay in here
    id: str = ""  # of the roster
    number: str = ""  # the system's, which is another one in each assignment
    place: tuple = ()  # the assignment: where its files lie, and the lab
    named: bool = True  # whether `name` is a name, and not what a system calls the person
    may_be: tuple[str, ...] = ()  # logins, where it is not known which of them
    by_hand: bool = False  # whether the name is a person's word for a folder or file, and may be any of a row's keys
    row: Row | None = None  # of a roster: this person, and no other row of the same file
    identifier: str = ""  # by which GitHub Classroom's grades name a row of its roster
    path: tuple[str, ...] = ()  # the file, or the folder or archive, that is this person's
    source: str = ""  # where it is said, for readers


def key_of(name: str) -> str:
    """What makes two spellings of a name one: composed and decomposed letters, and blanks of any kind and number."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def word_of(text: str) -> str:
    """What names and keys are compared by."""
    return key_of(text).casefold()


def who_of(owner: naming.Owner, path: tuple[str, ...]) -> Who:
    """The person whom the last component of `path` names."""
    keys, said = dict(owner.keys), {"path": path, "source": shown_path(path)}
    if owner.system == "Canvas":
        number = keys["canvas_id"]
        base = owner.name if owner.name == number else f"{owner.name}-{number}"
        return Who(owner.name or number, base, keys, named=False, **said)
    if owner.system == "Blackboard":
        return Who(owner.name, owner.name, keys, named=False, may_be=owner.may_be, **said)
    if owner.number:
        keys.setdefault(f"_{owner.system}", owner.number)
    return Who(owner.name, key_of(owner.name), keys, number=owner.number, **said)


def submitters(submission: naming.Submission, path: tuple[str, ...]) -> list[Who]:
    found = []
    for person in submission.people:
        keys = {key: plain_number(person[key]) for key in ("sid", "email") if person.get(key)}
        name = person.get("name") or person.get("email") or person.get("sid") or ""
        found.append(Who(name, key_of(name), keys, named=bool(person.get("name")), path=path, source=shown_path(path)))
    return found


def shown_path(path: tuple[str, ...]) -> str:
    """A path below what was given, for readers."""
    return harmless.shown("/".join(path)) or "./"
