"""Lab 06: how many values per second are counted, by which step and in which memory, against the number of bins.

From a GPU's measurements: values per second against the number of bins, of every step, for values spread over the bins
and for skewed ones; and the same of the readable solution in global memory and in clusters of every size. From the
simulator's: the atomics that a value costs, in another block's shared memory and in global memory.
"""
from __future__ import annotations

import pathlib
import sys

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

import style
from measurements import BrokenFile, Measurements, least_over, pick

#: What the picture of the steps shows: one line for each idea, so that no colour is used twice. The results page has all submissions.
DRAWN = ("solution", "step-v0", "step-v1", "step-v4", "step-v6", "step-v7", "step-v8", "step-v9", "step-v10", "peer-cub")
TITLES = {"uniform": "values spread over all bins", "skewed": "15 of 16 values in the first bin",
          "one value": "all values in one bin"}
KIB = 1024


def points_of(rows: list[dict[str, str]]) -> list[tuple[float, float]]:
    return sorted((float(row["nbins"]), float(row["value"])) for row in rows)


def short(bins: float) -> str:
    """4096 -> 4 Ki"""
    return f"{bins / KIB:.0f} Ki" if bins >= KIB else f"{bins:.0f}"


def bins_axis(axes, rows: list[dict[str, str]]) -> None:
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator([float(4 ** power) for power in range(13)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
    axes.set_xlabel("bins")


def rate_axis(axes, rows: list[dict[str, str]], ceiling: float | None) -> None:
    """Logarithmic: that one step is five times as fast as another has to show at the slow end, too."""
    rates = [float(row["value"]) for row in rows] + ([ceiling] if ceiling else [])
    axes.set_yscale("log")
    axes.set_ylim(0.8 * min(rates), 1.3 * max(rates))
    axes.yaxis.set_major_locator(FixedLocator([factor * 10.0 ** power for power in range(-2, 5) for factor in (1, 2, 5)]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.set_ylabel("10^9 values per second")


def draw_lines(axes, series: dict[str, list[tuple[float, float]]]) -> list[tuple[object, str]]:
    """One line for each name; lines that are the same are drawn once, under both names.

    A name has the same colour in every panel: it is the first of those that share a line which decides.
    """
    same: dict[tuple, list[str]] = {}
    for name, points in series.items():
        same.setdefault(tuple(points), []).append(name)
    drawn = []
    for points, names in same.items():
        if not points:
            continue
        line, = axes.plot(*zip(*points), **style.line_style(list(series).index(names[0]), len(series)))
        drawn.append((line, ", ".join([names[0], *(name.split(":")[0] for name in names[1:])])))
    return drawn


def ceiling_of(measurements: Measurements) -> float | None:
    for row in pick(measurements.rows, submission="yardstick", function="read", metric="rate"):
        return float(row["value"])
    return None


def draw_ceiling(axes, measurements: Measurements, rows: list[dict[str, str]]) -> list[tuple[object, str]]:
    ceiling = ceiling_of(measurements)
    if ceiling is None:
        return []
    bins = [float(row["nbins"]) for row in rows]
    line, = axes.plot([min(bins), max(bins)], [ceiling, ceiling], **style.IDEAL)
    return [(line, f"reading alone: {ceiling:,.0f}")]


def steps_over_bins(measurements: Measurements, rows: list[dict[str, str]]):
    kinds = [kind for kind in TITLES if pick(rows, values=kind)]
    names = dict.fromkeys(row["submission"] for row in rows)
    drawn = [name for name in names if len(names) <= len(style.COLOURS) or (name.split("_")[0] if name.startswith("step-") else name) in DRAWN]
    left_out = [style.submission_label(name).split(":")[0] for name in names if name not in drawn]
    figure, grid = style.plt.subplots(len(kinds), 1, squeeze=False, sharex=True, figsize=(9.2, 0.9 + 3.6 * len(kinds)))
    labelled = {}
    for axes, kind in zip(grid[:, 0], kinds):
        own = pick(rows, values=kind)
        series = {style.submission_label(name): points_of(pick(own, submission=name)) for name in drawn}
        labelled[axes] = draw_lines(axes, series) + draw_ceiling(axes, measurements, own)
        axes.set_title(TITLES[kind], loc="left")
        rate_axis(axes, own, ceiling_of(measurements))
        bins_axis(axes, own)
    for axes in grid[:-1, 0]:
        axes.set_xlabel("")
    style.title(figure, "What each step brings, against the number of bins",
                "histogram(), which chooses its memory. The dashed line is a kernel that only reads the values."
                + (f" Not drawn: {', '.join(left_out)}." if left_out else ""))
    return figure, labelled


def memories_over_bins(measurements: Measurements, rows: list[dict[str, str]]):
    series = {}
    for row in rows:
        size = int(float(row["cluster_size"]))
        name = "global memory" if size == 0 else "one block" if size == 1 else f"cluster of {size}"
        series.setdefault((size, name), []).append(row)
    figure, axes = style.plt.subplots(figsize=(8.2, 4.6))
    lines = draw_lines(axes, {name: points_of(own) for (_, name), own in sorted(series.items())})
    lines += draw_ceiling(axes, measurements, rows)
    rate_axis(axes, rows, ceiling_of(measurements))
    bins_axis(axes, rows)
    style.title(figure, "What distance costs",
                "The readable solution's histogram_global and histogram_cluster, values spread over all bins. A line ends where "
                "the counters no longer fit into the cluster's shared memory.")
    return figure, {axes: lines}


def atomics_over_bins(measurements: Measurements):
    metrics = {"remote_atomics": "in another block's shared memory", "global_atomics": "in global memory"}
    figure, grid = style.plt.subplots(1, 2, figsize=(13.2, 4.4), sharey=True)
    labelled = {}
    for axes, (metric, where) in zip(grid, metrics.items()):
        own = pick(measurements.rows, metric=metric, function="histogram", values="uniform")
        names = dict.fromkeys(row["submission"] for row in own)
        series = {style.submission_label(name): points_of(pick(own, submission=name)) for name in names}
        labelled[axes] = draw_lines(axes, series) + style.least_line(axes, least_over(own, "nbins"), "the least")
        axes.set_title(where, loc="left")
        axes.set_ylim(-0.02, 1.05)
        bins_axis(axes, own)
    grid[0].set_ylabel("atomics per value")
    values = max((float(row["n"]) for row in measurements.rows), default=0)
    style.title(figure, "Where the atomics go",
                f"histogram() of {values:,.0f} values spread over all bins. In the end every counter that is not 0 goes to global "
                "memory once: with so few values for so many bins that is nearly one per value; with more values it vanishes.")
    return figure, labelled


def draw(measurements: Measurements, path: pathlib.Path) -> dict:
    measurements.need(path, numeric=("cluster_size", "nbins", "n"), text=("values",))
    figures = {}
    rates = [row for row in measurements.rows if row["metric"] == "rate" and row["submission"] != "yardstick"]
    steps = [row for row in pick(rows=rates, function="histogram") if row["values"] in TITLES]
    if len({row["nbins"] for row in steps}) > 1:
        figures["steps"] = steps_over_bins(measurements, steps)
    memories = [row for row in pick(rates, submission="solution", values="uniform")
                if row["function"] in ("histogram_global", "histogram_cluster")]
    if len({row["nbins"] for row in memories}) > 1:
        figures["memories"] = memories_over_bins(measurements, memories)
    counted = pick(measurements.rows, metric="remote_atomics", function="histogram", values="uniform")
    if len({row["nbins"] for row in counted}) > 1:
        figures["atomics"] = atomics_over_bins(measurements)
    if not figures:
        raise BrokenFile(f"{path} holds no sweep: everything was measured with one number of bins only.")
    return figures


if __name__ == "__main__":
    sys.exit(style.main(draw, __doc__.splitlines()[0]))
