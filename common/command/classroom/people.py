"""The persons of a class: what rosters, systems and files say of them, joined, and an id for each.

A key (an email, a number or a login of a system) belongs to one person, so that whatever has it is about that person. A name may
belong to several: it joins where nothing speaks against it. What cannot be decided is kept apart and said.
"""
from __future__ import annotations

import collections
import hashlib
from typing import Iterable

from ..problem import Problem
from . import harmless
from .mapping import Mapping
from .model import Person
from .roster import Row
from .who import Who, key_of, word_of

#: Of these a person has one in all systems alike, so that two people of one name may be told apart by them.
_ONE_EACH = {"email", "login", "github", "sid", "canvas_id", "_id"}


class _One:
    """What is said of one person."""

    def __init__(self) -> None:
        self.parts: list[Who] = []

    @property
    def rows(self) -> list[Row]:
        return [who.row for who in self.parts if who.row]

    @property
    def sids(self) -> set[str]:
        return {row.keys["sid"] for row in self.rows if "sid" in row.keys}

    @property
    def key(self) -> str:
        """The same whoever else is in the class."""
        return min((f"{kind}/{value}" for who in self.parts for kind, value in _keys(who)), default=f"name/{self.parts[0].base}")


def _keys(who: Who) -> Iterable[tuple[str, str]]:
    return ((kind, value.casefold()) for kind, value in who.keys.items())


def _fit(ones: list[_One]) -> bool:
    """Whether they may be one person: no roster has two rows of them, no assignment two numbers, and no system two ids."""
    files: set = set()
    numbers: dict[tuple, str] = {}
    kinds: dict[str, set[str]] = {}
    for one in ones:
        own: dict[str, set[str]] = {}
        for who in one.parts:
            if who.number and who.place and numbers.setdefault(who.place, who.number) != who.number:
                return False
            for kind, value in _keys(who):
                own.setdefault(kind, set()).add(value.lstrip("0") if kind == "sid" else value)  # which Excel takes away
        if files & (rosters := {row.file for row in one.rows}):
            return False
        files |= rosters
        for kind, values in own.items():
            if kind in _ONE_EACH and kind in kinds and not kinds[kind] & values:
                return False
            kinds.setdefault(kind, set()).update(values)
    return True


class People:
    """The persons of a class, each with an id that is ASCII, unique, and as far as possible independent of the others."""

    def __init__(self, found: list[Who], mapping: Mapping, notes: list[str], asks: list[str]):
        self.notes, self.asks, self._found = notes, asks, set(found)
        self._no_students = mapping.no_students
        self._ones: dict[_One, None] = {}  # in the order in which they were found
        self._by_key: dict[tuple[str, str], _One] = {}
        self._of: dict[Who, _One] = {}
        self._apart: dict[tuple, list[_One]] = {}  # by keys that are those of several people
        self._contested: list[tuple[Who, list[_One]]] = []  # what may be that of several people, and was given to none of them
        self._namesakes: list[list[_One]] = []  # whom only a name may join, and something speaks against it
        self._identified: dict[tuple[int, str], list[Who]] = {}
        for who in mapping.people():
            self.add_row(who)
            for rank, kinds in enumerate((("identifier", "email"), ("sid", "login"))):
                for kind in kinds:
                    self._identified.setdefault((rank, word_of(who.row.values.get(kind, ""))), []).append(who)
        self._words = self.words_of_rows()
        self._called = {word_of(who.name) for who in found if who.by_hand}
        of_paths = mapping.people_of_paths()
        for who in [*(who for _, who in of_paths), *found]:
            self.add_found(who)
        self.join_by_numbers()
        self.join_by_names()
        self.persons = self.named()
        for one in self._ones:
            for row in one.rows:
                row.person = self.persons[one]
        for row, who in of_paths:
            row.person = self.of(who)

    # ---- joining ----------------------------------------------------------------------------------------------------------

    def met(self, who: Who) -> list[_One]:
        """Those who have one of a part's keys."""
        return list(dict.fromkeys(one for key in _keys(who) if (one := self._by_key.get(key))))

    def put(self, who: Who, ones: list[_One]) -> None:
        """Adds a part to those whom it joins."""
        one = ones[0] if ones else _One()
        self._ones[one] = None
        for other in ones[1:]:
            self.join(one, other)
        self.take(one, who)

    def take(self, one: _One, who: Who) -> None:
        one.parts.append(who)
        self._of[who] = one
        for key in _keys(who):
            self._by_key[key] = one

    def join(self, one: _One, other: _One) -> None:
        for who in other.parts:
            self.take(one, who)
        del self._ones[other]

    def add_row(self, who: Who) -> None:
        """Two rows of one roster are two people. Raises Problem where a key says otherwise."""
        assert who.row
        ones, known = self.met(who), {who.row.file: who.row}
        for row in (row for one in ones for row in one.rows):
            other = known.setdefault(row.file, row)
            if other is not row:
                first, second = sorted((other, row), key=lambda each: each.line)
                said = ", ".join(f"{kind.strip('_')} {harmless.shown(who.keys[kind])}" for kind in who.keys
                                 if self._by_key.get((kind, who.keys[kind].casefold())) in ones)
                raise Problem(f"{_called(first)} and {_called(second)} are one person by {said}"
                              + (f" of {_called(who.row)}." if who.row not in (first, second) else "."),
                              ["Each row of a roster is another person: correct the key that is wrong, or remove a row."])
        self.put(who, ones)

    def words_of_rows(self) -> dict[str, set[_One]]:
        """What a person may call a folder or file by, and whose it is by the rosters. An identifier of GitHub Classroom joins whoever
        has it as a key elsewhere."""
        words: dict[str, set[_One]] = {}
        for one in self._ones:
            for who in one.parts:
                for word in who.keys.values():
                    words.setdefault(word_of(word), set()).add(one)
        for who in [who for one in self._ones for who in one.parts]:
            assert who.row
            if identifier := word_of(who.row.values.get("identifier", "")):
                own, others = self._of[who], words.setdefault(identifier, set())
                if len(others) == 1 and (other := next(iter(others))) is not own and _fit([other, own]):
                    self.join(other, own)
                    own = other
                others.add(own)
        return words

    def of_identifier(self, identifier: str) -> list[_One]:
        """Those of the rosters whom an identifier of GitHub Classroom names: as its own roster does, or else by another system's key."""
        whose = next((found for rank in (0, 1) if identifier and (found := self._identified.get((rank, word_of(identifier))))), [])
        return list(dict.fromkeys(self._of[who] for who in whose))

    def identified(self, who: Who, met: list[_One]) -> list[_One]:
        """Whom a part joins that has an identifier: the identifier is the teacher's word, and comes before a login, which may be one of another
        time or, on the roster, another person's."""
        own = self.of_identifier(who.identifier)
        if len(own) != 1:
            return met or own
        others, logins = [one for one in met if one.rows and one is not own[0]], {row.keys["github"].casefold() for row in own[0].rows if "github" in row.keys}
        if others or (logins and who.keys.get("github", "").casefold() not in logins):
            self.notes.append(f"{who.source} is that of {_called(own[0].rows[0])} by the roster_identifier in GitHub Classroom's grades; the roster's github_username says "
                              "otherwise.")
        if others:
            who.keys = {}
        return list(dict.fromkeys([own[0], *(one for one in met if one not in others)]))

    def add_found(self, who: Who) -> None:
        ones = self.identified(who, self.met(who))
        if not ones and who.by_hand:
            ones = self.called_by_hand(who)
        listed = [one for one in ones if one.rows]
        if who.may_be:
            listed = [one for login in who.may_be if (one := self._by_key.get(("login", login.casefold()))) and one.rows]
            self.asks.append(f"{harmless.shown(' and '.join(who.may_be))} may all be the login in {who.source}"
                             f"{' (' + ' and '.join(_called(one.rows[0]) for one in listed) + ')' if listed else ''}: it was given to no one who has one of them. The text that "
                             "Blackboard exports with each attempt says it, and so does a roster's row with the path.")
        elif len(listed) > 1:
            others = " and ".join(_called(one.rows[0]) for one in listed)
            self.asks.append(f"{harmless.name(who.name)} ({who.source}) {'may be the name or a key' if who.by_hand else 'has keys'} of {others}, and was given to neither.")
        if not who.may_be and len(listed) < 2:
            self.put(who, ones)
            return
        contested = (*_keys(who), *who.may_be, word_of(who.name) if who.by_hand else "")
        who.keys, who.named = {}, False
        self.put(who, self._apart.setdefault(contested, []))
        self._apart[contested] = [self._of[who]]
        self._contested.append((who, listed))

    def called_by_hand(self, who: Who) -> list[_One]:
        """Whom a person's word for a folder or file may mean: who has it as a key, and, if there is one, whoever else has it as a name."""
        word = word_of(who.name)
        own = [one for one in self._ones if one in self._words.get(word, ())]
        if not own and word.isdigit() and word.strip("0"):
            number = word.lstrip("0")
            own = [one for one in self._ones if any(sid.isdigit() and sid.lstrip("0") == number for sid in one.sids)]
            own = [] if any(one.sids & self._called for one in own) else own
            if len(own) == 1:
                self.notes.append(f"{who.source} is {_called(own[0].rows[0])}'s by the student's number, which is written {' and '.join(sorted({word, *own[0].sids}))}.")
        named = [one for one in self._ones if own and one not in own and any(word_of(row.values.get("name", "")) == word for row in one.rows)]
        if named and len(own) == 1 and any(word_of(row.values.get("name", "")) == word for row in own[0].rows):
            named = [one for one in named if not _fit([own[0], one])]  # else they are one person by the name
        return own + named

    def join_by_numbers(self) -> None:
        """A student's number that lacks its zeros in front is the same one, where nothing speaks against it."""
        by_number: dict[str, dict[_One, None]] = {}
        for one in self._ones:
            for sid in {who.keys.get("sid", "") for who in one.parts}:
                if sid.isdigit() and sid.strip("0"):
                    by_number.setdefault(sid.lstrip("0"), {})[one] = None
        for called in by_number.values():
            ones = list(dict.fromkeys(self._of[one.parts[0]] for one in called))
            if len(ones) > 1 and _fit(ones):
                sids = sorted({who.keys["sid"] for one in ones for who in one.parts if "sid" in who.keys})
                self.notes.append(f"{harmless.name(ones[0].parts[0].name)} is one person here by the student's number, which is written {' and '.join(map(harmless.shown, sids))}.")
                for other in ones[1:]:
                    self.join(ones[0], other)

    def join_by_names(self) -> None:
        """One name is one person where nothing speaks against it. In Moodle and Brightspace two people of one name differ in their
        numbers, which are other ones in each assignment; only a roster says which of these are one person's."""
        listed_names = {word_of(row.values.get("name", "")) for one in self._ones for row in one.rows}
        by_name: dict[str, dict[_One, None]] = {}
        for one in self._ones:
            for who in one.parts:
                if who.named and (who.row or not one.rows):  # of a listed person the roster's name counts
                    word = word_of(who.name)
                    by_name.setdefault(word if word in listed_names else key_of(who.name), {})[one] = None
        for called in by_name.values():
            ones = list(dict.fromkeys(self._of[one.parts[0]] for one in called))  # some are others' parts by now
            listed = [one for one in ones if one.rows]
            if _fit(ones):
                self.tell_joined(ones)
                first = (listed or ones)[0]
                for other in [one for one in ones if one is not first]:
                    self.join(first, other)
            elif not set.intersection(*({row.file for row in one.rows} for one in ones)):  # no roster knows them all
                self.part(ones, listed)

    def tell_joined(self, ones: list[_One]) -> None:
        """Says where the name alone joins what different systems have."""
        kinds = [{kind for who in one.parts for kind in who.keys} for one in ones]
        with_keys = [(one, each) for one, each in zip(ones, kinds) if each]
        if any(one.rows for one in ones) or len(with_keys) < 2 or set.intersection(*(each for _, each in with_keys)):
            return
        where = " and ".join(sorted(one.parts[0].source for one, _ in with_keys)[:4])
        self.notes.append(f"{harmless.name(ones[0].parts[0].name)} is one person here by the name alone: {where}.")

    def part(self, ones: list[_One], listed: list[_One]) -> None:
        """Keeps people of one name apart, and says so."""
        self._namesakes.append(ones)
        name = harmless.name(ones[0].parts[0].name)
        rows = f" {len(listed)} of them {'is' if len(listed) == 1 else 'are'} on a roster ({', '.join(one.rows[0].where for one in listed[:4])})." if listed else ""
        self.notes.append(f"Several people are called {name}, and the name alone says of no file whose it is: each key and each number of a system "
                          f"was taken for a person, so that one who handed in several labs may be there several times.{rows} A roster with keys "
                          "of both, such as each assignment's grading worksheet, joins them.")
        for one in ones:
            number = next((who.number for who in one.parts if who.number), "")
            if number and not one.rows:
                for who in one.parts:
                    who.base = f"{who.base}-{number}"

    # ---- naming -----------------------------------------------------------------------------------------------------------

    def named(self) -> dict[_One, Person]:
        persons = {}
        for one in self._ones:
            one.parts.sort(key=lambda who: who.row is None)  # rosters first
        wanted = {one: next((who.id for who in one.parts if who.id), "") or id_of(one.parts[0].base) for one in self._ones}
        count = collections.Counter(id.casefold() for id in wanted.values())
        for one in self._ones:
            keys: dict[str, str] = {}
            for kind, value in (pair for who in one.parts for pair in who.keys.items() if not pair[0].startswith("_")):
                keys.setdefault(kind, value)
            names = [who.name for who in one.parts if who.named] or [one.parts[0].name]
            # GitHub Classroom may have an email, or what else the teacher chose, for a name.
            no_names = {word_of(word) for word in (*keys.values(), *(row.values.get("identifier", "") for row in one.rows))}
            name = min(names, key=lambda each: word_of(each) in no_names)
            id_ = wanted[one]
            if count[id_.casefold()] > 1:
                id_ = f"{id_[:50]}-{_hash(one.key)}"
                if any(id_.casefold() == person.id.casefold() for person in persons.values()):  # without keys only the place is left
                    id_ = f"{id_[:57]}-{_hash(one.parts[0].source)}"
                self.notes.append(f"{harmless.name(name)} is called {id_} here, because another name gives the same id.")
            persons[one] = Person(id_, harmless.name(name) or "(no name)", keys)
        return persons

    def of(self, who: Who) -> Person:
        return self.persons[self._of[who]]

    def told(self, identifier: str, user: str) -> Person | None:
        """Whom GitHub Classroom's grades mean."""
        own = self.of_identifier(identifier)
        one = own[0] if len(own) == 1 else self._by_key.get(("github", user.casefold()))
        return self.persons[one] if one else None

    def all(self) -> list[Person]:
        return list(self.persons.values())

    def may_be(self) -> dict[str, set[str]]:
        """By id: those who may be the same person, for all that is known, because of the same name or of a key."""
        found: dict[str, set[str]] = {}
        for ones in self._namesakes:
            ones = list(dict.fromkeys(self._of[one.parts[0]] for one in ones))  # some are others' parts by now
            for one in ones:
                found.setdefault(self.persons[one].id, set()).update(self.persons[other].id for other in ones if other is not one and _fit([one, other]))
        for who, ones in self._contested:
            for one in ones:
                found.setdefault(self.of(one.parts[0]).id, set()).add(self.of(who).id)
        return found

    def on_no_roster(self) -> dict[str, str]:
        """By id, where something of them was seen, for readers; no one where no roster says who is in the class."""
        unlisted = [one for one in self._ones if self._found.issuperset(one.parts)] if any(one.rows for one in self._ones) else []
        return {self.persons[one].id: one.parts[0].source for one in unlisted if not self.no_student(one)}

    def no_student(self, one: _One) -> Row | None:
        """A roster's row by which someone who is on none as a student is no student."""
        rows = (self._no_students.get(key) for who in one.parts for key in _keys(who))
        return None if one.rows else next(filter(None, rows), None)

    def said_of_no_students(self) -> list[str]:
        return [f"{self.persons[one].name} is no student by {row.where}." for one in self._ones if (row := self.no_student(one))]

    def on_rosters_alone(self) -> set[str]:
        return {self.persons[one].id for one in self._ones if not self._found.intersection(one.parts)}


def _called(row: Row) -> str:
    return f"{row.where} ({harmless.name(row.values.get('name') or next(iter(row.keys.values()), ''))})"


def id_of(name: str) -> str:
    """An id for a name: its words joined by -, if that is the name; otherwise the nearest ASCII and a short hash."""
    words = " ".join(name.split())
    ascii = harmless.ascii_words(words)
    if ascii and len(ascii) <= 48 and words.replace(" ", "-") == ascii:
        return ascii
    return f"{ascii[:40].strip('-') or 'person'}-{_hash(name)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
