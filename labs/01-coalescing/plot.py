"""Lab 01: what misaligned and strided access costs, and how near the steps come to a plain copy.

From a GPU's measurements: GB/s against the offset and against the stride, and every step's ratio to the copy.
From the simulator's: how many times each needed sector was asked for, against the offset and of each step of the other
functions; and sectors per request against the stride.
"""
from __future__ import annotations

import pathlib
import re
import sys

from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator

import style
from measurements import BrokenFile, Measurements, copy_speed, least_of

BYTES = {"f32": 4, "f64": 8}
NAMES = {"f32": "float", "f64": "double"}
SECTOR = 32
WARP = 32
# Of a particle's 32 bytes 24 are needed, and 12 are written.
NOTES = {"advance_particles": "36 of the 44 bytes that move are useful: 0.82"}


def function_of(row: dict[str, str]) -> str:
    """The function's name without its precision."""
    return re.sub(r"_(f32|f64)$", "", row["function"])


def pick(rows: list[dict[str, str]], **wanted: str) -> list[dict[str, str]]:
    return [row for row in rows if all((function_of(row) if key == "function" else row[key]) == value
                                       for key, value in wanted.items())]


def lines_of(axes, rows: list[dict[str, str]], along: str, value=lambda row: float(row["value"])) -> list[tuple[object, str]]:
    """One line per submission; lines that would lie on each other are drawn once, under all their names."""
    lines = {submission: sorted((float(row[along]), value(row)) for row in rows if row["submission"] == submission)
             for submission in dict.fromkeys(row["submission"] for row in rows)}
    groups = style.shared_lines(lines)
    drawn = []
    for index, (points, names) in enumerate(groups):
        line, = axes.plot(*zip(*points), **style.line_style(index, len(groups)))
        drawn.append((line, style.shared_label(names)))
    return drawn


def panels(rows: list[dict[str, str]], function: str, along: str):
    """A figure with a panel for each precision: (figure, [(axes, precision, rows)])."""
    precisions = [precision for precision in BYTES if pick(rows, function=function, precision=precision)]
    figure, grid = style.plt.subplots(1, len(precisions), squeeze=False, sharey=True,
                                      figsize=(1.0 + 4.9 * len(precisions), 4.3))
    parts = []
    for axes, precision in zip(grid[0], precisions):
        axes.set_title(f"{function}_{precision} ({NAMES[precision]})", loc="left")
        axes.set_xlabel(f"{along} (elements)")
        axes.xaxis.set_major_locator(MaxNLocator(nbins=9, integer=True, steps=[1, 2, 4, 8, 10]))
        parts.append((axes, precision, pick(rows, function=function, precision=precision)))
    return figure, parts


def horizontal(axes, value: float, last: float) -> object:
    """A thin dashed line over the whole panel."""
    line, = axes.plot([0, last], [value, value], **style.IDEAL)
    return line


def last_of(rows: list[dict[str, str]], along: str) -> float:
    return max(float(row[along]) for row in rows)


def bandwidth_over_offset(measurements: Measurements, rows: list[dict[str, str]]):
    figure, parts = panels(rows, "offset_add", "offset")
    copy = copy_speed(measurements)
    labelled = {}
    for axes, _, own in parts:
        labelled[axes] = lines_of(axes, own, "offset")
        if copy:
            labelled[axes].append((horizontal(axes, copy, last_of(own, "offset")), f"copy, 16 B per thread: {copy:,.0f}"))
    parts[0][0].set_ylabel("effective bandwidth (GB/s)")
    parts[0][0].set_ylim(0, 1.1 * max([float(row["value"]) for row in rows] + [copy or 0]))
    style.title(figure, "What a misaligned beginning costs",
                "a[i + offset] += 1. GB/s (10^9 bytes per second) count each element as read once and written once. "
                "Submissions that differ by less than 2% share a line. The last step lies on the line of the copy where it is as fast.")
    return figure, labelled


def bandwidth_over_stride(measurements: Measurements, rows: list[dict[str, str]]):
    figure, parts = panels(rows, "stride_add", "stride")
    copy = copy_speed(measurements)
    labelled = {}
    for axes, precision, own in parts:
        labelled[axes] = lines_of(axes, own, "stride")
        strides = sorted({float(row["stride"]) for row in own})
        full = copy or max(float(row["value"]) for row in own if float(row["stride"]) == strides[0])
        model = [full * max(1 / stride, BYTES[precision] / SECTOR) for stride in strides]
        line, = axes.plot(strides, model, **style.IDEAL)
        labelled[axes].append((line, f"model: copy x max(1/s, {BYTES[precision]}/32)"))
        apart = {4 * float(row["stride"]) / BYTES[precision]: float(row["value"]) * BYTES[precision] / SECTOR for row in measurements.rows
                 if (row["submission"], row["function"], row["metric"]) == ("yardstick", "sectors", "effective_bandwidth")}
        measured = [stride for stride in strides if stride in apart]
        if measured:
            line, = axes.plot(measured, [apart[stride] for stride in measured], **{**style.IDEAL, "linestyle": ":"})
            labelled[axes].append((line, "measured: copy of single sectors"))
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.xaxis.set_major_locator(FixedLocator([1, 2, 4, 8, 16, 32]))
        axes.xaxis.set_minor_locator(NullLocator())
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
            axis.set_minor_formatter(NullFormatter())
    parts[0][0].set_ylabel("effective bandwidth (GB/s)")
    style.title(figure, "What a stride costs",
                "a[i * stride] += 1. The model: whole 32-byte sectors move, at the speed of a copy, and only the "
                "elements asked for count. Where the model is flat, the measured lines still fall: sectors that lie apart are slower. "
                "Where lines meet, the steps are equally fast.")
    return figure, labelled


def steps_against_copy(measurements: Measurements, rows: list[dict[str, str]]):
    """Horizontal bars: every submission's ratio to the copy at offset 0 and stride 1."""
    rows = [row for row in rows if float(row["offset"]) == 0 and float(row["stride"]) == 1]
    speeds = {(row["submission"], row["function"]): float(row["value"]) for row in measurements.rows
              if row["metric"] == "effective_bandwidth" and float(row["offset"]) == 0 and float(row["stride"]) == 1}
    order = list(dict.fromkeys(function_of(row) for row in rows))  # both precisions of a function beside each other
    functions = sorted(dict.fromkeys(row["function"] for row in rows),
                       key=lambda name: (order.index(function_of({"function": name})), name))
    places, names, heads, at = [], [], [], 0.0
    for function in functions:
        heads.append((at, function))
        at += 1.0
        for row in [row for row in rows if row["function"] == function]:
            places.append((at, row))
            names.append((at, style.submission_label(row["submission"])))
            at += 1.0
        at += 0.5
    figure, axes = style.ratio_figure(at)
    largest = max([1.0] + [float(row["value"]) for _, row in places])
    for place, row in places:
        style.ratio_bar(axes, place, float(row["value"]), speeds.get((row["submission"], row["function"])), largest,
                        row["submission"])
    for place, function in heads:
        style.ratio_heading(axes, place, function + (f"   ({NOTES[function]})" if function in NOTES else ""))
    style.ratio_axes(axes, names, at, largest, "effective bandwidth as a ratio to the copy with 16 bytes per thread, measured in turns with it")
    style.title(figure, "How near the steps come to a plain copy",
                "Hatched: the readable solution. The dashed line is the copy.")
    return figure, None


def over_stride(measurements: Measurements, rows: list[dict[str, str]]):
    """Sectors per request against the stride. All submissions have requests of one size, so heights can be compared."""
    figure, parts = panels(rows, "stride_add", "stride")
    labelled = {}
    for axes, precision, own in parts:
        labelled[axes] = lines_of(axes, own, "stride")
        neighbours = WARP * BYTES[precision] // SECTOR
        labelled[axes].append((horizontal(axes, neighbours, last_of(own, "stride")), f"neighbouring elements: {neighbours}"))
        axes.yaxis.set_major_locator(MaxNLocator(nbins=9, integer=True, steps=[1, 2, 4, 8, 10]))
    parts[0][0].set_ylabel("sectors per load request")
    parts[0][0].set_ylim(0, 1.12 * max(float(row["value"]) for row in rows))
    style.title(figure, "Sectors that a stride adds",
                "Fewer is better. A request is one load of one warp; a sector is 32 bytes. From one element per sector on, each lane has its own.")
    return figure, labelled


def repeats(row: dict[str, str]) -> float:
    """How many times a load asked for each sector that its elements lie in, on average. 1 is the least, for requests of any size."""
    return float(row["value"]) / least_of(row)


def repeats_over_offset(measurements: Measurements, rows: list[dict[str, str]]):
    figure, parts = panels(rows, "offset_add", "offset")
    labelled = {axes: lines_of(axes, own, "offset", repeats) for axes, _, own in parts}
    parts[0][0].set_ylabel("sectors asked for, per sector needed")
    parts[0][0].set_ylim(0.9, 1.05 * max(1.2, *(repeats(row) for row in rows)))
    style.title(figure, "Sectors that a misaligned beginning adds",
                "Fewer is better; 1 is the least. Off a boundary, neighbouring warps share a sector and both ask for it. "
                "Submissions that differ by less than 2% share a line.")
    return figure, labelled


def repeats_of_steps(measurements: Measurements, rows: list[dict[str, str]]):
    """Horizontal bars: what every submission of the other functions asks for, at one size."""
    functions = list(dict.fromkeys(row["function"] for row in rows))
    places, at = [], 0.0
    names, heads = [], []
    for function in functions:
        heads.append((at, function))
        at += 1.0
        for row in [row for row in rows if row["function"] == function]:
            places.append((at, row))
            names.append((at, style.submission_label(row["submission"])))
            at += 1.0
        at += 0.5
    figure, axes = style.ratio_figure(at)
    largest = max(repeats(row) for row in rows)
    for place, row in places:
        style.ratio_bar(axes, place, repeats(row), None, largest, row["submission"])
    for place, function in heads:
        style.ratio_heading(axes, place, function)
    style.ratio_axes(axes, names, at, largest, "sectors asked for by loads, per sector needed")
    axes.xaxis.set_major_locator(MaxNLocator(nbins=9, integer=True))
    style.title(figure, "How often each sector is asked for",
                "Shorter is better; the dashed line, 1, is the least. Hatched: the readable solution.")
    return figure, None


def draw(measurements: Measurements, path: pathlib.Path) -> dict:
    measurements.need(path, numeric=("offset", "stride", "n"), text=("precision",))
    unknown = next((row for row in measurements.rows if row["precision"] not in BYTES), None)
    if unknown:
        raise BrokenFile(f"{path}, line {unknown['line']}: the precision is '{unknown['precision']}', not f32 or f64.")
    figures = {}
    loads = pick(measurements.rows, metric="sectors_per_request_load")
    known = [row for row in loads if least_of(row)]
    for along, draw_one, rows in (
            ("offset", bandwidth_over_offset, pick(measurements.rows, metric="effective_bandwidth", function="offset_add")),
            ("stride", bandwidth_over_stride, pick(measurements.rows, metric="effective_bandwidth", function="stride_add")),
            ("offset", repeats_over_offset, pick(known, function="offset_add")),
            ("stride", over_stride, pick(loads, function="stride_add"))):
        if len({row[along] for row in rows}) > 1:
            figures[along] = draw_one(measurements, rows)
    others = [row for row in known if function_of(row) not in ("offset_add", "stride_add")]
    if others:
        figures["repeats"] = repeats_of_steps(measurements, others)
    ratios = pick(measurements.rows, metric="ratio_to_copy")
    if any(float(row["offset"]) == 0 and float(row["stride"]) == 1 for row in ratios):
        figures["steps"] = steps_against_copy(measurements, ratios)
    if not figures:
        raise BrokenFile(f"{path} holds no sweep: every function was measured at one offset and one stride only.")
    return figures


if __name__ == "__main__":
    sys.exit(style.main(draw, __doc__.splitlines()[0]))
