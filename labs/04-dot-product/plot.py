"""Lab 04: the dot product against its length and against the size of the grid, and how near the steps come to a read.

From a GPU's measurements: GB/s against n, microseconds for small n, GB/s against the number of blocks, and every step's
ratio to a kernel that only reads. From the simulator's: what adding up across threads costs, in counts.
"""
from __future__ import annotations

import math
import pathlib
import re
import sys

from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

import style
from measurements import BrokenFile, Measurements, least_of, pick

NAMES = {"f32": "float", "f64": "double"}
SMALL = 1 << 22  # elements, of the panels in microseconds
COUNTS = {"bytes_read": "bytes read from global memory", "atomics": "atomics in global memory",
          "shared_requests": "requests to shared memory", "shared_wavefronts": "their wavefronts",
          "shuffles": "exchanges by shuffles", "barriers": "barriers"}


def submissions(rows: list[dict[str, str]]) -> list[str]:
    """Steps in their order, the solution, peers; what is left at the end."""
    def order(name: str) -> tuple[int, str]:
        kind = name.partition("-")[0]
        kinds = ("step", "solution", "peer")
        return (kinds.index(kind) if kind in kinds else len(kinds), name)

    return sorted({row["submission"] for row in rows}, key=order)


def lines_of(axes, rows: list[dict[str, str]], along: str) -> list[tuple[object, str]]:
    """One line per submission, in a style that is the same in every figure of the file. Lines that would lie on each other are
    drawn once, under all their names."""
    drawn = []
    names = [name for name in submissions(rows) if name != "yardstick"]
    lines = {name: sorted((float(row[along]), float(row["value"])) for row in rows if row["submission"] == name) for name in names}
    for points, shared in style.shared_lines(lines, max(float(row["value"]) for row in rows)):
        line, = axes.plot(*zip(*points), **style.line_style(names.index(shared[0]), len(names)))
        drawn.append((line, style.shared_label(shared)))
    return drawn


def powers(axis, values: list[float]) -> None:
    """Ticks at powers of two, every second or fourth of them."""
    low, high = (int(round(math.log2(limit))) for limit in (min(values), max(values)))
    step = 4 if high - low > 8 else 2 if high - low > 4 else 1
    axis.set_major_locator(FixedLocator([2.0 ** power for power in range(low, high + 1, step)]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"$2^{{{round(math.log2(value))}}}$"))


def panels(rows: list[dict[str, str]], sharey: bool = True):
    """A figure with a panel for dot in each precision: (figure, [(axes, rows)])."""
    functions = [name for name in ("dot_f32", "dot_f64") if pick(rows, function=name)]
    figure, grid = style.plt.subplots(1, len(functions), squeeze=False, sharey=sharey,
                                      figsize=(1.2 + 5.4 * len(functions), 4.6))
    parts = []
    for axes, name in zip(grid[0], functions):
        axes.set_title(f"{name} ({NAMES[name[-3:]]})", loc="left")
        axes.set_xlabel("n (elements)")
        axes.set_xscale("log", base=2)
        parts.append((axes, pick(rows, function=name)))
        powers(axes.xaxis, [float(row["n"]) for row in parts[-1][1]])
    return figure, parts


def over_length(measurements: Measurements, rows: list[dict[str, str]]):
    figure, parts = panels(rows)
    reads = pick(measurements.rows, submission="yardstick", metric="bandwidth")
    labelled = {}
    for axes, own in parts:
        size = 4 if own[0]["precision"] == "f32" else 8
        labelled[axes] = lines_of(axes, own, "n")
        points = sorted((float(row["n"]) * 8 / (2 * size), float(row["value"])) for row in reads)
        inside = {float(row["n"]) for row in own}
        points = [point for point in points if point[0] in inside]
        if points:
            line, = axes.plot(*zip(*points), **style.IDEAL)
            labelled[axes].append((line, "a read of as many bytes"))
    parts[0][0].set_ylabel("bandwidth (GB/s)")
    parts[0][0].set_ylim(0)
    style.title(figure, "The dot product against the length of the arrays",
                "GB/s (10^9 bytes per second) count both arrays once. The caches are empty at the start of each run; up to "
                "about 2^20 elements the time is that of the launch and of a few trips to memory. Steps whose lines would lie on each other share one.")
    return figure, labelled


def small_lengths(rows: list[dict[str, str]]):
    kept = [row for row in rows if float(row["n"]) <= SMALL and not re.match(r"step-v[0-3]_", row["submission"])]
    figure, parts = panels(kept)
    labelled = {axes: lines_of(axes, own, "n") for axes, own in parts}
    parts[0][0].set_ylabel("time (µs)")
    parts[0][0].set_ylim(0)
    style.title(figure, "What a short dot product costs",
                "Device time from the first to the last thing that a call puts on the stream, caches empty. v5 sets the result to 0 "
                "before the kernel, and so does v7 with more than one block; v6 has a last block that adds up the others' sums; CUB has a second kernel.")
    return figure, labelled


def over_blocks(measurements: Measurements, rows: list[dict[str, str]]):
    figure, axes = style.plt.subplots(figsize=(8.2, 4.4))
    labelled = {axes: lines_of(axes, rows, "blocks")}
    n = rows[0]["n"]
    for row in pick(measurements.rows, submission="yardstick", metric="bandwidth", n=n):
        blocks = [float(other["blocks"]) for other in rows]
        line, = axes.plot([min(blocks), max(blocks)], [float(row["value"])] * 2, **style.IDEAL)
        labelled[axes].append((line, "a read of as many bytes"))
        break
    axes.set_xscale("log", base=2)
    blocks = sorted({int(row["blocks"]) for row in rows})
    axes.xaxis.set_major_locator(FixedLocator([count for count in blocks if count % 33 == 0 and
                                               math.log2(count / 33).is_integer()]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("blocks of 256 threads")
    axes.set_ylabel("bandwidth (GB/s)")
    axes.set_ylim(0)
    style.title(figure, "How many blocks it takes",
                f"dot of 2^{round(math.log2(int(n)))} floats. 132 multiprocessors hold at most 8 such blocks each, 1,056 in "
                "all. With more bytes in flight in each thread, fewer threads are enough.")
    return figure, labelled


def steps_against_read(measurements: Measurements, rows: list[dict[str, str]]):
    """Horizontal bars: every submission's ratio to the read, at the length that most functions were compared at."""
    lengths = sorted({int(row["n"]) for row in rows})
    n = 1 << 28 if 1 << 28 in lengths else lengths[-1]
    rows = pick(rows, n=str(n))
    speeds = {(row["submission"], row["function"]): float(row["value"])
              for row in pick(measurements.rows, metric="bandwidth", n=str(n), blocks="0")}
    places, heads, at = [], [], 0.0
    for function in dict.fromkeys(row["function"] for row in rows):
        own = pick(rows, function=function)
        heads.append((at, function))
        at += 1.0
        for name in submissions(own):
            places.append((at, pick(own, submission=name)[0]))
            at += 1.0
        at += 0.5
    figure, axes = style.ratio_figure(at)
    largest = max([1.0] + [float(row["value"]) for _, row in places])
    for place, row in places:
        style.ratio_bar(axes, place, float(row["value"]), speeds[(row["submission"], row["function"])], largest,
                        row["submission"].partition("-")[0])
    for place, function in heads:
        style.ratio_heading(axes, place, function)
    style.ratio_axes(axes, [(place, style.submission_label(row["submission"])) for place, row in places], at, largest,
                     "bandwidth as a ratio to a kernel that only reads, measured in the same run")
    style.title(figure, "How near the steps come to reading alone",
                f"2^{round(math.log2(n))} elements. Hatched: the readable solution; dotted: the libraries. The dashed line is "
                "the read.")
    return figure, None


def counts(rows: list[dict[str, str]]):
    """A panel for each count, a bar for each submission."""
    rows = pick(rows, function="dot_f32")
    names = submissions(rows)
    shown = {metric: text for metric, text in COUNTS.items() if pick(rows, metric=metric)}  # older files have fewer
    figure, grid = style.plt.subplots(1, len(shown), sharey=True, figsize=(1.5 + 2.2 * len(shown), 1.9 + 0.27 * len(names)), squeeze=False)
    for axes, (metric, text) in zip(grid[0], shown.items()):
        marks = []
        for place, name in enumerate(names):
            row = pick(rows, metric=metric, submission=name)[0]
            value = float(row["value"])
            if (least := least_of(row)) is not None:
                marks.append((place, least, f"{least:,.0f}"))
            axes.barh(place, value, height=0.7, color=style.COLOURS[1 if name == "solution" else 5],
                      hatch="//" if name == "solution" else None, edgecolor="white", linewidth=0.5)
            axes.text(max(value, 1), place, f" {value:,.0f}", va="center", fontsize=7.5)
        axes.set_xscale("symlog", linthresh=1)
        axes.set_xlim(0, 3e7)
        axes.xaxis.set_major_locator(FixedLocator([1, 100, 10_000, 1_000_000]))
        style.least_marks(axes, marks)
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_title(text, loc="left", fontsize=8.5)
        axes.grid(axis="y", visible=False)
    grid[0][0].set_yticks(range(len(names)), [style.submission_label(name) for name in names], fontsize=8)
    grid[0][0].set_ylim(len(names) - 0.4, -0.6)
    unmarked = " How much is needed where there is no black mark is a matter of choice." if any(row.get("least") for row in rows) else ""
    style.title(figure, "What adding up across threads costs",
                f"dot_f32 of {int(rows[0]['n']):,} elements, counted on the simulator." + unmarked)
    return figure, None


def draw(measurements: Measurements, path: pathlib.Path) -> dict:
    measurements.need(path, numeric=("n", "blocks"), text=("precision",))
    unknown = next((row for row in measurements.rows if row["precision"] not in NAMES), None)
    if unknown:
        raise BrokenFile(f"{path}, line {unknown['line']}: the precision is '{unknown['precision']}', not f32 or f64.")
    figures = {}
    speeds = [row for row in pick(measurements.rows, metric="bandwidth") if row["submission"] != "yardstick"]
    dots = [row for row in speeds if row["function"] in ("dot_f32", "dot_f64")]
    if len({row["n"] for row in dots}) > 1:
        figures["length"] = over_length(measurements, dots)
    times = [row for row in pick(measurements.rows, metric="time") if row["function"] in ("dot_f32", "dot_f64")]
    if len({row["n"] for row in times if float(row["n"]) <= SMALL}) > 1:
        figures["small"] = small_lengths(times)
    grids = pick(speeds, function="dot_in_blocks_f32")
    if len({row["blocks"] for row in grids}) > 1:
        figures["blocks"] = over_blocks(measurements, grids)
    ratios = pick(measurements.rows, metric="ratio_to_read", blocks="0")
    if ratios:
        figures["steps"] = steps_against_read(measurements, ratios)
    counted = [row for row in measurements.rows if row["metric"] in COUNTS]
    if pick(counted, function="dot_f32"):
        figures["counts"] = counts(counted)
    if not figures:
        raise BrokenFile(f"{path} holds nothing to draw: neither a sweep of dot_f32 nor its counts.")
    return figures


if __name__ == "__main__":
    sys.exit(style.main(draw, __doc__.splitlines()[0]))
