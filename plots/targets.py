"""What the last steps were meant to reach, and what they did. Standard library only.

Each target is a ratio within one run, so that it says the same of another card. The numbers asked for were set before
the steps were written; they stand in the labs' lab.json. Several may be parts of one: it is met if all its parts are. Why a part
was missed stands in data/unmet-targets.txt, one line each: `NN-key: sentence`; what else was measured in the same run and
shows how near one can come, its limit, in lab.json.
"""
from __future__ import annotations

import dataclasses
import functools
import math
import pathlib
from collections.abc import Callable

from comparison import TIMES, Lab, lab_facts, labs, matching, version
from measurements import BrokenFile, Measurements


@dataclasses.dataclass(frozen=True)
class Found:
    """What was measured for a target, and its 95% interval: of a ratio from the ends of both sides' own."""

    value: float
    low: float
    high: float

    def inverse(self) -> Found:
        return Found(1 / self.value, 1 / self.high, 1 / self.low)


def ratio_of(mine: dict[str, float], theirs: dict[str, float]) -> Found:
    """How many times as fast: of rates; of times the inverse is it."""
    return Found(mine["value"] / theirs["value"], mine["low"] / theirs["high"], mine["high"] / theirs["low"])


Finds = Callable[[Measurements], Found | None]  # None: not in these data


@dataclasses.dataclass(frozen=True)
class Target:
    key: str
    lab: Lab
    part_of: str
    text: str
    asked: float
    measure: Finds
    at_most: bool = False
    limit: Finds | None = None  # the ratio that something simpler reaches, which has to do as much with memory or launches
    limit_text: str = ""        # what that is

    def is_met(self, value: float) -> bool:
        """As printed: to three digits behind the point."""
        return round(value, 3) <= self.asked if self.at_most else round(value, 3) >= self.asked


def values(data: Measurements, metric: str, along: str, **where: str) -> dict[str, dict[float, dict[str, float]]]:
    """{submission: {place along the sweep: the row's numbers}}; "unit" stands there, too."""
    found: dict[str, dict[float, dict]] = {}
    for row in matching([row for row in data.rows if row["metric"] == metric], where):
        numbers = {key: float(row.get(key) or row["value"]) for key in ("value", "low", "high")}
        found.setdefault(row["submission"], {})[float(row[along])] = {**numbers, "unit": row["unit"]}
    return found


def last(found: dict[str, dict]) -> dict | None:
    """What the step with the highest number has."""
    steps = [name for name in found if name.startswith("step-")]
    return found[max(steps, key=version)] if steps else None


@dataclasses.dataclass(frozen=True)
class Measure:
    """The last step's values along a sweep, or how many times as good they are as others' at the same points: the worst of them.

    `start` and `end` bound the points that count. `against` names submissions; what ends in "-" is the beginning of names.
    """

    metric: str
    along: str
    where: dict[str, str]
    start: float = -math.inf
    end: float = math.inf
    steps: str = "step-"  # how the names of the steps begin whose last one it is
    against: tuple[str, ...] = ()
    best: bool = False      # the best instead of the worst
    interval: bool = False  # the upper end of the ratio's interval

    def of(self, data: Measurements, at_most: bool = False) -> Found | None:
        """None: not in these data. `at_most`: the numbers are costs, a ratio is how many times as bad, and the largest is the worst."""
        found = values(data, self.metric, self.along, **self.where)
        ours = last({name: at for name, at in found.items() if name.startswith(self.steps)})
        others = [points for name, points in found.items() if any(
            name.startswith(other) if other.endswith("-") else name == other for other in self.against)]
        if not ours or self.against and not others:
            return None
        measured = []
        for place, mine in ours.items():
            theirs = [points[place] for points in others if place in points]
            if self.start <= place <= self.end and (theirs or not self.against):
                ratio = self.ratio(mine, theirs) if theirs else Found(mine["value"], mine["low"], mine["high"])
                measured.append(ratio.inverse() if theirs and at_most else ratio)
        return (max if self.best != at_most else min)(measured, key=lambda found: found.value, default=None)

    def ratio(self, mine: dict, theirs: list[dict]) -> Found:
        is_time = mine["unit"] in TIMES
        best = (min if is_time else max)(theirs, key=lambda at: at["value"])
        ratio = ratio_of(best, mine) if is_time else ratio_of(mine, best)
        return Found(ratio.high, ratio.low, ratio.high) if self.interval else ratio


def measure_of(lab: Lab, said: dict | str, at_most: bool, key: str = "measure") -> Finds:
    """A Measure, or the function of that name in the lab's measures.py. Raises lab_facts.Broken."""
    where = f"{lab.folder / lab_facts.FILE}, a target's {key}"
    if isinstance(said, dict):
        measure = lab_facts.make(Measure, said, where)
        return lambda data: measure.of(data, at_most)

    def own(data: Measurements) -> Found | None:
        function = getattr(lab.measures, said, None)
        if function is None:
            raise lab_facts.Broken(f"{where}: there is no '{said}' in measures.py beside it.")
        return function(data)

    return own  # measures.py imports this module, so it is looked for when it is needed


@dataclasses.dataclass(frozen=True)
class Said:
    """A target as lab.json says it."""

    key: str
    text: str
    measure: dict | str
    part_of: str
    at_least: float | None = None
    at_most: float | None = None
    limit: str = ""  # a function in measures.py
    limit_text: str = ""


def make_target(lab: Lab, said: dict) -> Target:
    where = f"{lab.folder / lab_facts.FILE}, target {said.get('key', '')}"
    told = lab_facts.make(Said, said, where)
    if (told.at_least is None) == (told.at_most is None):
        raise lab_facts.Broken(f"{where} has to have either 'at_least' or 'at_most'.")
    if bool(told.limit) != bool(told.limit_text):
        raise lab_facts.Broken(f"{where} has to have both 'limit' and 'limit_text', or none of them.")
    at_most = told.at_most is not None
    return Target(f"{lab.number}-{told.key}", lab, told.part_of, told.text, told.at_most if at_most else told.at_least,
                  measure_of(lab, told.measure, at_most), at_most, measure_of(lab, told.limit, at_most, "limit") if told.limit else None,
                  told.limit_text)


@functools.cache
def targets() -> tuple[Target, ...]:
    """All labs'. Raises lab_facts.Broken."""
    return tuple(make_target(lab, said) for lab in labs() for said in lab.results.targets)


def read_reasons(path: pathlib.Path) -> dict[str, str] | None:
    """{key of a target: why it is not met}; None if there is no such file. Raises BrokenFile for a line that is none, or names no target."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    keys = {target.key for target in targets()}
    reasons = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, colon, reason = line.partition(":")
        if not colon or key.strip() not in keys or not reason.strip():
            raise BrokenFile(f"{path}, line {number}: '{key.strip()}' is no target with a reason behind a colon; the targets are "
                             f"{', '.join(sorted(keys))}.")
        reasons[key.strip()] = reason.strip()
    return reasons
