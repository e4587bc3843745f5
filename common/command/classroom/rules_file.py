"""What a course's file may say, and how its numbers are read and told. docs/course-rules.md describes the file."""
from __future__ import annotations

import dataclasses
import datetime
import math
from fractions import Fraction
from typing import Union

from .. import lab_facts
from ..results import number

LabName = Union[str, int]


@dataclasses.dataclass(frozen=True)
class Late:
    """Points that a late hand-in loses: `percent_per_day` for each day begun, or a `table` of {"days" or "hours", "percent"}."""

    percent_per_day: float | None = None
    table: list[dict] | None = None
    grace_minutes: float = 0  # so late is not late
    most_percent: float = 100
    cut_off_days: float | None = None  # later than this, nothing counts
    of: str = "reached"  # the percentages are of the points reached, or of the "full" points
    percent_if_marked: float | None = None  # where a system says LATE, and not how late


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of the table: up to so late, so many percent."""

    percent: float
    days: float | None = None
    hours: float | None = None

    @property
    def limit(self) -> datetime.timedelta:
        return datetime.timedelta(days=self.days or 0, hours=self.hours or 0)


@dataclasses.dataclass(frozen=True)
class Extra:
    """More time for one person."""

    days: float = 0
    hours: float = 0
    labs: tuple[LabName, ...] | None = None  # all, if it does not say

    @property
    def time(self) -> datetime.timedelta:
        return datetime.timedelta(days=self.days, hours=self.hours)


@dataclasses.dataclass(frozen=True)
class Excused:
    """Labs that one person has no mark for."""

    labs: tuple[LabName, ...] | None = None  # all, if it does not say


@dataclasses.dataclass(frozen=True)
class Attempts:
    counts: str = "last"  # or "best"
    most: int | None = None  # later ones do not count


@dataclasses.dataclass(frozen=True)
class Round:
    to: float = 1
    how: str = "nearest"  # halves go up; or "up", "down"


TWO_DECIMALS = Round(0.01)


@dataclasses.dataclass(frozen=True)
class CorrectionSaid:
    student: str
    lab: LabName
    author: str
    comment: str
    points: float | None = None  # without it, it is a comment alone


@dataclasses.dataclass(frozen=True)
class LabRules:
    points: float | None = None  # what the lab's full points are worth in the course, whatever the other labs are
    weight: float | None = None  # or what each of its points is worth; with a total, before the labs' shares of it are made
    counts: bool = True
    deadline: str | None = None
    leave_out: tuple[str, ...] = ()
    items: dict = dataclasses.field(default_factory=dict)  # the points of single items


@dataclasses.dataclass(frozen=True)
class Course:
    labs: dict = dataclasses.field(default_factory=dict)
    total: float | None = None  # what the labs that the rules name are worth together
    time_zone: str | None = None
    late: dict | None = None
    extra_time: dict = dataclasses.field(default_factory=dict)
    excused: dict = dataclasses.field(default_factory=dict)
    attempts: dict = dataclasses.field(default_factory=dict)
    round: dict | None = None
    corrections: list[dict] = dataclasses.field(default_factory=list)
    contact: str = ""


# ---- numbers and words ----------------------------------------------------------------------------------------------------

def exact(value: float | Fraction) -> Fraction:
    """What a number of the file says: 0.1 is a tenth."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def hundredths(value: Fraction) -> Fraction:
    """With two decimals; halves go up."""
    return Fraction(math.floor(100 * value + Fraction(1, 2)), 100)


def decimal(value: Fraction) -> float:
    """With two decimals, for everything behind the rules."""
    return number(float(hundredths(value)))


def told(value: float | Fraction) -> str:
    """A number with at most two digits behind the point."""
    return str(decimal(exact(value)))


def counted(value: float, word: str) -> str:
    return f"{told(value)} {word}{'' if value == 1 else 's'}"


def span(time: datetime.timedelta) -> str:
    """A span of time in days, hours and minutes, or in seconds where it has no minute."""
    if time < datetime.timedelta(minutes=1):
        return counted(math.ceil(time / datetime.timedelta(seconds=1)), "second") if time else "0 minutes"
    hours, minutes = divmod(math.ceil(time / datetime.timedelta(minutes=1)), 60)
    days, hours = divmod(hours, 24)
    parts = [counted(count, word) for count, word in ((days, "day"), (hours, "hour"), (minutes, "minute")) if count]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def is_day(text: str) -> bool:
    return len(text) <= len("2026-11-30")


def refuse(is_wrong: bool, sentence: str) -> None:
    if is_wrong:
        raise lab_facts.Broken(sentence)


def positive(value: float | None, where: str) -> float | None:
    refuse(value is not None and not value > 0, f"{where} is more than 0.")
    two_decimals(value or 0, where)
    return value


def two_decimals(value: float, where: str) -> None:
    """What something is worth has no more, as marks have: a sum of rounded parts would be another number."""
    refuse((100 * exact(value)).denominator != 1, f"{where} has more than two decimals.")


def once(pairs: list[tuple[str, object]]) -> dict:
    """An object of JSON; a key that is there twice would silently hide the first."""
    made: dict[str, object] = {}
    for key, value in pairs:
        if key in made:
            raise ValueError(f"the key '{key}' is there twice")
        made[key] = value
    return made


def no_number(text: str):
    raise ValueError(f"{text} is no number of JSON")
