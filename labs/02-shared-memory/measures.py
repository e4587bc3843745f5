"""What stands beside lab 02's table of floors, the limits of its targets, and the figures that its more.md quotes. Read by
plots/floors.py, plots/targets.py and plots/figures.py."""
from __future__ import annotations

from comparison import Lab, listed
from floors import LANES, amount, number, time_text, wavefront_rate
from measurements import Measurements
from targets import Found, ratio_of, values


def beside(data: Measurements, lab: Lab) -> list[str]:
    """What reading the stencil's window out of shared memory takes, a word per lane."""
    task = lab.tasks[-1]
    sums, rate = amount(data, task, ("rows", "cols")), wavefront_rate(data)
    if sums is None or rate is None:
        return []
    words = 2 * int(task.where["radius"]) + 1
    return [f"- The window of `stencil` in shared memory, a word per lane: {number(sums)} sums x {words} words / {LANES} lanes / {rate[1]} = "
            f"{time_text(sums * words / LANES / rate[0])}."]


def _tiles(data: Measurements, submission: str, function: str) -> Found | None:
    """Tiles that are moved and not turned, to what else was measured for as many bytes: times as fast."""
    def largest(name: str, of: str) -> dict | None:
        found = values(data, "effective_bandwidth", "rows", function=of, rows="largest", cols="=rows").get(name, {})
        return next(iter(found.values()), None)

    moved, other = largest("yardstick", "tiles"), largest(submission, function)
    return ratio_of(moved, other) if moved and other else None


def limit_to_copy(data: Measurements) -> Found | None:
    return _tiles(data, "yardstick", "copy")


def limit_to_cublas(data: Measurements) -> Found | None:
    return _tiles(data, "peer-cublas_sgeam", "transpose")


def _along(data: Measurements, function: str, step: str, column: str, metric: str = "effective_bandwidth") -> dict[int, float]:
    """{value of the column: the metric} of the step whose name begins so."""
    return {int(row[column]): float(row["value"]) for row in data.rows
            if row["function"] == function and row["submission"].startswith(step) and row["metric"] == metric}


def _ratios(ours: dict[int, float], theirs: dict[int, float]) -> dict[int, float]:
    return {at: ours[at] / theirs[at] for at in sorted(ours)}


def _runs(numbers: list[int]) -> str:
    """[1, 2, 3, 5] as "1 to 3 and 5"."""
    runs: list[list[int]] = []
    for each in numbers:
        if runs and each == runs[-1][-1] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    return listed([f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs])


def quoted(data: Measurements, lab: Lab) -> list[str]:
    gathers = {word: [_along(data, f"gather_strided_{word}", f"step-gather_v{step}_", "stride") for step in range(4)] for word in ("f32", "f64")}
    conflicts = {word: _ratios(steps[1], steps[3]) for word, steps in gathers.items()}
    others = {word: min(ratio for stride, ratio in ratios.items() if stride not in (16, 32)) for word, ratios in conflicts.items()}
    odd = max(ratio for stride, ratio in conflicts["f32"].items() if stride % 2)
    cached = [stride for stride, ratio in _ratios(gathers["f32"][0], gathers["f32"][3]).items() if ratio > 1]
    sums = [_along(data, "stencil", f"step-stencil_v{step}_", "radius") for step in range(3)]
    window, shared = _ratios(sums[1], sums[0]), _ratios(sums[2], sums[1])
    far = [ratio for radius, ratio in shared.items() if radius >= 64]
    tiles = {name: _along(data, "transpose", name, "cols", "ratio_to_copy")[16384]
             for name in ("step-transpose_v0", "step-transpose_v1", "step-transpose_v2", "step-transpose_v4", "step-transpose_v5", "peer-cublas_sgeam")}
    pieces = [max(_along(data, "reverse_blocks", f"step-reverse_v{step}", "cols", "ratio_to_copy").values()) for step in (1, 2)]
    f32, f64 = conflicts["f32"], conflicts["f64"]
    later = []  # of steps that older measurements lack
    fewer = _along(data, "transpose", "step-transpose_v6", "cols", "ratio_to_copy")
    if fewer:
        later.append(f"Fewer blocks at work at the same time bring {fewer[16384]:.3f} (step 5: {tiles['step-transpose_v5']:.3f})")
    rows = [max(_along(data, "two_arrays", f"step-arrays_v{step}", "cols", "ratio_to_copy").values(), default=0) for step in (2, 3)]
    if rows[1]:
        later.append(f"`two_arrays` goes from {rows[0]:.2f} to {rows[1]:.2f} of a copy with a block for every row")
    of_sums, near = (_along(data, "stencil", "step-stencil_v3", "radius", metric) for metric in ("effective_bandwidth", "ratio_to_copy"))
    if near:
        faster = _ratios(of_sums, sums[2])
        later.append(f"It reaches {near[16]:.2f} of a copy at radius 16 (step 2: "
                     f"{_along(data, 'stencil', 'step-stencil_v2', 'radius', 'ratio_to_copy')[16]:.2f}), and at 1,024 it is {faster[1024]:.0f} times as "
                     "fast as step 2")
    return later + [f"reaches {f32[16]:.2f} of the bandwidth of step 3, which has none, at stride 16 (16 ways) and {f32[32]:.2f} at stride 32 (32 ways)",
            f"With words of 8 bytes it is {f64[16]:.2f} and {f64[32]:.2f} (16 ways both)",
            f"reaches at least {others['f32']:.2f} of step 3 with words of 4 bytes, and {others['f64']:.2f} with words of 8",
            f"is there up to {odd:.1f} times as fast as step 3", f"is faster than step 3 at strides {_runs(cached)}",
            f"Up to radius {max(radius for radius, ratio in window.items() if ratio <= 1)} the cache serves",
            f"At radius 64 the window is {window[64]:.1f} times as fast, at 1,024 {window[1024]:.1f} times",
            f"it is {min(far):.1f} to {max(far):.1f} times as fast as step 1",
            f"reaches {tiles['step-transpose_v0']:.2f} of a copy without a tile, {tiles['step-transpose_v1']:.2f} with a tile and conflicts, "
            f"{tiles['step-transpose_v2']:.2f} without conflicts, and {tiles['step-transpose_v4']:.2f} with 16 bytes per access; `cublasSgeam` "
            f"reaches {tiles['peer-cublas_sgeam']:.2f}",
            f"Counting the tiles down the columns brought {tiles['step-transpose_v5']:.2f}",
            f"goes from {pieces[0]:.2f} to {pieces[1]:.2f} of a copy with 16 bytes per thread"]


def quoted_in_steps(data: Measurements, lab: Lab) -> dict[str, str]:
    """{step: what its head says after "Measured"}"""
    phrases = {}
    for row in data.rows:
        step, function = row["submission"].removeprefix("step-"), row["function"]
        if row["submission"] == step or step in phrases:
            continue
        if function.startswith("gather_strided"):
            speed = _along(data, "gather_strided_f32", row["submission"], "stride")
            phrases[step] = f"H200, 4-byte words, stride 4, 16 and 32: {speed[4]:,.0f}, {speed[16]:,.0f} and {speed[32]:,.0f} GB/s"
        elif function == "stencil":
            speed = _along(data, function, row["submission"], "radius")
            phrases[step] = f"H200, 2^24 floats, radius 1, 64 and 1024: {speed[1]:,.0f}, {speed[64]:,.0f} and {speed[1024]:,.0f} GB/s"
        else:
            ratio = _along(data, function, row["submission"], "cols", "ratio_to_copy")
            what, at = {"transpose": ("16384 x 16384", 16384), "reverse_blocks": ("2^27 ints", max(ratio)),
                        "two_arrays": ("rows of 1024 doubles and 4096 chars", max(ratio))}[function]
            phrases[step] = f"H200, {what}: {ratio[at]:.2f} of a plain copy"
    return phrases
