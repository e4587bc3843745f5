"""Lab 03: pairs a second against n, tile and bodies a thread; the energy over time; two spheres of stars that collide.

From the simulator's measurements: reads, requests and barriers against n instead of speeds.
"""
from __future__ import annotations

import csv
import pathlib
import sys

import numpy
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

import style
from measurements import BrokenFile, Measurements, least_over, pick

COUNTERS = {  # metric: (name of the figure, label of the axis, title)
    "global_reads_of_a_body": ("reads", "reads of a body from global memory", "How often a body is fetched"),
    "shared_requests_of_a_pair": ("requests", "shared memory requests for a warp's 32 pairs", "What a pair asks shared memory for"),
    "barriers_of_a_block": ("barriers", "barriers of a block", "How often a block waits"),
}
SPHERES = ("#0072B2", "#D55E00")
HALF_WIDTH, HALF_HEIGHT = 9.0, 7.0  # of a panel of the collision, in radii of a sphere


def whole(axis, values: list[float]) -> None:
    """Ticks at these values only, as plain numbers, on a logarithmic axis."""
    axis.set_major_locator(FixedLocator(values))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axis.set_minor_formatter(NullFormatter())


def powers(values: list[float]) -> list[float]:
    """Every other power of two among them: what an axis has room for."""
    found = sorted({value for value in values if value == 2 ** round(value).bit_length() / 2})
    return found[::2] if len(found) > 6 else found


def bound_of(measurements: Measurements) -> float | None:
    rows = pick(measurements.rows, submission="yardstick", metric="interactions")
    return float(rows[0]["value"]) if rows else None


def over_n(measurements: Measurements, metric: str, label: str, title: str, note: str, log: bool = False):
    """A line for each submission against n."""
    rows = pick(measurements.rows, metric=metric, function="accelerations")
    names = list(dict.fromkeys(row["submission"] for row in rows))
    figure, axes = style.plt.subplots(figsize=(8.4, 4.9))
    lines = []
    for index, name in enumerate(names):
        points = sorted((float(row["n"]), float(row["value"])) for row in pick(rows, submission=name))
        line, = axes.plot(*zip(*points), **style.line_style(index, len(names)))
        last = f"{points[-1][1]:,.0f}" if points[-1][1] >= 10 else f"{points[-1][1]:.3g}"
        lines.append((line, f"{style.submission_label(name)}: {last}"))
    sizes = [float(row["n"]) for row in rows]
    bound = bound_of(measurements)
    if bound and metric == "interactions":
        line, = axes.plot([min(sizes), max(sizes)], [bound, bound], **style.IDEAL)
        lines.append((line, f"13 instructions a pair: {bound:,.0f}"))
    lines += style.least_line(axes, least_over(rows, "n"))
    axes.set_xscale("log", base=2)
    whole(axes.xaxis, powers(sizes))
    axes.set_xlabel("bodies")
    axes.set_ylabel(label)
    if log:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    else:
        axes.set_ylim(bottom=0)
    style.title(figure, title, note)
    return figure, {axes: lines}


def over_tile(measurements: Measurements, rows: list[dict[str, str]]):
    """A line for each tile against the bodies that a thread has."""
    tiles = sorted({int(row["tile"]) for row in rows})
    figure, axes = style.plt.subplots(figsize=(7.4, 4.3))
    lines = []
    for index, tile in enumerate(tiles):
        points = sorted((float(row["bodies_per_thread"]), float(row["value"])) for row in pick(rows, tile=str(tile)))
        line, = axes.plot(*zip(*points), **style.line_style(index, len(tiles)))
        lines.append((line, f"tile of {tile}"))
    bound = bound_of(measurements)
    counts = sorted({float(row["bodies_per_thread"]) for row in rows})
    if bound:
        line, = axes.plot([counts[0], counts[-1]], [bound, bound], **style.IDEAL)
        lines.append((line, "13 instructions a pair"))
    axes.set_xscale("log", base=2)
    whole(axes.xaxis, counts)
    axes.set_xlabel("bodies a thread")
    axes.set_ylabel("billion pairs a second")
    axes.set_ylim(bottom=0)
    style.title(figure, "How large a tile, how many bodies a thread?",
                f"Two buffers and one barrier a tile, at n = {int(rows[0]['n']):,}. Many bodies a thread leave few warps, and few blocks: "
                "a large tile then has no work for every multiprocessor.")
    return figure, {axes: lines}


def over_time(measurements: Measurements, rows: list[dict[str, str]]):
    """The energy's relative error: one sphere with two methods, and the collision."""
    figure, axes = style.plt.subplots(figsize=(8.0, 4.3))
    series = dict.fromkeys((row["function"], row["dt"], row["n"]) for row in rows)
    lines = []
    for index, (method, dt, n) in enumerate(series):
        points = [(float(row["time"]), abs(float(row["value"]))) for row in pick(rows, function=method, dt=dt, n=n)]
        points = [point for point in points if point[1] > 0]
        if not points:
            continue
        line, = axes.plot(*zip(*points), **{**style.line_style(index, len(series)), "markersize": 2.5, "linewidth": 1.3})
        lines.append((line, f"{method}, dt = 1/{round(1 / float(dt))}, n = {int(n):,}"))
    axes.set_yscale("log")
    axes.set_xlabel("time")
    axes.set_ylabel("|E - E(0)| / |E(0)|")
    style.title(figure, "What a simulation keeps of its energy",
                "A sphere of stars in equilibrium. Leapfrog's error swings, and a quarter of it is left where dt is halved; Euler's method "
                "wins energy in every step. The collision is the one of the picture.")
    return figure, {axes: lines}


def read_frames(path: pathlib.Path) -> tuple[dict[str, str], list[dict[str, int]]]:
    """The collision's own file: provenance, and a row for each body."""
    provenance: dict[str, str] = {}
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            key, _, value = line[1:].partition(":")
            provenance[key.strip()] = value.strip()
        elif line.strip():
            lines.append(line)
    try:
        bodies = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(lines)]
        times = [float(time) for time in provenance["times"].split()]
        if not bodies or any(f"{axis}{k}" not in bodies[0] for k in range(len(times)) for axis in "xy"):
            raise KeyError
    except (KeyError, TypeError, ValueError):
        raise BrokenFile(f"{path} does not hold the bodies of a collision.") from None
    return provenance, bodies


def collision(path: pathlib.Path):
    provenance, bodies = read_frames(path)
    times = [float(time) for time in provenance["times"].split()]
    columns = 3
    figure, grid = style.plt.subplots((len(times) + columns - 1) // columns, columns, figsize=(9.6, 6.1), squeeze=False)
    size = 0.9 if len(bodies) > 3000 else 1.8 if len(bodies) > 1000 else 4.0
    for axes, (k, time) in zip(grid.flat, enumerate(times)):
        axes.set_facecolor("#0B0E14")
        for sphere, colour in zip((1, 2), ("#6FB7E9", "#FFB36B")):
            x, y = (numpy.array([body[f"{axis}{k}"] / 100 for body in bodies if body["sphere"] == sphere]) for axis in "xy")
            axes.scatter(x, y, s=size, color=colour, alpha=0.55, linewidths=0, rasterized=True)
        axes.set_xlim(-HALF_WIDTH, HALF_WIDTH)
        axes.set_ylim(-HALF_HEIGHT, HALF_HEIGHT)
        axes.set_aspect("equal")
        axes.grid(visible=False)
        for spine in axes.spines.values():  # a white frame keeps the panels apart
            spine.set(visible=True, color="white", linewidth=3)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.text(0.03, 0.95, f"t = {time:g}", transform=axes.transAxes, va="top", color="white", fontsize=9)
    for axes in list(grid.flat)[len(times):]:
        axes.set_visible(False)
    style.title(figure, "Two spheres of stars collide",
                f"Computed with the lab's own leapfrog_step: {provenance.get('collision', '')}. Colours tell from which sphere a body comes.")
    return figure, None


def draw(measurements: Measurements, path: pathlib.Path) -> dict:
    measurements.need(path, numeric=("n", "tile", "bodies_per_thread", "dt", "time"))
    figures = {}
    if pick(measurements.rows, metric="interactions", function="accelerations"):
        figures["speed"] = over_n(measurements, "interactions", "billion pairs a second", "What each step brings",
                                  "n bodies are n * n pairs. The custom counts 20 floating-point operations for a pair: 2,000 billion "
                                  "pairs a second are 40 TFLOP/s. The numbers are those of the largest n.")
    tuned = pick(measurements.rows, metric="interactions", function="accelerations_tuned")
    if tuned:
        figures["tile"] = over_tile(measurements, tuned)
    for metric, (name, label, title) in COUNTERS.items():
        if pick(measurements.rows, metric=metric, function="accelerations"):
            figures[name] = over_n(measurements, metric, label, title, "Counted by the simulator. The numbers are those of the largest n.",
                                    log=metric == "global_reads_of_a_body")
    energies = pick(measurements.rows, metric="energy_error")
    if energies:
        figures["energy"] = over_time(measurements, energies)
    frames = path.with_name(f"collision-{path.name}")
    if frames.exists():
        figures["collision"] = collision(frames)
    if not figures:
        raise BrokenFile(f"{path} holds no measurements of lab 03.")
    return figures


if __name__ == "__main__":
    sys.exit(style.main(draw, __doc__.splitlines()[0]))
