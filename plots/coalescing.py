"""Lab 01: what misaligned and strided access costs.

One panel per metric, function and precision; one line per submission, against the
offset or the stride.
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

LABELS = {
    "sectors_per_request_load": "sectors per load request",
    "sectors_per_request_store": "sectors per store request",
    "effective_bandwidth": "effective bandwidth",
}


def precision_of(row: dict[str, str]) -> str:
    return {"float": "f32", "fp32": "f32", "double": "f64", "fp64": "f64"}.get(row["precision"], row["precision"])


def function_of(row: dict[str, str]) -> str:
    """The function's name with its precision at the end, once."""
    name = re.sub(r"_(f32|f64)$", "", row["function"])
    return f"{name}_{precision_of(row)}" if precision_of(row) else name


def draw_panel(axes, rows: list[dict[str, str]], styles: dict[str, int]) -> None:
    """One function's lines of one metric."""
    function, metric, precision = function_of(rows[0]), rows[0]["metric"], precision_of(rows[0])
    for submission, index in styles.items():
        points = sorted((float(row["offset"]), float(row["value"])) for row in rows if row["submission"] == submission)
        if points:
            axes.plot(*zip(*points), label=style.submission_label(submission), **style.line_style(index, len(styles)))

    adjacent = function.startswith(("offset_add", "stride_add"))
    if metric.startswith("sectors_per_request") and adjacent and precision in IDEAL_SECTORS:
        ideal = IDEAL_SECTORS[precision]
        axes.axhline(ideal, **style.IDEAL)
        axes.annotate(f"ideal: {ideal}", (1, ideal), xycoords=("axes fraction", "data"), xytext=(-2, -4),
                      textcoords="offset points", fontsize=7.5, color="#555555", ha="right", va="top")
    unit = rows[0]["unit"]
    label = LABELS.get(metric, metric.replace("_", " "))
    axes.set_ylabel(f"{label} ({unit})" if unit and unit not in label.split() else label)
    axes.set_xlabel(f"{'stride' if 'stride' in function else 'offset'} (elements)")
    axes.set_title(function)
    axes.set_ylim(0, 1.12 * max(float(row["value"]) for row in rows) or 1)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=9, integer=True, steps=[1, 2, 4, 5, 8, 10]))


def draw(measurements: Measurements, path: pathlib.Path):
    measurements.need(path, numeric=("offset", "n"), text=("precision",))
    panels: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in measurements.rows:
        panels.setdefault((row["metric"], function_of(row)), []).append(row)
    swept = {key: rows for key, rows in panels.items() if len({row["offset"] for row in rows}) > 1}
    if not swept:
        raise BrokenFile(f"{path} holds no sweep: every function was measured at one offset only.")

    metrics = list(dict.fromkeys(metric for metric, _ in swept))
    functions = list(dict.fromkeys(function for _, function in swept))
    submissions = dict.fromkeys(row["submission"] for rows in swept.values() for row in rows)
    styles = {submission: index for index, submission in enumerate(submissions)}
    figure, grid = style.plt.subplots(len(metrics), len(functions), squeeze=False,
                                      figsize=(max(6.8, 4.4 * len(functions)), 1.6 + 2.6 * len(metrics)))
    for i, metric in enumerate(metrics):
        for j, function in enumerate(functions):
            if (metric, function) in swept:
                draw_panel(grid[i][j], swept[(metric, function)], styles)
            else:
                grid[i][j].set_axis_off()
    style.title(figure, "Global memory: what misaligned and strided access costs")
    return figure


if __name__ == "__main__":
    sys.exit(style.main(draw, __doc__.splitlines()[0]))
