"""The figures that lab 03's more.md quotes, computed from the measurements. Read by plots/figures.py's test."""
from __future__ import annotations

import math

import floors
from comparison import Lab, version
from measurements import Measurements, pick

SLOTS = 13  # instructions of a directed pair, computed by itself
SLOTS_OF_BOTH = 17  # of two directed pairs, computed together
ON_TWO_PIPELINES = 16  # of these: additions and multiplications, one for 32 lanes in a cycle of each scheduler
OPERATIONS = 20  # of a directed pair, by custom
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
    "v8 | each pair once: bodies and their sums go round the lanes": "step-v8_each_pair_once",
    "v9 | eight bodies per lane; sums stored, and added in a fixed order": "step-v9_same_bits",
    "v10 | ten bodies per lane; sums added by atomics": "step-v10_atomic_sums",
    "v11 | nine bodies per lane, three warps per scheduler: operands in both register banks": "step-v11_register_banks",
    "v12 | ten bodies per lane; one force for both, added where it is at hand": "step-v12_one_force",
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

    def allowed(instructions: float) -> float:
        return issued / instructions * 1e-9

    issued, _ = floors.issue_rate(data)
    measured = {row["submission"] for row in data.rows}  # a step may be newer than the run
    known = {head: name for head, name in STEPS.items() if name in measured}
    phrases = [f"| {head} | {rate(name, 270336):,.0f} | {issued * 1e-9 / rate(name, 270336):.1f} | {rate(name, 16384):,.0f} |"
               for head, name in known.items()]
    phrases += [f"would allow {allowed(SLOTS):,.0f} billion directed pairs per second",
                f"allow {allowed(SLOTS_OF_BOTH / 2):,.0f} billion directed pairs per second",
                f"allow {allowed(ON_TWO_PIPELINES / 2):,.0f}"]
    once = max((name for name in known.values()), key=version)
    twice, best = rate("step-v7_full_rounds", 337920), rate(once, 337920)
    phrases.append(f"At 337,920 bodies v7 reaches {twice:,.0f}, which is {twice / allowed(SLOTS):.2f} of that")
    if once != "step-v7_full_rounds":
        name = once.removeprefix("step-").split("_")[0]
        phrases.append(f"{name} reaches {best:,.0f}, which is {best / twice:.2f} times as much and {best / allowed(SLOTS_OF_BOTH / 2):.2f} of the new bound")
    phrases.append(f"{OPERATIONS} operations per directed pair, {best * OPERATIONS / 1000:.0f} TFLOP/s")
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
