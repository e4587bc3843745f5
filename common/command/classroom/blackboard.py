"""Whose what lies in Blackboard's export is: its names are "<assignment>_<login>_attempt_…", and both parts may have underscores."""
from __future__ import annotations

import collections
import os
import re
import unicodedata
from collections.abc import Iterable

from . import naming
from .trees import Unreadable
from .walking import Leaf

#: The first line of the text that the export has for each attempt: "Name: Jane Doe (jdoe)".
_NAMED = re.compile(r"[^\n]*\((?P<login>[^()\n]+)\)\s*(?:\n|\Z)")


def logins(leaves: Iterable[Leaf], others: Iterable[tuple[str, ...]], listed: set[str]) -> dict[str, tuple[str, ...]]:
    """For what stands in front of "_attempt_": the login that is its end, or those that it may be. `others` are further paths, `listed` the
    logins of rosters in lower case."""
    told: dict[str, str] = {}
    stems: dict[str, None] = {}
    for path, leaf in sorted([*((leaf.path, leaf) for leaf in leaves), *((path, None) for path in others)], key=lambda each: len(each[0])):
        outermost = next(((stem, at) for at, name in enumerate(path) if (stem := naming.blackboards_stem(unicodedata.normalize("NFC", name)))), None)
        if outermost:
            stem, at = outermost
            stems[stem] = None
            if leaf and at == len(path) - 1 and naming.is_blackboards_text(path[-1]) and (login := _told(leaf, stem)):
                told.setdefault(stem, login)
    possible = {stem: [told[stem]] if stem in told else _readings(stem) for stem in stems}
    assignments = _assignments(possible, listed)
    return {stem: _likeliest(stem, readings, assignments, listed) for stem, readings in possible.items()}


def _told(leaf: Leaf, stem: str) -> str:
    """The login that the export's own text names."""
    try:
        named = _NAMED.match(leaf.read()[:4096].decode("utf-8", "replace"))
    except Unreadable:
        return ""
    login = named["login"].strip() if named else ""
    return login if stem.endswith("_" + login) else ""


def _readings(stem: str) -> list[str]:
    """What may be the login, the longest first: it has no blank."""
    parts = stem.split("_")
    ends = ["_".join(parts[place:]) for place in range(1, len(parts)) if parts[place]]
    return [end for end in ends if not re.search(r"\s", end)] or ends[-1:]


def _assignment(stem: str, login: str) -> str:
    return stem[:-len(login) - 1]


def _assignments(possible: dict[str, list[str]], listed: set[str]) -> set[str]:
    """What assignments are called: where only one login is possible; else where several are a roster's; else by what all names begin with."""
    if known := {_assignment(stem, readings[0]) for stem, readings in possible.items() if len(readings) == 1}:
        return known
    count = collections.Counter(_assignment(stem, login) for stem, readings in possible.items() for login in readings if login.casefold() in listed)
    if known := {assignment for assignment, number in count.items() if number > 1}:
        return known
    return {"_".join(os.path.commonprefix([stem.split("_")[:-1] for stem in possible]))} if len(possible) > 1 else set()


def _likeliest(stem: str, readings: list[str], assignments: set[str], listed: set[str]) -> tuple[str, ...]:
    """Of two logins on a roster, of which one ends with the other, it is the longer one."""
    fit = [login for login in readings if _assignment(stem, login) in assignments] or readings
    return (fit[0],) if len(fit) == 1 or fit[0].casefold() in listed else tuple(fit)
