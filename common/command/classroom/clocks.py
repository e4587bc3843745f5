"""Local times without an offset that clocks show twice, as they are put back, or never, as they are put forward: which moment is meant is not known.

Every such time is kept in the course's zone, wherever it came from, so that it is known by itself; a time with an offset is one moment.
"""
from __future__ import annotations

import copy
import dataclasses
import datetime
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import results
from ..results import Verdict
from .model import HandIn, Mark

if TYPE_CHECKING:
    from .rules import Rules

_EXTENSIONS = "the extension's "


def readings(time: datetime.datetime) -> tuple[datetime.datetime, datetime.datetime]:
    """The earliest and the latest moment that may be meant, in UTC."""
    both = [time.replace(fold=fold).astimezone(datetime.timezone.utc) for fold in (0, 1)]
    return min(both), max(both)


def why_unsure(time: datetime.datetime) -> str:
    """What clocks do with a time, in words; "" where one moment is meant."""
    first, last = (time.replace(fold=fold).astimezone(datetime.timezone.utc) for fold in (0, 1))
    return "" if first == last else f"clocks in {time.tzinfo} show {'twice, because they are put back' if first < last else 'not at all, because they are put forward'}"


def asks(rules: Rules, marks: list[Mark], attempts: dict[tuple[str, str], list[tuple[HandIn, Verdict | None]]]) -> list[str]:
    """What has to be looked at: marks that depend on which moment is meant by a time of submission, or by that of an extension."""
    found = []
    for mark in marks:
        key = mark.person.id, mark.lab.name
        own, extension = attempts.get(key, []), rules.extensions.get(key)
        times = [hand_in.submitted for hand_in, _ in own if hand_in.submitted and why_unsure(hand_in.submitted)]
        granted = [extension] if extension and why_unsure(extension) else []
        if mark.is_open or mark.is_given or not (times or granted):
            continue
        points = {_points(rules, mark, own, first) for first in (True, False)} - {mark.points}
        if points:
            shown = [f"{_EXTENSIONS * (time in granted)}{time:%Y-%m-%d %H:%M}" for time in dict.fromkeys([*times, *granted])]
            are = "are times" if len(shown) > 1 else "is a time"
            found.append(f"{mark.person.name}, {mark.lab.name}: {' and '.join(shown)} {are} that {why_unsure([*times, *granted][0])}, and which of the two is meant is not known "
                         f"({mark.hand_in.shown}). For now the mark is {results.number(mark.points)} points; it can be {' or '.join(map(str, sorted(points)))}. In a roster of your own a row "
                         f"with the path, and the time with its zone in the column submitted, says it{'; extra_time in course.json says how much more time there is' * bool(granted)}.")
    return found


def _points(rules: Rules, mark: Mark, own: Sequence[tuple[HandIn, Verdict | None]], first: bool) -> float:
    """A mark's points where each hand-in was as early as it can have been, and the extension is as long; or the other way round."""
    key, other = (mark.person.id, mark.lab.name), copy.copy(rules)
    if key in rules.extensions:
        other.extensions = {**rules.extensions, key: readings(rules.extensions[key])[first]}
    return other.choose(mark.person, mark.lab, [(dataclasses.replace(hand_in, submitted=hand_in.submitted and readings(hand_in.submitted)[not first]), verdict)
                                                for hand_in, verdict in own]).points
