"""Lab 02: which banks a warp's words lie in, what conflicts cost, and how near the steps come to a plain copy.

Drawn from the geometry alone: a tile's column and a strided request, before and after.
From the simulator's measurements: wavefronts per request against the stride, for words of 4, 8 and 16 bytes.
From a GPU's: GB/s against the stride and against the stencil's radius, and every step's ratio to the copy.
"""
from __future__ import annotations

import collections
import pathlib
import sys

from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator

import style
from measurements import BrokenFile, Measurements, copy_speed, pick

BANKS = 32
LANES = 32
WORDS = {"f32": 4, "f64": 8, "f32x4": 16}  # bytes of a word
# A round of colours, so that bank 31 is beside bank 0; light enough for black numbers.
ROUND = LinearSegmentedColormap.from_list("banks", ["#F7F7F7", "#9CD3E6", "#4FA6C9", "#B7A5DE", "#EFA7B7", "#F6C99A",
                                                    "#F7F7F7"])
SPEED = "effective_bandwidth"


# ---- banks, from the geometry

def wavefronts(words: list[int]) -> int:
    """Passes that a request of 32-bit accesses to these words takes: the most distinct words in one bank."""
    return max(collections.Counter(word % BANKS for word in set(words)).values())


def bank_colour(bank: int):
    return ROUND(bank / BANKS)


def squares(places: list[tuple[int, int]], **how) -> PolyCollection:
    """Squares of side 1 from these corners on. One collection is drawn several times as fast as as many patches."""
    return PolyCollection([[(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)] for x, y in places], **how)


def tile(axes, name: str, place) -> None:
    """A tile of 32 x 32 elements in its rows and columns, coloured by bank; a warp reads column 5."""
    column = 5
    axes.imshow([[place(y, x) % BANKS for x in range(LANES)] for y in range(LANES)], cmap=ROUND, vmin=0, vmax=BANKS,
                extent=(0, LANES, LANES, 0), aspect="auto", zorder=2)
    axes.add_collection(squares([(column, y) for y in range(LANES)], facecolors="none", edgecolors="black", linewidths=0.5,
                                zorder=3))
    for y in range(LANES):
        axes.text(column + 0.5, y + 0.54, str(place(y, column) % BANKS), fontsize=3.9, ha="center", va="center", zorder=4,
                  in_layout=False)
    passes = wavefronts([place(y, column) for y in range(LANES)])
    axes.set_title(f"{name}\na column: {passes} wavefront{'s' if passes > 1 else ''}", loc="left", fontsize=8.5)
    axes.set_xlim(0, LANES)
    axes.set_ylim(LANES, 0)
    axes.set_xlabel("column of the tile")
    axes.grid(False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(FixedLocator([0, 8, 16, 24, 32]))


def request(axes, name: str, words: list[int]) -> None:
    """The banks across, the rows of 32 words down: each lane's number stands in its word."""
    rows = max(words) // BANKS + 1
    places = [(bank, row) for row in range(rows) for bank in range(BANKS)]
    axes.add_collection(squares(places, facecolors="white", edgecolors="#DDDDDD", linewidths=0.4, zorder=2))
    asked = [(word % BANKS, word // BANKS) for word in words]
    axes.add_collection(squares(asked, facecolors=[bank_colour(bank) for bank, _ in asked], edgecolors="black",
                                linewidths=0.5, zorder=3))
    for lane, (bank, row) in enumerate(asked):
        axes.text(bank + 0.5, row + 0.54, str(lane), fontsize=5.2, ha="center", va="center", zorder=4, in_layout=False)
    passes = wavefronts(words)
    axes.set_title(f"{name}: {passes} wavefront{'s' if passes > 1 else ''}", loc="left", fontsize=8.5)
    axes.set_xlim(0, BANKS)
    axes.set_ylim(rows, 0)
    axes.grid(False)
    axes.xaxis.set_major_locator(FixedLocator([0, 8, 16, 24, 32]))
    axes.yaxis.set_major_locator(NullLocator())
    axes.set_ylabel("rows of\n32 words", fontsize=7.5)


def with_gaps(element: int, stride: int) -> int:
    """The place of an element where one word is left free whenever the banks come round again."""
    apart = stride
    while apart % BANKS:
        apart += stride
    return element + element // apart


def banks():
    figure = style.plt.figure(figsize=(10.4, 8.0))
    grid = figure.add_gridspec(3, 6, height_ratios=(3.3, 1, 1))
    tile(figure.add_subplot(grid[0, 0:2]), "float tile[32][32]", lambda y, x: 32 * y + x)
    tile(figure.add_subplot(grid[0, 2:4]), "float tile[32][33]", lambda y, x: 33 * y + x)
    tile(figure.add_subplot(grid[0, 4:6]), "swizzle: x is kept at x ^ y", lambda y, x: 32 * y + (x ^ y))
    for row, stride in ((1, 8), (2, 6)):
        elements = [lane * stride for lane in range(LANES)]
        request(figure.add_subplot(grid[row, 0:3]), f"stride {stride}, word beside word", elements)
        request(figure.add_subplot(grid[row, 3:6]), f"stride {stride}, a gap where the banks repeat",
                [with_gaps(element, stride) for element in elements])
    figure.axes[-1].set_xlabel("bank")
    figure.axes[-2].set_xlabel("bank")
    style.title(figure, "The words that a warp asks for, coloured by their banks",
                "Above: a tile; 32 lanes read the outlined column, and the numbers are banks. Below: 32 lanes whose words lie a "
                "stride apart; the numbers are lanes. A bank delivers different words one after the other.")
    return figure, None


# ---- sweeps

def lines_of(axes, rows: list[dict[str, str]], along: str) -> list[tuple[object, str]]:
    """One line per step and peer; steps that are the same are drawn once, under both names."""
    series: dict[tuple, list[str]] = {}
    for submission in dict.fromkeys(row["submission"] for row in rows if row["submission"] != "solution"):
        points = sorted((float(row[along]), float(row["value"])) for row in rows if row["submission"] == submission)
        series.setdefault(tuple(points), []).append(style.submission_label(submission))
    drawn = []
    for index, (points, names) in enumerate(series.items()):
        line, = axes.plot(*zip(*points), **style.line_style(index, len(series)))
        line.set_markersize(3)
        drawn.append((line, ", ".join([names[0], *(name.split(":")[0] for name in names[1:])])))
    return drawn


def powers_of_two(axis) -> None:
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axis.set_minor_formatter(NullFormatter())


def stride_panels(rows: list[dict[str, str]], height: float):
    found = [precision for precision in WORDS if pick(rows, precision=precision)]
    figure, grid = style.plt.subplots(len(found), 1, squeeze=False, sharex=True, figsize=(8.8, 1.2 + height * len(found)))
    return figure, [(axes, precision, pick(rows, precision=precision)) for axes, precision in zip(grid[:, 0], found)]


def wavefronts_over_stride(rows: list[dict[str, str]]):
    """Two columns would be too narrow: loads in full lines, and stores named where they differ from the ideal."""
    loads = [row for row in rows if row["metric"] == "wavefronts_per_shared_load"]
    stores = [row for row in rows if row["metric"] == "wavefronts_per_shared_store"]
    found = [precision for precision in WORDS if pick(loads, precision=precision)]
    figure, grid = style.plt.subplots(len(found), 2, squeeze=False, sharex=True, sharey="row",
                                      figsize=(12.4, 1.2 + 2.3 * len(found)))
    labelled = {}
    for (left, right), precision in zip(grid, found):
        for axes, own, what in ((left, loads, "reading"), (right, stores, "writing")):
            labelled[axes] = lines_of(axes, pick(own, precision=precision), "stride")
            ideal = WORDS[precision] * LANES // (4 * BANKS)
            line, = axes.plot([1, 32], [ideal, ideal], **style.IDEAL)
            labelled[axes].append((line, f"ideal: {ideal}"))
            axes.set_title(f"{what}, words of {WORDS[precision]} bytes", loc="left")
            axes.set_yscale("log", base=2)
            axes.set_ylim(0.8, 45)
            powers_of_two(axes.yaxis)
            axes.xaxis.set_major_locator(FixedLocator([1, 4, 8, 12, 16, 20, 24, 28, 32]))
        left.set_ylabel("wavefronts per request")
    for axes in grid[-1]:
        axes.set_xlabel("stride (words)")
    style.title(figure, "What a stride costs in shared memory",
                "gather_strided, counted. A request is one access of one warp; a wavefront gives one word of every bank.")
    return figure, labelled


def speed_over_stride(measurements: Measurements, rows: list[dict[str, str]]):
    figure, parts = stride_panels(rows, 2.6)
    labelled = {}
    copy = copy_speed(measurements)
    for axes, precision, own in parts:
        labelled[axes] = lines_of(axes, own, "stride")
        if copy:
            line, = axes.plot([1, 32], [copy, copy], **style.IDEAL)
            labelled[axes].append((line, f"copy: {copy:,.0f}"))
        axes.set_title(f"words of {WORDS[precision]} bytes", loc="left")
        axes.set_ylabel("GB/s")
        axes.set_ylim(0, 1.08 * (copy or max(float(row["value"]) for row in rows)))
        axes.xaxis.set_major_locator(FixedLocator([1, 4, 8, 12, 16, 20, 24, 28, 32]))
    parts[-1][0].set_xlabel("stride (words)")
    style.title(figure, "gather_strided against the stride",
                "GB/s (10^9 bytes per second) count each word once read and once written. v1, v2 and v3 lie on each other where "
                "conflicts of a few ways hide behind the memory's own time; at strides 16 and 32 they do not hide. At short strides the L1 "
                "cache serves v0 as the buffer serves the others.")
    return figure, labelled


def speed_over_radius(rows: list[dict[str, str]]):
    figure, axes = style.plt.subplots(figsize=(8.8, 4.0))
    labelled = {axes: lines_of(axes, rows, "radius")}
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    for axis in (axes.xaxis, axes.yaxis):
        powers_of_two(axis)
        axis.set_major_locator(FixedLocator([4**power for power in range(16)]))
    axes.set_xlabel("radius")
    axes.set_ylabel("GB/s")
    style.title(figure, "stencil against the radius",
                "GB/s count each element once read and once written, whatever the radius. Up to radius 16 v0 and v1 lie on each other: "
                "the L1 cache does what the window does. At large radii the time is that of 2 * radius + 1 additions and of the words "
                "for them.")
    return figure, labelled


# ---- steps

def shown_in_bars(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """One point of each function: the largest square, stride 32, radius 16."""
    largest = max((int(row["rows"]) for row in rows if row["function"] == "transpose" and row["rows"] == row["cols"]),
                  default=0)
    chosen = []
    for row in rows:
        function = row["function"]
        if row["submission"] == "yardstick":
            continue
        if function == "transpose" and not int(row["rows"]) == int(row["cols"]) == largest:
            continue
        if function.startswith("gather_strided") and row["stride"] != "32":
            continue
        if function == "stencil" and row["radius"] != "16":
            continue
        chosen.append(row)
    return chosen


def steps_against_copy(measurements: Measurements):
    """Horizontal bars: every submission's ratio to the copy."""
    rows = shown_in_bars(pick(measurements.rows, metric="ratio_to_copy"))
    speeds = {(row["submission"], row["function"]): float(row["value"])
              for row in shown_in_bars(pick(measurements.rows, metric=SPEED))}
    at, ticks = 0.0, []
    functions = list(dict.fromkeys(row["function"] for row in rows))
    figure, axes = style.ratio_figure(len(rows) + 1.5 * len(functions))
    largest = max([1.0] + [float(row["value"]) for row in rows])
    for function in functions:
        own = pick(rows, function=function)
        where = {"stencil": "   (radius 16)", "transpose": f"   ({int(own[0]['rows']):,} x {int(own[0]['cols']):,})"}
        note = where.get(function, "   (stride 32)" if function.startswith("gather") else "")
        style.ratio_heading(axes, at, function + note)
        at += 1.0
        for row in sorted(own, key=lambda row: (row["submission"].startswith("peer"), row["submission"] == "solution",
                                                row["submission"])):
            style.ratio_bar(axes, at, float(row["value"]), speeds.get((row["submission"], function)), largest,
                            row["submission"].partition("-")[0])
            ticks.append((at, style.submission_label(row["submission"])))
            at += 1.0
        at += 0.5
    style.ratio_axes(axes, ticks, at, largest, "effective bandwidth as a ratio to the copy with 16 bytes per thread, measured in turns with it")
    style.title(figure, "How near the steps come to a plain copy",
                "Hatched: the readable solution; dotted: a library. The dashed line is a copy of as many bytes.")
    return figure, None


def draw(measurements: Measurements, path: pathlib.Path) -> dict:
    measurements.need(path, numeric=("stride", "radius", "rows", "cols"), text=("precision",))
    gathers = [row for row in measurements.rows if row["function"].startswith("gather_strided")]
    unknown = next((row for row in gathers if row["precision"] not in WORDS), None)
    if unknown:
        raise BrokenFile(f"{path}, line {unknown['line']}: the precision is '{unknown['precision']}', not f32, f64 or f32x4.")
    figures = {}
    counted = [row for row in gathers if row["metric"] in ("wavefronts_per_shared_load", "wavefronts_per_shared_store")]
    if len({row["stride"] for row in counted}) > 1:
        figures["wavefronts"] = wavefronts_over_stride(counted)
    timed = pick(gathers, metric=SPEED)
    if len({row["stride"] for row in timed}) > 1:
        figures["stride"] = speed_over_stride(measurements, timed)
    radii = pick(measurements.rows, metric=SPEED, function="stencil")
    if len({row["radius"] for row in radii}) > 1:
        figures["radius"] = speed_over_radius(radii)
    if shown_in_bars(pick(measurements.rows, metric="ratio_to_copy")):
        figures["steps"] = steps_against_copy(measurements)
    if not figures:
        raise BrokenFile(f"{path} holds no sweep: gather_strided was measured at one stride only.")
    return {"banks": banks(), **figures}


if __name__ == "__main__":
    sys.exit(style.main(draw, __doc__.splitlines()[0]))
