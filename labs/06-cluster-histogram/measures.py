"""What stands beside lab 06's table of floors. Read by plots/floors.py."""
from __future__ import annotations

import math

from comparison import Lab
from floors import LANES, amount, leading_number, number, time_text, wavefront_rate
from measurements import Measurements

BANKS = 32  # of shared memory, 4 bytes each


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


def beside(data: Measurements, lab: Lab) -> list[str]:
    """What the atomics take, those in shared memory and those at the end."""
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
