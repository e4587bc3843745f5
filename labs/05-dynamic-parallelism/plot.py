"""Lab 05: what launches by device code cost, and the Mandelbrot picture with the squares that it was drawn in.

From a GPU's measurements: times of the reductions against n, what one launch costs, and the time of the picture
against max_dwell. From the simulator's: active lanes and sectors of the flat reductions, and who launched how many grids.
From both: the picture, its subdivision drawn over it, and which of its pixels were computed.
"""
from __future__ import annotations

import itertools
import math
import pathlib
import sys

import numpy
from matplotlib.collections import LineCollection
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

import style
from measurements import BrokenFile, Measurements, least_of

# As the contract has them.
FIRST_SIDE = 64
LEAST_SIDE = 8

FLAT = ("reduce_neighbored", "reduce_neighbored_less", "reduce_interleaved")
LAUNCHING = ("reduce_nested", "reduce_nested_by_level")
BEST_FLAT = "step-flat_v2_sixteen_bytes_per_lane"
PEERS = {"cub": "CUB, a segment per part", "cub_one_sum": "CUB, one sum", "thrust_one_sum": "Thrust, one sum", "host_chain": "by the host", "host_chain_cut_off": "by the host, leaf cut off",
         "host_chain_overlapped": "by the host, overlapped", "graph": "CUDA graph"}
NEAR = 1.08  # lines whose values differ by a smaller factor lie on each other
ONE_LAUNCH = "one launch of a chain of eight"
WAYS = {
    "step-nested_v0_own_stream": "device, the block's own stream",
    "step-nested_v1_fire_and_forget": "device, fire and forget",
    "step-level_v0_tail_launch": "device, tail launch",
    "peer-host_chain": "host, one after the other",
    "peer-graph": "host, CUDA graph",
}


def pick(rows: list[dict[str, str]], metric: str, functions: tuple[str, ...]) -> list[dict[str, str]]:
    return [row for row in rows if row["metric"] == metric and row["function"] in functions]


def family(submission: str) -> str:
    """step-flat_v0_in_global_memory -> flat"""
    return submission.partition("-")[2].partition("_v")[0]


# ---- the picture ---------------------------------------------------------------------------------------


def read_graymap(path: pathlib.Path) -> numpy.ndarray:
    """A binary PGM of 8 bits, as the bench writes it."""
    try:
        kind, size, most, pixels = path.read_bytes().split(b"\n", 3)
        width, height = (int(word) for word in size.split())
        if kind != b"P5" or not 0 < int(most) < 256 or len(pixels) != width * height:
            raise ValueError
    except (ValueError, OSError):
        raise BrokenFile(f"{path} is no picture as the bench writes it (binary PGM, 8 bits).") from None
    if width != height or width % FIRST_SIDE:
        raise BrokenFile(f"{path} has {width} x {height} pixels; a square picture of whole squares of {FIRST_SIDE} is expected.")
    return numpy.frombuffer(pixels, numpy.uint8).reshape(height, width)


def squares_of(picture: numpy.ndarray) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]], int]:
    """(x, y, side) of the squares that the rule fills, of those that it computes in full, and how many it divides."""
    filled, computed, divided = [], [], 0
    waiting = [(x, y, FIRST_SIDE) for y in range(0, len(picture), FIRST_SIDE) for x in range(0, len(picture), FIRST_SIDE)]
    while waiting:
        x, y, side = waiting.pop()
        square = picture[y:y + side, x:x + side]
        border = numpy.concatenate([square[0], square[-1], square[:, 0], square[:, -1]])
        if border.min() == border.max():
            filled.append((x, y, side))
        elif side <= LEAST_SIDE:
            computed.append((x, y, side))
        else:
            divided += 1
            half = side // 2
            waiting += [(x + i, y + j, half) for i in (0, half) for j in (0, half)]
    return filled, computed, divided


def outlines(squares: list[tuple[int, int, int]], **how) -> LineCollection:
    paths = [[(x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y)] for x, y, side in squares]
    return LineCollection([[(x - 0.5, y - 0.5) for x, y in path] for path in paths], **how)


def picture_with_squares(picture: numpy.ndarray):
    filled, small, divided = squares_of(picture)
    known = numpy.zeros(picture.shape, bool)  # filled in without being computed
    for x, y, side in filled:
        known[y + 1:y + side - 1, x + 1:x + side - 1] = True
    figure, (left, right) = style.plt.subplots(1, 2, figsize=(11, 6.1))
    dwells = numpy.log1p(picture.astype(float))
    dwells[picture == picture.max()] = 0  # the set itself is dark, whatever max_dwell is
    left.imshow(dwells, cmap="cividis", interpolation="nearest")
    left.add_collection(outlines(filled, colors="white", linewidths=0.55))
    left.set_title(f"{len(filled):,} squares filled, {len(small):,} of {LEAST_SIDE} x {LEAST_SIDE} computed in full; "
                   f"{divided:,} divided", loc="left")
    right.imshow(~known, cmap="gray_r", interpolation="nearest", vmin=0, vmax=1.25)
    right.set_title(f"black: computed, {100 * (1 - known.mean()):.0f}% of the pixels; white: filled in", loc="left")
    for axes in (left, right):
        axes.set_xticks([])
        axes.set_yticks([])
        axes.grid(visible=False)
    style.title(figure, "The Mandelbrot set, divided where it has to be",
                f"{len(picture)} x {len(picture)} pixels, at most {picture.max()} steps. A square whose border has one dwell "
                f"is filled with it (outlined in white); any other is divided into four, from {FIRST_SIDE} x {FIRST_SIDE} down to "
                f"{LEAST_SIDE} x {LEAST_SIDE}.")
    figure.warpbook_head += 0.15  # squares fill the height to the last pixel, and their titles stand on them
    return figure, None


# ---- measured on a GPU ---------------------------------------------------------------------------------


def time_text(microseconds: float) -> str:
    if microseconds < 1000:
        return f"{microseconds:.3g} µs"
    return f"{microseconds / 1000:.3g} ms" if microseconds < 1e6 else f"{microseconds / 1e6:.3g} s"


def logarithmic(axes, along: list[float], base: int) -> None:
    axes.set_xscale("log", base=base)
    axes.set_yscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_locator(FixedLocator(sorted(set(along))))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: time_text(value)))
    axes.yaxis.set_minor_locator(NullLocator())


def time_series(rows: list[dict[str, str]], along: str, name) -> dict[str, list[tuple[float, float]]]:
    """The points of each line, in order, by its label."""
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        series.setdefault(name(row), []).append((float(row[along]), float(row["value"])))
    return {label: sorted(points) for label, points in series.items()}


def time_lines(axes, series: dict[str, list[tuple[float, float]]]) -> list[tuple[object, str]]:
    return [(axes.plot(*zip(*points), **style.line_style(index, len(series)))[0], label)
            for index, (label, points) in enumerate(series.items())]


def lines_on_each_other(series: dict[str, list[tuple[float, float]]]) -> str:
    """A sentence for each pair of lines that the picture cannot show apart; empty if there is none."""
    def near(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
        return all(x == other_x and 1 / NEAR < y / other_y < NEAR for (x, y), (other_x, other_y) in zip(one, other))

    pairs = [(one, other) for (one, points), (other, others) in itertools.combinations(series.items(), 2)
             if len(points) == len(others) and near(points, others)]
    return "".join(f" The line of {other} lies on that of {one}." for one, other in pairs)


def short_name(row: dict[str, str]) -> str:
    """What a line or bar of a reduction is called."""
    kind, _, rest = row["submission"].partition("-")
    if kind == "peer":
        return PEERS.get(rest, rest)
    step = style.submission_label(row["submission"])
    return f"{row['function'].removeprefix('reduce_')}, {step}" if row["function"] in FLAT else f"{family(row['submission'])}, {step}"


def times_over_n(rows: list[dict[str, str]], function: str, heading: str):
    """The steps of a function that launches, its peers, and the fastest flat step."""
    chosen = [row for row in rows if row["submission"] == BEST_FLAT or
              row["function"] == function and row["submission"] != "solution"]
    series = time_series(chosen, "size", short_name)
    figure, axes = style.plt.subplots(figsize=(9, 4.8))
    lines = time_lines(axes, series)
    logarithmic(axes, [float(row["size"]) for row in chosen], 2)
    axes.set_xlabel("n (ints)")
    axes.set_ylabel("time")
    style.title(figure, heading, "Device time from the first launch to the last result, L2 cache cold. All give the same sums of 256 ints "
                "each." + lines_on_each_other(series))
    return figure, {axes: lines}


def flat_times(rows: list[dict[str, str]]):
    """The flat sums at the largest n: at smaller ones their lines would lie on each other."""
    size = max(float(row["size"]) for row in rows)
    rows = sorted((row for row in rows if float(row["size"]) == size), key=lambda row: float(row["value"]))
    figure, axes = style.plt.subplots(figsize=(8.6, 1.5 + 0.3 * len(rows)))
    bars(axes, rows, "time in µs", short_name)
    style.title(figure, f"Flat sums of {size:,.0f} ints",
                "Device time, L2 cache cold. All give the same sums of 256 ints each.")
    return figure, None


def one_launch(rows: list[dict[str, str]]):
    rows = sorted(rows, key=lambda row: float(row["value"]))
    figure, axes = style.plt.subplots(figsize=(8, 1.5 + 0.36 * len(rows)))
    largest = max(float(row["value"]) for row in rows)
    for place, row in enumerate(rows):
        by_host = row["submission"].startswith("peer")
        axes.barh(place, float(row["value"]), height=0.66, color=style.COLOURS[1 if by_host else 5],
                  hatch="//" if by_host else None, edgecolor="white", linewidth=0.5)
        axes.text(float(row["value"]) + 0.01 * largest, place, f"{float(row['value']):.2f} µs", va="center", fontsize=8.5)
    axes.set_yticks(range(len(rows)), [WAYS.get(row["submission"], row["submission"]) for row in rows])
    axes.set_xlim(0, 1.15 * largest)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("µs per launch")
    style.title(figure, "What a launch costs",
                "An eighth of the time of eight launches in a row, each for at most 128 additions. Hatched: by the host.")
    return figure, None


def times_over_dwell(rows: list[dict[str, str]]):
    figure, axes = style.plt.subplots(figsize=(8.6, 4.6))
    series = time_series([row for row in rows if row["submission"] != "solution"], "max_dwell",
                         lambda row: style.submission_label(row["submission"]))
    lines = time_lines(axes, series)
    logarithmic(axes, [float(row["max_dwell"]) for row in rows], 2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.set_xlabel("max_dwell (steps at most)")
    axes.set_ylabel("time of the picture")
    side = int(float(rows[0]["size"]))
    style.title(figure, "When dividing pays",
                f"The whole set in {side:,} x {side:,} pixels. A pixel of the set takes max_dwell steps; a launch always takes the "
                "same time." + lines_on_each_other(series))
    return figure, {axes: lines}


# ---- counted by the simulator --------------------------------------------------------------------------


def bars(axes, rows: list[dict[str, str]], heading: str, name, logarithmic_scale: bool = False) -> None:
    values = [float(row["value"]) for row in rows]
    scaled = (lambda value: math.log10(1 + value)) if logarithmic_scale else (lambda value: value)
    shown = [scaled(value) for value in values]
    largest = max([*shown, 1e-9])
    for place, (row, value, length) in enumerate(zip(rows, values, shown)):
        own = row["submission"] == "solution"
        axes.barh(place, length, height=0.7, color=style.COLOURS[1 if own else 5], hatch="//" if own else None,
                  edgecolor="white", linewidth=0.5)
        axes.text(length + 0.015 * largest, place, f"{value:,.3g}" if value < 1000 else f"{value:,.0f}", va="center", fontsize=8)
    axes.set_yticks(range(len(rows)), [name(row) for row in rows], fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, 1.18 * largest)
    axes.set_title(heading, loc="left")
    least = [(place, least_of(row)) for place, row in enumerate(rows)]
    style.least_marks(axes, [(place, scaled(value), f"{value:,.0f}") for place, value in least if value is not None])
    axes.grid(axis="y", visible=False)
    if logarithmic_scale:
        axes.set_xticks([])


def flat_counters(lanes: list[dict[str, str]], sectors: list[dict[str, str]]):
    def name(row: dict[str, str]) -> str:
        return f"{row['function'].removeprefix('reduce_')}, {style.submission_label(row['submission'])}"

    lanes, sectors = ([row for function in FLAT for row in rows if row["function"] == function and
                       row["submission"] != "solution"] for rows in (lanes, sectors))
    figure, (left, right) = style.plt.subplots(1, 2, figsize=(11.5, 1.7 + 0.3 * len(lanes)), sharey=True)
    bars(left, lanes, "active lanes of 32 per request to read", name)
    bars(right, sectors, "sectors read from global memory per part", name)
    right.tick_params(labelleft=False)
    style.title(figure, "What the order of the additions costs", "The flat reductions: 255 additions for each part of 256 ints, which lie in 32 sectors. "
                "The functions differ in the elements that a thread adds.")
    return figure, None


def child_grids(rows: list[dict[str, str]]):
    def name(row: dict[str, str]) -> str:
        return f"{row['function'].removeprefix('reduce_')}, {style.submission_label(row['submission'])}"

    rows = [row for row in rows if row["function"] not in FLAT]
    rows.sort(key=lambda row: (row["function"], row["submission"] != "solution", row["submission"]))
    figure, axes = style.plt.subplots(figsize=(8.6, 1.5 + 0.3 * len(rows)))
    bars(axes, rows, "child grids (the lengths are logarithmic)", name, logarithmic_scale=True)
    unmarked = " Without a mark: launched in another way than the contract says." if any(least_of(row) is not None for row in rows) else ""
    style.title(figure, "Grids that device code launched", "Hatched: the readable solution. Each call is one launch by the host." + unmarked)
    return figure, None


def draw(measurements: Measurements, path: pathlib.Path) -> dict:
    measurements.need(path, numeric=("size", "max_dwell"))
    figures = {}
    picture = path.with_name(f"{path.stem}-picture.pgm")
    if picture.exists():
        figures["picture"] = picture_with_squares(read_graymap(picture))
    times = pick(measurements.rows, "time", FLAT + LAUNCHING)
    if len({row["size"] for row in times}) > 1:
        for name, function, heading in (("sums", "reduce_nested_by_level", "Sums with a launch per level, against n"),
                                        ("nested", "reduce_nested", "Sums with launches per part, against n")):
            if pick(times, "time", (function,)):
                figures[name] = times_over_n(times, function, heading)
        flat = [row for row in pick(times, "time", FLAT) if row["submission"] != "solution"]
        if flat:
            figures["flat"] = flat_times(flat)
    launches = pick(measurements.rows, "time", (ONE_LAUNCH,))
    if launches:
        figures["launch"] = one_launch(launches)
    dwells = pick(measurements.rows, "time", ("mandelbrot_adaptive",))
    if len({row["max_dwell"] for row in dwells}) > 1:
        figures["dwell"] = times_over_dwell(dwells)
    lanes = pick(measurements.rows, "active_lanes", FLAT)
    if any(row["submission"] != "solution" for row in lanes):
        figures["lanes"] = flat_counters(lanes, pick(measurements.rows, "sectors_per_part", FLAT))
    grids = pick(measurements.rows, "child_grids", LAUNCHING + ("mandelbrot_adaptive",))
    if grids:
        figures["grids"] = child_grids(grids)
    if not figures:
        raise BrokenFile(f"{path} holds nothing that can be drawn: neither times nor counters of this lab's functions.")
    return figures


if __name__ == "__main__":
    sys.exit(style.main(draw, __doc__.splitlines()[0]))
