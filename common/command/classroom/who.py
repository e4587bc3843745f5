"""Whom a path, a system or a row of the mapping file speaks of."""
from __future__ import annotations

import dataclasses
import unicodedata

from . import harmless, naming


@dataclasses.dataclass
class Who:
    """A person as one file shows it. `key` is what makes two files one person's."""

    key: tuple[str, ...]
    name: str
    base: str  # what the id is made from
    keys: dict[str, str] = dataclasses.field(default_factory=dict)
    id: str = ""  # of the mapping
    number: str = ""  # the system's, which is another one in each assignment
    place: tuple = ()  # the assignment: where its files lie, and the lab


def key_of(name: str) -> str:
    """What makes two spellings of a name one: composed and decomposed letters, and blanks around."""
    return unicodedata.normalize("NFC", name).strip()


def owner_in(path: tuple[str, ...]) -> tuple[naming.Owner | None, int]:
    """The outermost component that a system named, and its place."""
    for index, component in enumerate(path):
        owner = naming.owner_of(unicodedata.normalize("NFC", component))
        if owner:
            return owner, index
    return None, 0


def who_of(owner: naming.Owner) -> Who:
    keys = dict(owner.keys)
    if owner.system == "Canvas":
        number = keys["canvas_id"]
        base = owner.name if owner.name == number else f"{owner.name}-{number}"
        return Who(("canvas", number), owner.name or number, base, keys)
    if owner.system == "Blackboard":
        return Who(("login", owner.name), owner.name, owner.name, keys)
    return Who(("name", key_of(owner.name)), owner.name, key_of(owner.name), keys, number=owner.number)


def submitters(submission: naming.Submission) -> list[Who]:
    found = []
    for person in submission.people:
        keys = {key: person[key] for key in ("sid", "email") if person.get(key)}
        name = person.get("name") or person.get("email") or person.get("sid") or ""
        identity = person.get("email", "").casefold() or person.get("sid") or key_of(name)
        found.append(Who(("gradescope", identity), name, key_of(name), keys))
    return found


def shown_path(path: tuple[str, ...]) -> str:
    """A path below what was given, for readers."""
    return harmless.shown("/".join(path)) or "./"
