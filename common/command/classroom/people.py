"""The persons of a class: what files and systems say of them, and an id for each."""
from __future__ import annotations

import collections
import dataclasses
import hashlib

from . import harmless
from .mapping import Mapping
from .model import Person
from .who import Who


class People:
    """The persons of a class, each with an id that is ASCII, unique, and as far as possible independent of the others."""

    def __init__(self, found: list[Who], mapping: Mapping, notes: list[str]):
        self.persons: dict[tuple[str, ...], Person] = {}
        self.part_same_names(found, notes)
        merged: dict[tuple[str, ...], Who] = {}
        for who in found:
            known = merged.setdefault(who.key, dataclasses.replace(who, keys=dict(who.keys)))
            for key, value in who.keys.items():
                known.keys.setdefault(key, value)
            known.id = known.id or who.id
        mapping.complete(list(merged.values()))
        for who in mapping.without_file():
            merged.setdefault(who.key, who)
        wanted = {key: who.id or id_of(who.base) for key, who in merged.items()}
        count = collections.Counter(id.casefold() for id in wanted.values())
        for key, who in merged.items():
            id = wanted[key]
            if count[id.casefold()] > 1:
                id = f"{id[:50]}-{_hash('/'.join(key))}"
                notes.append(f"{harmless.name(who.name)} is called {id} here, because another name gives the same id.")
            self.persons[key] = Person(id, harmless.name(who.name) or "(no name)", who.keys)

    def part_same_names(self, found: list[Who], notes: list[str]) -> None:
        """In Moodle and Brightspace two people of one name differ in their numbers, and these are other ones in each assignment.
        So a name is one person, unless one assignment has it with two numbers; then each number is a person."""
        numbers: dict[tuple, set[str]] = {}
        for who in found:
            if who.number and who.place:
                numbers.setdefault((who.key, who.place), set()).add(who.number)
        twice = {key for (key, _), several in numbers.items() if len(several) > 1}
        for key in sorted(twice):
            notes.append(f"Several people are called {harmless.name(key[-1])}: each number of the system was taken for a person, so "
                         "that one who handed in several labs may be there several times. A mapping file can say more.")
        for who in found:
            if who.key in twice and who.number:
                who.key = (*who.key, who.number)
                who.base = f"{who.base}-{who.number}"

    def of(self, who: Who) -> Person:
        return self.persons[who.key]

    def all(self) -> list[Person]:
        return list(self.persons.values())


def id_of(name: str) -> str:
    """An id for a name: its words joined by -, if that is the name; otherwise the nearest ASCII and a short hash."""
    words = " ".join(name.split())
    ascii = harmless.ascii_words(words)
    if ascii and len(ascii) <= 48 and words.replace(" ", "-") == ascii:
        return ascii
    return f"{ascii[:40].strip('-') or 'person'}-{_hash(name)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
