"""What stands beside lab 06's table of floors, read by plots/floors.py, the limits of its targets, read by plots/targets.py, and the
figures that its more.md quotes."""
from __future__ import annotations

import math
import re

from comparison import Lab, version
from floors import LANES, amount, leading_number, number, time_text, wavefront_rate
from measurements import Measurements, pick
from targets import Found, values

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


def _reading(data: Measurements, spread: str) -> Found | None:
    """How many times as fast a kernel is that only reads as the best of those that the target names, with 65,536 bins or more where
    that is least."""
    peers = [points for name, points in values(data, "ratio_to_read", "nbins", function="histogram", values=spread).items()
             if name.startswith(("peer-", "step-v0_global_atomics", "step-v2_cluster"))]
    ratios = []
    for nbins in {nbins for points in peers for nbins in points if nbins >= 65536}:
        best = max((points[nbins] for points in peers if nbins in points), key=lambda at: at["value"])
        ratios.append(Found(best["value"], best["low"], best["high"]).inverse())
    return min(ratios, key=lambda found: found.value, default=None)


def limit_of_uniform(data: Measurements) -> Found | None:
    return _reading(data, "uniform")


def limit_of_skewed(data: Measurements) -> Found | None:
    return _reading(data, "skewed")


def quoted(data: Measurements, lab: Lab) -> list[str]:
    """The phrases of more.md with measured figures."""
    def value(submission: str, nbins: int, metric: str = "rate", function: str = "histogram", size: int | None = None) -> float:
        [found] = {float(row["value"]) for row in pick(data.rows, submission=submission, nbins=str(nbins), metric=metric, function=function,
                                                       values="uniform") if size is None or int(row["cluster_size"]) == size}
        return found

    small = [f"{value(name, 2048, 'ratio_to_read'):.2f}" for name in ("solution", "step-v1_shared_memory")]
    phrases = [f"4 bytes per load reach {small[0]} to {small[1]} of a kernel that only reads",
               f"two loads in flight {value('step-v3_sixteen_byte_loads', 2048, 'ratio_to_read'):.2f} (v3)",
               f"queue up: {value('step-v0_global_atomics', 256):.1f} billion values per second with 256 bins",
               f"{value('solution', 65536, function='histogram_cluster', size=2):.0f} billion values per second with 65,536 bins in clusters of 2, "
               f"{value('solution', 65536, function='histogram_cluster', size=16):.0f} billion in clusters of 16"]
    if all(value("step-v0_global_atomics", nbins) > value("step-v2_cluster", nbins) for nbins in (262144, 524288)):
        phrases.append("From 262,144 bins on, with values spread evenly, plain global atomics are *faster* than a cluster")
    last = max((row["submission"] for row in data.rows if row["submission"].startswith("step-")), key=version)
    atomics = "step-v0_global_atomics"
    best_peer = {nbins: max(value("peer-cub", nbins), value("peer-cub_in_range", nbins)) for nbins in (262144, 524288)}
    phrases.append(f"Step {re.match(r'step-(v[0-9]+)', last).group(1)} counts {value(last, 262144):.0f} billion values per second into 262,144 bins and {value(last, 524288):.0f} billion into 524,288: "
                   f"{value(last, 262144) / value(atomics, 262144):.1f} and {value(last, 524288) / value(atomics, 524288):.1f} times what global atomics "
                   f"reach, and more than {10 * math.floor(min(value(last, nbins) / best_peer[nbins] for nbins in best_peer) / 10):.0f} times what CUB reaches")
    return phrases
