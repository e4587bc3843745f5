"""Lab 01's own measures for the targets of its lab.json. Read by plots/targets.py."""
from __future__ import annotations

from measurements import Measurements
from targets import last, values

SECTOR = 32


def worst_offset(data: Measurements) -> float | None:
    ratios = []
    for function in ("offset_add_f32", "offset_add_f64"):
        ours = last(values(data, "effective_bandwidth", "offset", function=function))
        if ours and 0 in ours:
            ratios += [at["value"] / ours[0]["value"] for at in ours.values()]
    return min(ratios, default=None)


def worst_stride(data: Measurements) -> float | None:
    """Against whole sectors at a copy's speed: a warp with a stride of s asks for 1/s of the bytes, or a sector each."""
    ratios = []
    for function, size in (("stride_add_f32", 4), ("stride_add_f64", 8)):
        ours = last(values(data, "ratio_to_copy", "stride", function=function))
        ratios += [at["value"] / max(1 / stride, size / SECTOR) for stride, at in (ours or {}).items()]
    return min(ratios, default=None)
