"""Lab 01's own measures for the targets of its lab.json, what stands beside its table of floors, and what its steps
quote. Read by plots/targets.py, plots/floors.py and plots/figures.py."""
from __future__ import annotations

from comparison import Lab, version
from measurements import Measurements, copy_speed, pick
from targets import Found, last, ratio_of, values

SECTOR = 32


def worst(ratios: list[Found]) -> Found | None:
    return min(ratios, key=lambda found: found.value, default=None)


def worst_offset(data: Measurements) -> Found | None:
    ratios = []
    for function in ("offset_add_f32", "offset_add_f64"):
        ours = last(values(data, "effective_bandwidth", "offset", function=function))
        if ours and 0 in ours:
            ratios += [ratio_of(at, ours[0]) for at in ours.values()]
    return worst(ratios)


def sectors_apart(data: Measurements) -> dict[int, dict[str, float]]:
    """{distance in bytes: GB/s of the sectors that a copy of single ones moves there, with its interval}"""
    found = values(data, "effective_bandwidth", "stride", function="sectors").get("yardstick", {})
    return {4 * int(distance): at for distance, at in found.items()}


def worst_stride(data: Measurements) -> Found | None:
    """Against a copy of the same sectors. A warp with a stride of s asks for 1/s of the bytes of all sectors, which travel at a
    copy's speed; or, farther apart, for a sector each, and copies of single sectors at the same distance were measured."""
    apart = sectors_apart(data)
    if not apart:
        return None
    ratios = []
    for function, size in (("stride_add_f32", 4), ("stride_add_f64", 8)):
        to_copy, speed = (last(values(data, metric, "stride", function=function)) or {} for metric in ("ratio_to_copy", "effective_bandwidth"))
        for stride, at in to_copy.items():
            distance = int(stride) * size
            if distance < SECTOR:
                ratios.append(Found(at["value"] * stride, at["low"] * stride, at["high"] * stride))
            else:  # of both, useful bytes of all bytes that move: size of a sector's
                useful = {end: apart[distance][end] * size / SECTOR for end in ("value", "low", "high")}
                ratios.append(ratio_of(speed[stride], useful))
    return worst(ratios)


def beside(data: Measurements, lab: Lab) -> list[str]:
    """What the pictures of bandwidth show, in figures; nothing of functions that were not measured."""
    copy = copy_speed(data)
    if not copy:
        return []

    def ratios(function: str, along: str) -> tuple[dict, dict]:
        """The ratios to a copy of the readable solution and of the last step: {place along the sweep: ratio}."""
        found = values(data, "ratio_to_copy", along, function=function)
        return tuple({place: at["value"] for place, at in (ours or {}).items()} for ours in (found.get("solution"), last(found)))

    lines = [f"- A plain copy with 16 bytes per thread moves {copy:,.0f} GB/s. All ratios below are to such a copy, measured in turns "
             "with the kernel."]
    single, wide = ratios("offset_add_f32", "offset")
    if single and wide:
        lines.append(f"- `offset_add_f32` with one float per thread (the solution) reaches {single[0]:.2f} at offset 0 and "
                     f"{min(single.values()):.2f} at the worst offset. With 16 bytes per thread, in pieces that begin at multiples of 256 bytes (v2), "
                     f"the worst offset has {min(wide.values()):.3f}: an offset then costs nothing.")
    double, _ = ratios("offset_add_f64", "offset")
    if double:
        lines.append(f"- `offset_add_f64` with one double per thread reaches {double[0]:.2f}: twice the bytes in flight.")
    strided, _ = ratios("stride_add_f32", "stride")
    if {8, 16, 32} <= strided.keys():
        model = SECTOR // 4
        lines.append(f"- `stride_add_f32` has {strided[8]:.3f} at a stride of 8; the sector model says 1/{model}, {1 / model:.3f}. At a stride of 16 it has "
                     f"{strided[16]:.3f} and at 32 {strided[32]:.3f}, where the model still says {1 / model:.3f}.")
    apart = sectors_apart(data)
    if apart:
        speeds = [f"{apart[distance]['value']:,.0f} GB/s at {distance}" for distance in (32, 64, 128, 256)]
        lines.append(f"- Copying single sectors, with nothing else in between, moves {', '.join(speeds[:-1])} and {speeds[-1]} bytes from one "
                     "to the next.")
    moved, _ = ratios("advance_particles", "offset")
    if moved:
        lines.append(f"- `advance_particles` reaches {moved[0]:.2f}. Of the 44 bytes moved per particle 36 are useful, and 36/44 is "
                     f"{36 / 44:.2f}: mass and charge travel with the rest.")
    columns, split = ratios("column_sums", "offset")
    if columns and split:
        steps = [name for name in values(data, "ratio_to_copy", "offset", function="column_sums") if name.startswith("step-columns_v")]
        lines.append(f"- `column_sums` with one thread per column reaches {columns[0]:.2f}: 16,384 columns keep 16,384 threads at work, too few "
                     f"for this GPU. With the rows split over more threads (v{max(map(version, steps))[0]}) it reaches {split[0]:.2f}.")
    return lines


def quoted_in_steps(data: Measurements, lab: Lab) -> dict[str, str]:
    """{step: what its head says after "Measured"}"""
    def along(submission: str, function: str, column: str, metric: str) -> dict[int, float]:
        return {int(row[column]): float(row["value"]) for row in pick(data.rows, submission=submission, function=function, metric=metric)}

    phrases = {}
    for submission, function in dict.fromkeys((row["submission"], row["function"]) for row in data.rows):
        step = submission.removeprefix("step-")
        if step == submission or function.endswith("_f64"):
            continue
        ratios = along(submission, function, "stride" if function.startswith("stride") else "offset", "ratio_to_copy")
        if function == "offset_add_f32":
            phrases[step] = f"H200, 2^27 floats: {ratios[0]:.2f} of a plain copy at offset 0, {min(ratios.values()):.2f} at the worst offset."
        elif function == "stride_add_f32":
            model = {stride: ratios[stride] * SECTOR / 4 for stride in (16, 32)}
            phrases[step] = (f"H200, floats: at every second sector (stride 16) {model[16]:.2f} of what the sectors would take at a copy's speed, "
                             f"at every fourth (stride 32) {model[32]:.2f}.")
        elif function == "copy_vectorized":
            phrases[step] = f"H200, 2^27 floats, both arrays aligned: {ratios[0]:.2f} of a plain copy."
        elif function == "advance_particles":
            phrases[step] = f"H200, 2^24 particles: {ratios[0]:.2f} of a plain copy. Of 44 bytes that are moved 36 are useful."
        elif function == "column_sums":
            [speed] = along(submission, function, "offset", "effective_bandwidth").values()
            phrases[step] = f"H200, 8,192 x 16,384 floats: {speed:,.0f} GB/s, {ratios[0]:.2f} of a plain copy."
    return phrases
