"""Lab 01: what misaligned and strided access costs.

One panel per swept parameter (offset, stride) and precision, one line per submission.
Measured on a GPU, a last panel compares all submissions with a plain copy.
"""
from __future__ import annotations

import pathlib
import re
import sys

from matplotlib.ticker import MaxNLocator

import style
from measurements import BrokenFile, Measurements

# A warp's 32 elements lie in this many 32-byte sectors when they are aligned and adjacent.
IDEAL_SECTORS = {"f32": 4, "f64": 8}
ELEMENT_BYTES = {"f32": 4, "f64": 8}
SECTOR_BYTES = 32

# What a sweep shows: the first of these that was measured.
SWEPT_METRICS = {
    "effective_bandwidth": "effective bandwidth (GB/s)",
    "sectors_per_request_load": "sectors per load request",
}
PARAMETERS = ("offset", "stride")
YARDSTICK = "yardstick"

Rows = list[dict[str, str]]


def precision_of(row: dict[str, str]) -> str:
    return {"float": "f32", "fp32": "f32", "double": "f64", "fp64": "f64"}.get(row["precision"], row["precision"])


def function_of(row: dict[str, str]) -> str:
    """The function's name with its precision at the end, once, if it has one."""
    name = re.sub(r"_(f32|f64)$", "", row["function"])
    return f"{name}_{precision_of(row)}" if name.endswith("_add") else name


def sweeps_of(rows: Rows) -> dict[tuple[str, str], Rows]:
    """(parameter, function) -> its rows, for every function that was measured at several values of a parameter."""
    by_function: dict[str, Rows] = {}
    for row in rows:
        if row["submission"] != YARDSTICK:
            by_function.setdefault(function_of(row), []).append(row)
    return {(parameter, function): own for parameter in PARAMETERS for function, own in by_function.items()
            if len({row.get(parameter, "1") for row in own}) > 1}


def copy_of(rows: Rows) -> float | None:
    """The bandwidth of a plain copy in the same run, if it was measured."""
    return next((float(row["value"]) for row in rows if (row["submission"], row["function"]) == (YARDSTICK, "copy")), None)


def annotate(axes, x: float, y: float, text: str, above: bool) -> None:
    axes.annotate(text, (x, y), xytext=(0, 6 if above else -4), textcoords="offset points", fontsize=7.5,
                  color="#444444", ha="right", va="bottom" if above else "top")


def draw_sweep(axes, parameter: str, rows: Rows, styles: dict[str, int], copy: float | None) -> None:
    """One function's lines against one parameter, with what is the best that could be."""
    metric, precision = rows[0]["metric"], precision_of(rows[0])
    for submission, index in styles.items():
        points = sorted((float(row[parameter]), float(row["value"])) for row in rows if row["submission"] == submission)
        if points:
            axes.plot(*zip(*points), label=style.submission_label(submission),
                      **{**style.line_style(index, len(styles)), "markevery": (index % 4, 4)})
    last = max(float(row[parameter]) for row in rows)
    top = max(float(row["value"]) for row in rows)
    if metric == "effective_bandwidth" and copy is not None:
        top = max(top, copy)
        if parameter == "offset":
            axes.axhline(copy, **style.IDEAL)
            annotate(axes, last, copy, f"a plain copy: {copy:,.0f}", above=True)
        elif precision in ELEMENT_BYTES:
            steps = sorted({float(row[parameter]) for row in rows})
            model = [copy * max(1 / s, ELEMENT_BYTES[precision] / SECTOR_BYTES) for s in steps]
            axes.plot(steps, model, **style.IDEAL)
            annotate(axes, last, model[-1], "sector model", above=True)
    elif metric == "sectors_per_request_load" and precision in IDEAL_SECTORS:
        ideal = IDEAL_SECTORS[precision]
        axes.axhline(ideal, **style.IDEAL)
        annotate(axes, last, ideal, f"ideal: {ideal} for neighbours, one element a lane", above=False)
        if parameter == "offset" and top >= 2 * ideal:
            axes.axhline(16, **style.IDEAL)
            annotate(axes, last, 16, "ideal: 16 for 16 bytes a lane, with fewer requests", above=False)
    axes.set_ylabel(SWEPT_METRICS[metric])
    axes.set_xlabel(f"{parameter} (elements)")
    axes.set_title(function_of(rows[0]))
    axes.set_ylim(0, 1.14 * top or 1)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=9, integer=True, steps=[1, 2, 4, 5, 8, 10]))


def comparison_of(rows: Rows) -> list[tuple[str, Rows]]:
    """(function, its rows at offset 0 and stride 1): how each submission stands to a copy."""
    functions: dict[str, Rows] = {}
    for row in rows:
        if row["metric"] == "ratio_to_copy" and float(row["offset"]) == 0 and float(row.get("stride", "1")) == 1:
            functions.setdefault(function_of(row), []).append(row)
    # The two precisions of a function beside each other, and otherwise in the order of the file.
    order = list(dict.fromkeys(re.sub(r"_f\d\d$", "", name) for name in functions))
    return sorted(functions.items(), key=lambda item: order.index(re.sub(r"_f\d\d$", "", item[0])))


def draw_comparison(axes, functions: list[tuple[str, Rows]]) -> None:
    """Horizontal bars, function by function, against the copy."""
    place = 0.0
    longest = max(float(row["value"]) for _, rows in functions for row in rows)
    for function, rows in functions:
        axes.text(0, place, function, fontsize=8.5, fontweight="bold", va="center", ha="left")
        place += 1
        for row in rows:
            ratio = float(row["value"])
            axes.barh(place, ratio, height=0.8, color="#9CC9E8" if row["submission"] == "solution" else "#DDEBF5",
                      edgecolor="#333333", linewidth=0.5)
            axes.text(0.006, place, f"{ratio:.3f}  {style.submission_label(row['submission'])}", va="center", fontsize=7.5)
            place += 1
        place += 0.4
    axes.axvline(1, **style.IDEAL)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_ylim(place - 0.4, -0.7)
    axes.set_xlim(0, 1.05 * max(longest, 1))
    axes.set_xlabel("useful bytes a second, in parts of a plain copy (dashed: the copy)")
    axes.set_title("every submission against a plain copy (offset 0, stride 1)")


def draw(measurements: Measurements, path: pathlib.Path):
    measurements.need(path, numeric=("offset", "n"), text=("precision",))
    if "stride" in measurements.columns:
        measurements.need(path, numeric=("stride",))
    metric = next((name for name in SWEPT_METRICS if any(row["metric"] == name for row in measurements.rows)), None)
    if metric is None:
        raise BrokenFile(f"{path} holds neither {' nor '.join(SWEPT_METRICS)}.")
    swept_rows = [row for row in measurements.rows if row["metric"] == metric]
    sweeps = sweeps_of(swept_rows)
    if not sweeps:
        raise BrokenFile(f"{path} holds no sweep: every function was measured at one offset and one stride only.")

    comparison = comparison_of(measurements.rows)
    lines = [[(p, f) for p, f in sweeps if p == parameter] for parameter in PARAMETERS]
    lines = [line for line in lines if line]
    columns = max(len(line) for line in lines)
    bars = sum(len(rows) + 1.4 for _, rows in comparison)
    heights = [2.7] * len(lines) + ([0.6 + 0.17 * bars] if comparison else [])
    figure = style.plt.figure(figsize=(max(6.8, 4.6 * columns), 1.5 + sum(heights)))
    grid = figure.add_gridspec(len(heights), columns, height_ratios=heights)

    submissions = dict.fromkeys(row["submission"] for rows in sweeps.values() for row in rows)
    styles = {submission: index for index, submission in enumerate(submissions)}
    for i, line in enumerate(lines):
        for j, (parameter, function) in enumerate(line):
            draw_sweep(figure.add_subplot(grid[i, j]), parameter, sweeps[parameter, function], styles,
                       copy_of(swept_rows))
    if comparison:
        draw_comparison(figure.add_subplot(grid[len(lines), :]), comparison)
    style.title(figure, "Global memory: what misaligned and strided access costs")
    return figure


if __name__ == "__main__":
    sys.exit(style.main(draw, __doc__.splitlines()[0]))
