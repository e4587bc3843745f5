"""The least time for what each lab computes, and how far from it each step is: the tables in the labs' pages. Standard library only.

A floor is a count that pencil and paper give (bytes that have to move, instructions that have to be issued, launches that
have to be made) over a ceiling that the same run measured. Every rule here says its count, with units, and takes the
ceiling from the measurements, so that a table is of one run, whichever card it was on.
"""
from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Mapping

import comparison
from comparison import TIMES, Entry, Lab, Task, best_peer, entries, first_step, lab_facts, last_step, matching, point_text, solution
from measurements import Measurements

SCHEDULERS, LANES = 4, 32  # of a multiprocessor, each issues one instruction a cycle; of a warp (CUDA Programming Guide, 7.0 and later)
Labs = Mapping[str, Measurements]  # by the lab's name


@dataclasses.dataclass(frozen=True)
class Floor:
    """The least time in seconds, and the sum that gives it."""

    seconds: float
    text: str


# ---- numbers in words

def number(value: float) -> str:
    return f"{value:,.0f}"


def time_text(seconds: float) -> str:
    """0.0444 -> 44.4 ms; 0.000504 -> 504 µs; 0.0000249 -> 24.9 µs"""
    value, unit = (seconds * 1e3, "ms") if seconds >= 1e-2 else (seconds * 1e6, "µs")
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def share_text(share: float) -> str:
    """0.966 -> 0.97; 0.00102 -> 1/983"""
    return f"{share:.2f}" if share >= 0.01 else f"1/{number(1 / share)}"


# ---- what a run says of its machine

def leading_number(data: Measurements, key: str) -> float | None:
    """1980 of `# SM clock: 1980 MHz measured`"""
    found = re.match(r"[\d.]+", data.provenance.get(key, ""))
    return float(found[0]) if found else None


def issue_rate(data: Measurements) -> tuple[float, str] | None:
    """Instructions for one lane that the device can issue in a second: each scheduler one a cycle, for the lanes of a warp."""
    multiprocessors, clock = leading_number(data, "multiprocessors"), leading_number(data, "SM clock")  # clock in MHz
    if multiprocessors is None or clock is None:
        return None
    rate = multiprocessors * SCHEDULERS * LANES * clock * 1e6
    return rate, f"({number(multiprocessors)} x {SCHEDULERS} x {LANES} x {number(clock)} MHz)"


def rows_of(data: Measurements, task: Task) -> list[dict[str, str]]:
    return matching([row for row in data.rows if row["metric"] == task.metric], task.where)


def amount(data: Measurements, task: Task, columns: tuple[str, ...]) -> float | None:
    """The product of these columns at the task's point: how many elements, pairs or words."""
    rows = rows_of(data, task)
    return math.prod(float(rows[0][column]) for column in columns) if rows else None


# ---- rules: what has to happen, over which ceiling

@dataclasses.dataclass(frozen=True)
class Bytes:
    """So many bytes must move for each element, at the speed that a copy or a read of as many bytes had in turns with the last
    step: its bandwidth over its ratio to that ceiling. `counted` is what the bench's rate counts for an element (bytes, or 1 of
    Gelem/s), and `weight` the bytes behind one unit of that rate."""

    what: str
    moved: float
    columns: tuple[str, ...]
    counted: float
    weight: float = 1
    is_read: bool = False  # nothing to speak of is written: a read of as many bytes is the ceiling, where the bench has a copy

    def floor(self, labs: Labs, lab: str, task: Task) -> Floor | None:
        elements = amount(labs[lab], task, self.columns)
        if elements is None:
            return None
        speed = read_speed(labs, lab, elements * self.moved) if self.is_read else self.in_turns(labs[lab], task)
        if speed is None:
            return None
        return Floor(elements * self.moved / (speed * 1e9), f"{number(elements)} x {number(self.moved)} B ({self.what}) at {number(speed)} GB/s")

    def in_turns(self, data: Measurements, task: Task) -> float | None:
        """GB/s"""
        last = last_step(entries(data, task))
        return last.value / last.to_ceiling * self.weight if last and last.to_ceiling else None


@dataclasses.dataclass(frozen=True)
class Slots:
    """So many instructions must be issued for each element, at one a cycle for each of a multiprocessor's schedulers."""

    what: str
    slots: float
    columns: tuple[str, ...]
    counted: float = 1

    def floor(self, labs: Labs, lab: str, task: Task) -> Floor | None:
        elements, rate = amount(labs[lab], task, self.columns), issue_rate(labs[lab])
        if elements is None or rate is None:
            return None
        return Floor(elements * self.slots / rate[0], f"{number(elements)} {self.what} x {self.slots} issue slots / {rate[1]}")


def read_speed(labs: Labs, lab: str, size: float) -> float | None:
    """GB/s of a kernel that only reads `size` bytes, in the sweep of a lab that measured such a kernel on the same device."""
    for other in comparison.labs():
        data = labs.get(other.name)
        if data is None or not other.results.read_bytes or data.provenance.get("device") != labs[lab].provenance.get("device"):
            continue
        for row in data.rows:
            if row["submission"] == "yardstick" and row["function"] == "read" and other.results.read_bytes * float(row["n"]) == size:
                return float(row["value"])
    return None


RULES = {"bytes": Bytes, "slots": Slots}


@functools.cache
def rules_of(lab: Lab) -> tuple:
    """The rule of each of the lab's tasks. Raises lab_facts.Broken."""
    known = {**RULES, **getattr(lab.measures, "RULES", {})}
    rules = []
    for task in lab.tasks:
        said = dict(task.floor)
        where = f"{lab.folder / lab_facts.FILE}, floor of '{task.text}'"
        name = said.pop("rule", "")
        if name not in known:
            raise lab_facts.Broken(f"{where}: the rule is '{name}', not one of {', '.join(known)}.")
        rules.append(lab_facts.make(known[name], said, where))
    return tuple(rules)


# ---- tables

def seconds_of(entry: Entry, elements: float, counted: float) -> float:
    """What the submission took. Rates are in 10^9 per second of what the bench counts."""
    return entry.value * {"us": 1e-6, "ms": 1e-3, "s": 1.0, "ns": 1e-9}[entry.unit] if entry.unit in TIMES else \
        elements * counted / (entry.value * 1e9)


def task_rows(labs: Labs, lab: Lab, task: Task, rule) -> list[list[str]]:
    """Task, who, time, share of the time that the floor is; nothing of a task that was not measured."""
    own = labs[lab.name]
    found = entries(own, task)
    if not found:
        return []
    floor, elements = rule.floor(labs, lab.name, task), amount(own, task, rule.columns)
    if floor is None or elements is None:
        return [[point_text(own, task), "**floor**: not in these measurements", "-", "-"]]
    last, peer = last_step(found), best_peer(found)
    shown = [(first_step(found), ""), (solution(found), ""), (last, " (last step)"), (peer, " (best peer)")]
    rows = [[point_text(own, task), f"**floor**: {floor.text}", time_text(floor.seconds), "1"]]
    for place, (entry, what) in enumerate(shown):
        if entry is not None and (place > 0 or entry is not last):
            seconds = seconds_of(entry, elements, rule.counted)
            rows.append(["", lab.label(entry.submission) + what, time_text(seconds), share_text(floor.seconds / seconds)])
    return rows


def wavefront_rate(data: Measurements) -> tuple[float, str] | None:
    """Wavefronts of shared memory in a second: one a cycle for each multiprocessor."""
    multiprocessors, clock = leading_number(data, "multiprocessors"), leading_number(data, "SM clock")
    if multiprocessors is None or clock is None:
        return None
    return multiprocessors * clock * 1e6, f"({number(multiprocessors)} x {number(clock)} MHz)"


def block(labs: Labs, lab: Lab, table) -> list[str]:
    """What stands in the lab's more.md: a sentence, a table, and what else the lab's measures.py has `beside` it."""
    own = labs[lab.name]
    rows = [row for task, rule in zip(lab.tasks, rules_of(lab)) for row in task_rows(labs, lab, task, rule)]
    lines = [f"One run on {own.provenance.get('device', 'an unknown device')}, {own.provenance.get('date', 'date unknown')}; the last "
             "column is the floor's part of the time.", "",
             *table(["task", "", "time", "floor / time"], rows, (2, 3))]
    beside = lab.measures.beside(own, lab) if hasattr(lab.measures, "beside") else []
    return lines + (["", *beside] if beside else [])
