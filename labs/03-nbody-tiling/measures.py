"""The figures that lab 03's more.md quotes, computed from the measurements. Read by plots/figures.py's test."""
from __future__ import annotations

import math

from comparison import Lab
from measurements import Measurements, pick

SLOTS = 13  # instructions of a pair
OPERATIONS = 20  # of a pair, by custom
#: The rows of the table of steps, up to the first figure, and the submission that each is about.
STEPS = {
    "v0 | no tile: each body from global memory, that is, from the L1 cache": "step-v0_global",
    "v1 | a tile in shared memory": "step-v1_tile",
    "v2 | inner loop unrolled": "step-v2_unroll",
    "| the readable solution": "solution",
    "v3 | the hardware's own reciprocal root": "step-v3_approximate_root",
    "v4 | four bodies per thread": "step-v4_bodies_per_thread",
    "v5 | two tiles used in turns, one barrier": "step-v5_two_buffers",
    "v6 | the tiles split over several blocks": "step-v6_split_the_tiles",
    "v7 | full rounds: the host computes which grid is best": "step-v7_full_rounds",
}


def errors(data: Measurements, method: str, dt: float) -> list[float]:
    """The relative error of the energy of the single sphere, over time."""
    return [abs(float(row["value"])) for row in pick(data.rows, metric="energy_error", function=method) if float(row["dt"]) == dt]


def root_mean_square(values: list[float]) -> float:
    return math.sqrt(sum(value * value for value in values) / len(values))


def quoted(data: Measurements, lab: Lab) -> list[str]:
    """The phrases with measured figures."""
    def rate(submission: str, n: int) -> float:
        [row] = pick(data.rows, submission=submission, function="accelerations", metric="interactions", n=str(n))
        return float(row["value"])

    [bound] = [float(row["value"]) for row in pick(data.rows, submission="yardstick", metric="interactions")]
    phrases = [f"| {head} | {rate(name, 270336):,.0f} | {SLOTS * bound / rate(name, 270336):.1f} | {rate(name, 16384):,.0f} |"
               for head, name in STEPS.items()]
    best = rate("step-v7_full_rounds", 337920)
    phrases += [f"would allow {bound:,.0f} billion pairs per second",
                f"At 337,920 bodies v7 reaches {best:,.0f}, which is {best / bound:.2f} of that",
                f"{OPERATIONS} operations per pair, {best * OPERATIONS / 1000:.0f} TFLOP/s"]
    if all(rate("step-v4_bodies_per_thread", n) < rate("step-v3_approximate_root", n) for n in (16384, 32768, 65536)) and \
            rate("step-v4_bodies_per_thread", 131072) > rate("step-v3_approximate_root", 131072):
        phrases.append("up to 65,536 bodies v4 is slower than v3")
    if rate("step-v1_tile", 270336) < rate("step-v0_global", 270336):
        phrases.append("v1 is no faster than v0")
    euler, whole, half = errors(data, "Euler", 1 / 32), errors(data, "leapfrog", 1 / 16), errors(data, "leapfrog", 1 / 32)
    phrases += [f"Euler's method has gained {100 * euler[-1]:.0f}% of the energy by time 16",
                f"stays below {math.ceil(1e6 * max(half)) / 1e4:.4f}%",
                f"at dt = 1/16 it is {root_mean_square(whole) / root_mean_square(half):.1f} times as large"]
    return phrases
