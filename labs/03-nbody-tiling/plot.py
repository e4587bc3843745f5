"""Lab 03: directed pairs per second against n, tile and bodies per thread; the energy over time; two spheres of stars that collide.

From the simulator's measurements: reads, requests and barriers against n instead of speeds.
"""
from __future__ import annotations

import csv
import itertools
import pathlib
import sys

import numpy
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

import style
from measurements import BrokenFile, Measurements, least_over, pick

COUNTERS = {  # metric: (name of the figure, label of the axis, title)
    "global_reads_of_a_body": ("reads", "reads per body from global memory", "How often each body is read from global memory"),
    "shared_requests_of_a_pair": ("requests", "shared memory requests per 32 directed pairs", "How many requests to shared memory 32 directed pairs take"),
    "barriers_of_a_block": ("barriers", "barriers per block", "How often a block waits"),
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


def bounds_of(measurements: Measurements) -> list[tuple[str, float]]:
    """What the schedulers allow: each method in words, and billion directed pairs per second."""
    return [(row["function"], float(row["value"])) for row in pick(measurements.rows, submission="yardstick", metric="interactions")]


def over_n(measurements: Measurements, metric: str, label: str, title: str, note: str, log: bool = False):
    """A line for each submission against n. Submissions with the same values share a line, which has all their names."""
    rows = pick(measurements.rows, metric=metric, function="accelerations")
    same: dict[tuple, list[str]] = {}
    for name in dict.fromkeys(row["submission"] for row in rows):
        points = sorted((float(row["n"]), float(row["value"])) for row in pick(rows, submission=name))
        same.setdefault(tuple(points), []).append(style.submission_label(name))
    figure, axes = style.plt.subplots(figsize=(8.4, 4.9))
    lines = []
    for index, (points, names) in enumerate(same.items()):
        line, = axes.plot(*zip(*points), **style.line_style(index, len(same)))
        last = f"{points[-1][1]:,.0f}" if points[-1][1] >= 10 else f"{points[-1][1]:.3g}"
        together = names[0] if len(names) == 1 else ", ".join(name.split(":")[0] for name in names)
        lines.append((line, f"{together}: {last}"))
    sizes = [float(row["n"]) for row in rows]
    for method, bound in bounds_of(measurements) if metric == "interactions" else []:
        line, = axes.plot([min(sizes), max(sizes)], [bound, bound], **style.IDEAL)
        lines.append((line, f"{method}: {bound:,.0f}"))
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
    """A line for each tile size against the bodies per thread."""
    tiles = sorted({int(row["tile"]) for row in rows})
    figure, axes = style.plt.subplots(figsize=(7.4, 4.3))
    lines = []
    for index, tile in enumerate(tiles):
        points = sorted((float(row["bodies_per_thread"]), float(row["value"])) for row in pick(rows, tile=str(tile)))
        line, = axes.plot(*zip(*points), **style.line_style(index, len(tiles)))
        lines.append((line, f"tile of {tile}"))
    counts = sorted({float(row["bodies_per_thread"]) for row in rows})
    for method, bound in bounds_of(measurements)[:1]:  # each of these kernels computes either direction by itself
        line, = axes.plot([counts[0], counts[-1]], [bound, bound], **style.IDEAL)
        lines.append((line, method))
    axes.set_xscale("log", base=2)
    whole(axes.xaxis, counts)
    axes.set_xlabel("bodies per thread")
    axes.set_ylabel("billion directed pairs per second")
    axes.set_ylim(bottom=0)
    style.title(figure, "How large a tile, how many bodies per thread?",
                f"Two buffers and one barrier per tile, at n = {int(rows[0]['n']):,}. Many bodies per thread in large blocks make few "
                "blocks, which multiprocessors cannot share evenly. Where lines lie on each other, the tile's size makes no difference.")
    return figure, {axes: lines}


def over_time(measurements: Measurements, rows: list[dict[str, str]]):
    """The energy's largest relative error so far: of one sphere with two methods, and of the collision in a panel of its own."""
    series = dict.fromkeys((row["function"], row["dt"], row["n"]) for row in rows)
    panels = {"a sphere of stars in equilibrium": [key for key in series if key[0] != "collision"],
              "the collision": [key for key in series if key[0] == "collision"]}
    panels = {heading: keys for heading, keys in panels.items() if keys}
    figure, grid = style.plt.subplots(1, len(panels), figsize=(8.0 if len(panels) == 1 else 11.6, 4.3), sharey=True, squeeze=False)
    labelled, drawn = {}, 0
    for axes, (heading, keys) in zip(grid[0], panels.items()):
        labelled[axes] = []
        for method, dt, n in keys:
            points = sorted((float(row["time"]), abs(float(row["value"]))) for row in pick(rows, function=method, dt=dt, n=n))
            largest = list(itertools.accumulate((error for _, error in points), max))
            points = [(time, error) for (time, _), error in zip(points, largest) if error > 0]
            if points:
                line, = axes.plot(*zip(*points), color=style.COLOURS[drawn], linestyle=style.DASHES[drawn], linewidth=1.8)
                labelled[axes].append((line, f"{method}, dt = 1/{round(1 / float(dt))}, n = {int(n):,}"))
                drawn += 1
        axes.set_yscale("log")
        axes.set_xlabel("time")
        axes.set_title(heading, loc="left")
    grid[0, 0].set_ylabel("largest |E - E(0)| / |E(0)| so far")
    style.title(figure, "What a simulation keeps of its energy",
                "The largest relative error of the energy up to each time. With leapfrog the error swings and stays small, and it is smaller "
                "with a shorter step; Euler's method gains energy in every step.")
    return figure, labelled


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
                f"Computed with the lab's own leapfrog_step: {provenance.get('collision', '')}. The colours show which sphere a body comes from.")
    return figure, None


def draw(measurements: Measurements, path: pathlib.Path) -> dict:
    measurements.need(path, numeric=("n", "tile", "bodies_per_thread", "dt", "time"))
    figures = {}
    if pick(measurements.rows, metric="interactions", function="accelerations"):
        figures["speed"] = over_n(measurements, "interactions", "billion directed pairs per second", "What each step brings",
                                  "n bodies are n * n directed pairs, also where a step computes both directions at once. With the customary 20 "
                                  "floating-point operations for each, 2,000 billion directed pairs per second are 40 TFLOP/s. The numbers are those "
                                  "of the largest n.")
    tuned = pick(measurements.rows, metric="interactions", function="accelerations_tuned")
    if tuned:
        figures["tile"] = over_tile(measurements, tuned)
    for metric, (name, label, title) in COUNTERS.items():
        if pick(measurements.rows, metric=metric, function="accelerations"):
            figures[name] = over_n(measurements, metric, label, title, "Counted by the simulator. The numbers are those of the largest n. Submissions with the same counts share a line.",
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
