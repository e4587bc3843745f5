"""How every figure of the workbook looks: legible in print, and without telling colours apart."""
from __future__ import annotations

import argparse
import os
import pathlib
import re
import sys
import textwrap
from collections.abc import Callable

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402  (the backend has to be chosen first)

from measurements import BrokenFile, Measurements, read  # noqa: E402

# Okabe and Ito's colours, which the common kinds of colour blindness keep apart; no
# yellow, which print loses; and four darker ones after them for pictures with many lines. Markers and dashes tell the lines
# apart without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#6A3D9A", "#8C4A1F", "#8A8D00", "#004D40", "#C2185B")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "*", "h", "p", "d")
DASHES = ("-", (0, (6, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (10, 3)), (0, (2, 4)), (0, (8, 1)), (0, (1, 3)),
          (0, (4, 1, 1, 1)), (0, (12, 2, 2, 2)), (0, (5, 1, 1, 1, 1, 1, 1, 1)))
IDEAL = {"color": "#555555", "linewidth": 1.0, "linestyle": (0, (4, 3)), "zorder": 1}

PROVENANCE = ("device", "SM clock", "driver", "toolkit", "backend", "date", "command")
LEFT_OUT = ("compute capability", "multiprocessors", "L2", "memory", "SM clock after", "clocks before", "clocks after", "order",
            "L2 before each repetition")  # in the data, not in the small print

matplotlib.rcParams.update({
    "figure.dpi": 150, "savefig.dpi": 150, "font.size": 9, "axes.titlesize": 10, "axes.grid": True,
    "grid.color": "#DDDDDD", "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.spines.top": False,
    "axes.spines.right": False, "legend.frameon": False,
    # The same data make the same bytes, and letters look the same wherever the picture is shown.
    "svg.hashsalt": "warpbook", "svg.fonttype": "path",
})


def line_style(index: int, count: int) -> dict:
    """Colour, marker, dashes and weight of the index-th of `count` lines.

    Earlier lines are heavier, so that one that lies on another still shows. Where there are more lines than colours,
    the dashes shift, so that no two lines agree in everything.
    """
    turn, place = divmod(index, len(COLOURS))
    weight = 1 - index / max(count, 2)
    return {"color": COLOURS[place], "marker": MARKERS[place], "linestyle": DASHES[(place + turn) % len(DASHES)],
            "markerfacecolor": COLOURS[place] if turn % 2 == 0 else "white",
            "linewidth": 1.2 + 2 * weight, "markersize": 3 + 4 * weight}


def submission_label(name: str) -> str:
    """step-v0_one_thread_one_element -> v0: one thread one element"""
    kind, _, rest = name.partition("-")
    if kind not in ("step", "peer") or not rest:
        return name
    step = re.match(r"(?:[a-z]+_)*?(v\d+)_(.+)", rest)  # step-columns_v0_block_per_column: its function stands elsewhere
    if kind == "step" and step:
        return f"{step[1]}: {step[2].replace('_', ' ')}"
    return f"{kind} {rest.replace('_', ' ')}"


ALIKE = 0.02  # lines that differ by no more than this part of their values are drawn as one
HAIR = 0.01   # on a linear axis also those that differ by no more than this part of it


def are_alike(one: list[tuple[float, float]], other: list[tuple[float, float]], axis: float = 0) -> bool:
    """Whether two lines, as lists of points, would lie on each other; `axis`: the largest value of a linear axis."""
    return len(one) == len(other) and all(a[0] == b[0] and abs(a[1] - b[1]) <= max(ALIKE * max(abs(a[1]), abs(b[1])), HAIR * axis)
                                          for a, b in zip(one, other))


def shared_lines(lines: dict[str, list[tuple[float, float]]], axis: float = 0) -> list[tuple[list[tuple[float, float]], list[str]]]:
    """The lines to draw for {submission: points}: those that would lie on each other are one, with all their submissions. `axis` as in are_alike()."""
    groups: list[tuple[list[tuple[float, float]], list[str]]] = []
    for submission, points in lines.items():
        same = next((names for drawn, names in groups if are_alike(drawn, points, axis)), None)
        if same is None:
            groups.append((points, [submission]))
        else:
            same.append(submission)
    return groups


def shared_label(submissions: list[str]) -> str:
    """One name for the submissions that share a line: "solution, v0: one thread one element", "solution, v0, v1"."""
    names = [submission_label(submission) for submission in submissions]
    if len([name for name in names if ":" in name]) > 1:
        names = [name.partition(":")[0] for name in names]
    return ", ".join(names)


def provenance_text(provenance: dict[str, str], width: int) -> str:
    """Where the numbers come from, in lines of at most `width` characters."""
    known = [key for key in PROVENANCE if provenance.get(key)]
    known += [key for key in provenance if key not in PROVENANCE + LEFT_OUT and provenance[key]]
    if "file" in known:  # a student's own, which is known by that name and not by that of a submission
        known = ["file", *(key for key in known if key not in ("file", "command"))]
    text = " · ".join(f"{'your file' if key == 'file' else key}: {provenance[key]}" for key in known)
    return textwrap.fill(text or "provenance unknown", width)


def title(figure, text: str, below: str = "") -> None:
    """A title, and under it in smaller print what has to be known to read the figure."""
    height = figure.get_figheight()
    figure.text(0.012, 1 - 0.1 / height, text, fontsize=12, ha="left", va="top")
    lines = 0
    if below:
        small = figure.text(0.012, 1 - 0.36 / height, below, fontsize=8.5, color="#333333", ha="left", va="top",
                            linespacing=1.3)
        right = 0.988 * figure.bbox.width
        letters = int(1.2 * len(below) * right / small.get_window_extent().x1)
        while small.get_window_extent().x1 > right:  # how wide letters are, only the font knows
            small.set_text(textwrap.fill(below, letters))
            letters -= 1
        lines = small.get_text().count("\n") + 1
    figure.warpbook_head = 0.4 + 0.17 * lines


def label_lines(axes, lines: list[tuple[object, str]]) -> None:
    """Writes each line's name at its right end, in its colour; names that would overlap are pushed apart."""
    figure = axes.figure
    size = 8.0
    row = 1.35 * size / 72 * figure.dpi  # pixels
    ends = []
    for line, text in lines:
        x, y = line.get_xdata()[-1], line.get_ydata()[-1]
        ends.append((axes.transData.transform((x, y))[1], x, y, text, line.get_color()))
    ends.sort(key=lambda end: end[0])
    bottom, top = axes.transAxes.transform((0, 0))[1], axes.transAxes.transform((1, 1))[1]
    places: list[float] = []
    for end in ends:  # upwards, each at least a row above the one before
        places.append(max(end[0], places[-1] + row) if places else max(end[0], bottom + row / 2))
    limit = top
    for index in reversed(range(len(places))):  # and down again where they left the axes
        places[index] = min(places[index], limit)
        limit = places[index] - row
    for place, (_, x, y, text, colour) in zip(places, ends):
        height = (place - bottom) / (top - bottom)
        axes.annotate(text, (x, y), xytext=(1.045, height), textcoords="axes fraction", fontsize=size, color=colour,
                      va="center", ha="left", annotation_clip=False,
                      arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 2,
                                  "relpos": (0, 0.5)})


def least_line(axes, points: list[tuple[float, float]], text: str = "") -> list[tuple[object, str]]:
    """A dashed line of the least that the task needs, with its label; nothing where that is not known."""
    if not points:
        return []
    line, = axes.plot(*zip(*points), **{**IDEAL, "marker": "_", "markersize": 5})
    return [(line, text or f"the least: {points[-1][1]:.3g}")]


def least_marks(axes, marks: list[tuple[float, float, str]]) -> None:
    """Black marks across bars where the task needs no more: (the bar's place, where, the number). What they are stands below."""
    for place, at, _ in marks:
        axes.plot([at, at], [place - 0.45, place + 0.45], color="black", linewidth=1.8, solid_capstyle="butt", zorder=4)
    numbers = {number for _, _, number in marks}
    if marks:
        axes.set_xlabel("black mark: the least that is needed" + (f", {numbers.pop()}" if len(numbers) == 1 else ""), fontsize=7.5)


# How a bar of how near a submission comes is filled, by the kind of submission: the colour's index, and the hatch.
BARS = {"solution": (1, "//"), "peer": (2, "..")}


def ratio_bar(axes, at: float, ratio: float, speed: float | None, largest: float, kind: str = "") -> None:
    """A bar of a ratio to a yardstick, with the ratio and the speed in a column that no line crosses."""
    colour, hatch = BARS.get(kind, (5, None))
    axes.barh(at, ratio, height=0.72, color=COLOURS[colour], hatch=hatch, edgecolor="white" if hatch else COLOURS[colour],
              linewidth=0.5)
    axes.text(1.03 * largest, at, f"{ratio:.2f}" + (f"{speed:>11,.0f} GB/s" if speed else ""), va="center", fontsize=7.5)


def ratio_heading(axes, at: float, text: str) -> None:
    """The name of the function that the bars below are of."""
    axes.text(0, at, text, va="center", ha="left", fontsize=8.5, fontweight="bold")


def ratio_figure(bars: int | float):
    """A figure and its axes with room for so many bars and headings."""
    return plt.subplots(figsize=(8.6, 1.5 + 0.235 * bars))


def ratio_axes(axes, names: list[tuple[float, str]], end: float, largest: float, along: str) -> None:
    """What stands around the bars: the yardstick, the submissions' `names` at their places, and what the ratio is."""
    axes.axvline(1, **IDEAL)
    axes.set_yticks([place for place, _ in names], [name for _, name in names], fontsize=7.5)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(end, -0.8)
    axes.set_xlim(0, 1.24 * largest)
    axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(along)


def finish(figure, measurements: Measurements, picture: pathlib.Path, labelled: dict | None = None) -> pathlib.Path:
    """Room for title and labels, and the provenance in small print; saved as `picture`, whose suffix says in which format. Returns its path.

    `labelled` maps axes to their (line, name) pairs, which are written at the lines' ends.
    """
    height, width = figure.get_figheight(), figure.get_figwidth()
    text = provenance_text(measurements.provenance, int(width * 19))
    bottom = (0.14 * (text.count("\n") + 1) + 0.14) / height
    top = 1 - getattr(figure, "warpbook_head", 0.45) / height
    columns = len({round(axes.get_position().x0, 3) for axes in figure.axes})
    room = 0.0
    if labelled:  # to the right of every panel; a letter is about 0.062 inches wide
        longest = max((len(name) for pairs in labelled.values() for _, name in pairs), default=0)
        room = 0.2 + 0.062 * longest
    figure.tight_layout(rect=(0, bottom, 1 - room / width, top), w_pad=room * 72 / 9 if columns > 1 else None)
    for axes, lines in (labelled or {}).items():
        label_lines(axes, lines)
    figure.text(0.012, 0.08 / height, text, fontsize=6.5, color="#555555", va="bottom", ha="left", linespacing=1.3)
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture, metadata={"Date": None} if picture.suffix == ".svg" else None)
    plt.close(figure)
    return picture


def main(draw: Callable[[Measurements, pathlib.Path], dict], description: str) -> int:
    """The command line of a plot script: CSV -o PICTURE.svg. A broken file is a sentence and status 2.

    `draw` gets the measurements and their path, and returns {name: (figure, labelled lines)}. The pictures are
    PICTURE's name with `-name` in it; their paths are printed, one a line.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("csv", type=pathlib.Path, help="what the lab's bench wrote")
    parser.add_argument("-o", "--out", type=pathlib.Path, required=True, metavar="PICTURE",
                        help="NAME.svg: the pictures are NAME-….svg; another suffix, such as .png or .pdf, is another format")
    arguments = parser.parse_args()
    try:
        measurements = read(arguments.csv)
        for name, (figure, labelled) in draw(measurements, arguments.csv).items():
            picture = arguments.out.with_name(f"{arguments.out.stem}-{name}{arguments.out.suffix}")
            print(finish(figure, measurements, picture, labelled))
    except BrokenFile as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        if os.environ.get("WARPBOOK_DEBUG"):
            raise
        print(f"{arguments.out} cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    return 0
