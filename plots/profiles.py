"""What Nsight Compute says of the last steps: the file that common/bench/profile_steps.py writes, and its lines on the results page."""
from __future__ import annotations

import csv
import dataclasses
import pathlib
from collections.abc import Callable

from measurements import BrokenFile

COLUMNS = ("lab", "step", "kernel", "metric", "value")
# Our names -> Nsight Compute's.
METRICS = {
    "duration": "gpu__time_duration.sum",
    "SM throughput": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "memory throughput": "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "DRAM throughput": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "issue slots": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "most occupancy": "sm__maximum_warps_per_active_cycle_pct",
    "registers": "launch__registers_per_thread",
    "shared wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "bank conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
}


@dataclasses.dataclass
class Profile:
    provenance: dict[str, str]
    kernels: dict[tuple[str, str], dict[str, dict[str, float]]]  # (lab, step): {kernel: {metric: value}}


def read(path: pathlib.Path) -> Profile | None:
    """The file, or None if there is none. Raises BrokenFile for what is no such file."""
    if not path.exists():
        return None
    provenance: dict[str, str] = {}
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            key, _, value = line[1:].partition(":")
            provenance[key.strip()] = value.strip()
        elif line.strip():
            rows.append((number, next(csv.reader([line]))))
    if not rows or tuple(rows[0][1]) != COLUMNS:
        raise BrokenFile(f"{path}: the header row is not {','.join(COLUMNS)}.")
    kernels: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    for number, cells in rows[1:]:
        try:
            lab, step, kernel, metric, value = cells
            kernels.setdefault((lab, step), {}).setdefault(kernel, {})[metric] = float(value)
        except ValueError:
            raise BrokenFile(f"{path}, line {number}: {','.join(cells)} is not lab, step, kernel, metric and a number.") from None
    return Profile(provenance, kernels)


def percent(numbers: dict[str, float], metric: str) -> str:
    return f"{numbers[METRICS[metric]]:.0f}%" if METRICS[metric] in numbers else "?"


def lines(profile: Profile | None, lab: str, step: str, label: Callable[[str], str]) -> list[str]:
    """Three lines about the step's slowest kernel, or one that says how to get them."""
    kernels = profile.kernels.get((lab, step)) if profile else None
    if not kernels:
        return ["Nsight Compute has not looked at the last step yet: `python3 common/bench/profile_steps.py` on a machine with a GPU and `ncu` "
                "collects throughput, occupancy and conflicts."]
    duration = METRICS["duration"]
    kernel = max(kernels, key=lambda name: kernels[name].get(duration, 0))
    numbers = kernels[kernel]
    time = f", {numbers[duration] / 1000:,.0f} µs" if duration in numbers else ""
    registers = f", {numbers[METRICS['registers']]:.0f} registers per thread" if METRICS["registers"] in numbers else ""
    wavefronts, conflicts = (numbers.get(METRICS[name]) for name in ("shared wavefronts", "bank conflicts"))
    if wavefronts is None or conflicts is None:
        shared = "not collected"
    elif wavefronts == 0:
        shared = "no access to shared memory"
    else:
        shared = f"{conflicts:,.0f} of {wavefronts:,.0f} wavefronts of shared memory ({100 * conflicts / wavefronts:.1f}%) are due to bank conflicts"
    return [f"Nsight Compute on the last step, {label(step)} (kernel `{kernel}`{time} under the profiler):", "",
            f"- Throughput, of the peak: multiprocessors {percent(numbers, 'SM throughput')}, memory {percent(numbers, 'memory throughput')}, "
            f"DRAM {percent(numbers, 'DRAM throughput')}; issue slots {percent(numbers, 'issue slots')}.",
            f"- Occupancy: {percent(numbers, 'occupancy')} of the warps that fit, of {percent(numbers, 'most occupancy')} possible{registers}.",
            f"- Conflicts: {shared}."]
