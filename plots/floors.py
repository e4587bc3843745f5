"""The least time for what each lab computes, and how far from it everybody is: the tables in the handouts. Standard library only.

A floor is a count that pencil and paper give (bytes that have to move, instructions that have to be issued, launches that
have to be made) over a ceiling that the same run measured. Every rule here says its count, with units, and takes the
ceiling from the measurements, so that a table is of one run, whichever card it was on.
"""
from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping

from comparison import TIMES, Entry, Lab, Task, best_peer, entries, first_step, last_step, matching, point_text, solution
from measurements import Measurements

SCHEDULERS, LANES = 4, 32  # of a multiprocessor, each issues one instruction a cycle; of a warp (CUDA Programming Guide, 7.0 and later)
BANKS = 32                 # of shared memory, 4 bytes each
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
    is_read: bool = False  # nothing to speak of is written: lab 04's read of as many bytes is the ceiling, where the bench has a copy

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
    slots: int
    columns: tuple[str, ...]
    counted: float = 1

    def floor(self, labs: Labs, lab: str, task: Task) -> Floor | None:
        elements, rate = amount(labs[lab], task, self.columns), issue_rate(labs[lab])
        if elements is None or rate is None:
            return None
        return Floor(elements * self.slots / rate[0], f"{number(elements)} {self.what} x {self.slots} issue slots / {rate[1]}")


@dataclasses.dataclass(frozen=True)
class Launches:
    """Every int is read once, at the speed that lab 04 measured for a read of as many bytes; then a launch of this kind, at what
    one of a chain of eight took."""

    launch: str = ""   # the submission that made the chain
    kind: str = ""
    columns: tuple[str, ...] = ("size",)
    counted: float = 1

    def floor(self, labs: Labs, lab: str, task: Task) -> Floor | None:
        read = Bytes("read", 4, self.columns, 4, is_read=True).floor(labs, lab, task)
        if read is None or not self.launch:
            return read
        prices = [float(row["value"]) for row in labs[lab].rows
                  if row["submission"] == self.launch and row["function"] == "one launch of a chain of eight"]
        return Floor(read.seconds + prices[0] * 1e-6, f"{read.text}, and {self.kind} of {prices[0]:.3g} µs") if prices else None


def read_speed(labs: Labs, lab: str, size: float) -> float | None:
    """GB/s of a kernel that only reads `size` bytes, in lab 04's sweep (two arrays of n floats), on the same device."""
    other = labs.get("04-dot-product")
    if other is None or other.provenance.get("device") != labs[lab].provenance.get("device"):
        return None
    found = [row for row in other.rows if row["submission"] == "yardstick" and row["function"] == "read" and 8 * float(row["n"]) == size]
    return float(found[0]["value"]) if found else None


@dataclasses.dataclass(frozen=True)
class Steps:
    """The pixels that the rule asks for take so many steps in all, which the bench counted on the CPU; a step is seven additions
    and multiplications, each rounded by itself."""

    slots: int = 7
    columns: tuple[str, ...] = ("size", "size")
    counted: float = 1

    def floor(self, labs: Labs, lab: str, task: Task) -> Floor | None:
        rate = issue_rate(labs[lab])
        found = matching([row for row in labs[lab].rows if row["metric"] == "steps"], task.where)
        if not found or rate is None:
            return None
        steps = float(found[0]["value"])
        return Floor(steps * self.slots / rate[0], f"{number(steps)} steps x {self.slots} issue slots / {rate[1]}")


BOTH = "read and written"
COPY = {"columns": ("n",), "counted": 8}
DOTS = {"columns": ("n",)}
RULES = {  # in the order of the lab's tasks in comparison.py
    "01-coalescing": (
        Bytes(BOTH, 8, **COPY),
        Bytes("a sector read and written for each", 64, **COPY),
        Bytes(BOTH, 8, **COPY),
        Bytes("all 32 read, 12 written", 44, ("n",), counted=36),
        Bytes("read", 4, ("n",), counted=4, is_read=True)),
    "02-shared-memory": (
        Bytes(BOTH, 8, ("rows", "cols"), counted=8),
        Bytes(BOTH, 8, ("rows", "cols"), counted=8),
        Bytes("1,024 doubles and 4,096 chars, read and written", 24_576, ("rows",), counted=24_576),
        Bytes(BOTH, 8, ("cols", "stride"), counted=8),
        Bytes(BOTH, 8, ("rows", "cols"), counted=8)),
    "03-nbody-tiling": (Slots("pairs", 13, ("n", "n")),),
    "04-dot-product": (
        Bytes("read", 8, counted=8, **DOTS),
        Bytes("read", 16, counted=16, **DOTS),
        Bytes("read", 8, counted=8, **DOTS)),
    "05-dynamic-parallelism": (
        Launches(),
        Launches("step-level_v0_tail_launch", "a tail launch"),
        Launches("step-nested_v1_fire_and_forget", "a fire-and-forget launch"),
        Steps()),
    "06-cluster-histogram": (Bytes("read", 4, ("n",), counted=1, weight=4),) * 4,
}


# ---- tables

def seconds_of(entry: Entry, elements: float, counted: float) -> float:
    """What the submission took. Rates are in 10^9 a second of what the bench counts."""
    return entry.value * {"us": 1e-6, "ms": 1e-3, "s": 1.0, "ns": 1e-9}[entry.unit] if entry.unit in TIMES else \
        elements * counted / (entry.value * 1e9)


def task_rows(labs: Labs, lab: Lab, task: Task, rule, label) -> list[list[str]]:
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
            rows.append(["", label(entry.submission) + what, time_text(seconds), share_text(floor.seconds / seconds)])
    return rows


def most_on_one_bank(lanes: int = LANES, banks: int = BANKS) -> float:
    """The turns that a request takes whose lanes are on words in banks at random: on the average, how many are on the fullest bank.

    P(no bank has more than k) is lanes! / banks^lanes times the coefficient of x^lanes in (1 + x + … + x^k / k!)^banks.
    """
    expected = 0.0
    for most in range(lanes):
        ways = [1.0] + [0.0] * lanes  # of x^0 … x^lanes
        for _ in range(banks):
            ways = [sum(ways[i - j] / math.factorial(j) for j in range(min(most, i) + 1)) for i in range(lanes + 1)]
        expected += 1 - ways[lanes] * math.factorial(lanes) / banks**lanes
    return expected


def wavefront_rate(data: Measurements) -> tuple[float, str] | None:
    """Wavefronts of shared memory in a second: one a cycle for each multiprocessor."""
    multiprocessors, clock = leading_number(data, "multiprocessors"), leading_number(data, "SM clock")
    if multiprocessors is None or clock is None:
        return None
    return multiprocessors * clock * 1e6, f"({number(multiprocessors)} x {number(clock)} MHz)"


def window_words(data: Measurements, lab: Lab) -> list[str]:
    """Lab 02: what reading the stencil's window out of shared memory takes, a word a lane."""
    task = lab.tasks[-1]
    sums, rate = amount(data, task, ("rows", "cols")), wavefront_rate(data)
    if sums is None or rate is None:
        return []
    words = 2 * int(task.where["radius"]) + 1
    return [f"- The window of `stencil` in shared memory, a word a lane: {number(sums)} sums x {words} words / {LANES} lanes / {rate[1]} = "
            f"{time_text(sums * words / LANES / rate[0])}."]


def counting(data: Measurements, lab: Lab) -> list[str]:
    """Lab 06: what the atomics take, those in shared memory and those at the end."""
    values, rate = amount(data, lab.tasks[0], ("n",)), wavefront_rate(data)
    multiprocessors = leading_number(data, "multiprocessors")
    if values is None or multiprocessors is None or rate is None:
        return []
    turns = most_on_one_bank()
    lines = [f"- Shared atomics, bins at random: {number(values)} values / {LANES} lanes x {turns:.1f} turns / {rate[1]} = "
             f"{time_text(values / LANES * turns / rate[0])}."]
    bins = [int(nbins) for nbins in dict.fromkeys(task.where["nbins"] for task in lab.tasks)]
    rates = [float(row["value"]) for row in data.rows if row["metric"] == "rate" and row["submission"] == "step-v0_global_atomics"
             and row["values"] == "uniform"]  # 10^9 a second
    if rates:
        times = ", ".join(f"{time_text(multiprocessors * nbins / (max(rates) * 1e9))} with {number(nbins)}" for nbins in bins)
        lines.append(f"- Adding up, where each of {number(multiprocessors)} multiprocessors has counters for all bins: bins x "
                     f"{number(multiprocessors)} additions in global memory. At {max(rates):.0f} billion a second, the most that v0 reached, "
                     f"{times}.")
    return lines


BESIDE = {"02-shared-memory": window_words, "06-cluster-histogram": counting}


def block(labs: Labs, lab: Lab, label, table) -> list[str]:
    """What stands in the lab's handout: a sentence, a table, and what else the lab needs."""
    own = labs[lab.name]
    rows = [row for task, rule in zip(lab.tasks, RULES[lab.name], strict=True) for row in task_rows(labs, lab, task, rule, label)]
    lines = [f"One run on {own.provenance.get('device', 'an unknown device')}, {own.provenance.get('date', 'date unknown')}; the last "
             "column is the floor's part of the time.", "",
             *table(["task", "", "time", "floor / time"], rows, (2, 3))]
    beside = BESIDE[lab.name](own, lab) if lab.name in BESIDE else []
    return lines + (["", *beside] if beside else [])
