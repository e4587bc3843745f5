"""Lab 05's own rules for the floors of its lab.json. Read by plots/floors.py."""
from __future__ import annotations

import dataclasses

from comparison import Task, matching
from floors import Bytes, Floor, Labs, issue_rate, number


@dataclasses.dataclass(frozen=True)
class Launches:
    """Every int is read once, at the speed of a kernel that only reads as many bytes; then a launch of this kind, at what
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


RULES = {"launches": Launches, "steps": Steps}
