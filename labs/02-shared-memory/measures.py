"""What stands beside lab 02's table of floors. Read by plots/floors.py."""
from __future__ import annotations

from comparison import Lab
from floors import LANES, amount, number, time_text, wavefront_rate
from measurements import Measurements


def beside(data: Measurements, lab: Lab) -> list[str]:
    """What reading the stencil's window out of shared memory takes, a word a lane."""
    task = lab.tasks[-1]
    sums, rate = amount(data, task, ("rows", "cols")), wavefront_rate(data)
    if sums is None or rate is None:
        return []
    words = 2 * int(task.where["radius"]) + 1
    return [f"- The window of `stencil` in shared memory, a word a lane: {number(sums)} sums x {words} words / {LANES} lanes / {rate[1]} = "
            f"{time_text(sums * words / LANES / rate[0])}."]
