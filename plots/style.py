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
# yellow, which print loses. Markers and dashes tell the lines apart without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", (0, (6, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (10, 3)), (0, (2, 4)))
IDEAL = {"color": "#555555", "linewidth": 1.0, "linestyle": (0, (4, 3)), "zorder": 1}

PROVENANCE = ("device", "driver", "toolkit", "backend", "date", "command")

matplotlib.rcParams.update({
    "figure.dpi": 150, "savefig.dpi": 150, "font.size": 9, "axes.titlesize": 10, "axes.grid": True,
    "grid.color": "#DDDDDD", "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.spines.top": False,
    "axes.spines.right": False, "legend.frameon": False,
    "svg.hashsalt": "warpbook",
})


def line_style(index: int, count: int) -> dict:
    """Colour, marker, dashes and weight of the index-th of `count` lines.

    Earlier lines are heavier, so that one that lies on another still shows. After seven
    lines the dashes shift, so that no two lines agree in everything.
    """
    turn, place = divmod(index, len(COLOURS))
    weight = 1 - index / max(count, 2)
    return {"color": COLOURS[place], "marker": MARKERS[place], "linestyle": DASHES[(place + turn) % len(DASHES)],
            "markerfacecolor": COLOURS[place] if turn % 2 == 0 else "white",
            "linewidth": 1.2 + 2 * weight, "markersize": 3 + 4 * weight}


def submission_label(name: str) -> str:
    """step-v0_one_thread_one_element -> step v0: one thread one element; step-copy_v1_… -> step copy v1: …"""
    kind, _, rest = name.partition("-")
    if kind not in ("step", "peer") or not rest:
        return name
    numbered = re.fullmatch(r"(?:([a-z]+)_)?(v\d+)_(.+)", rest)
    if kind == "step" and numbered:
        story, version, idea = numbered.groups()
        return f"step {story + ' ' if story else ''}{version}: {idea.replace('_', ' ')}"
    return f"{kind} {rest.replace('_', ' ')}"


def provenance_text(provenance: dict[str, str], width: int) -> str:
    """Where the numbers come from, in lines of at most `width` characters."""
    known = [key for key in PROVENANCE if provenance.get(key)]
    known += [key for key in provenance if key not in PROVENANCE and provenance[key]]
    text = " · ".join(f"{key}: {provenance[key]}" for key in known)
    return textwrap.fill(text or "provenance unknown", width)


def title(figure, text: str) -> None:
    figure.text(0.012, 1 - 0.1 / figure.get_figheight(), text, fontsize=12, ha="left", va="top")


def finish(figure, measurements: Measurements, picture: pathlib.Path) -> None:
    """One legend for all panels, and the provenance in small print; saved as PNG and SVG."""
    inch = 1 / figure.get_figheight()
    handles: dict[str, object] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    columns = max(1, min(len(handles), int(figure.get_figwidth() / 3)))
    legend_rows = -(-len(handles) // columns)
    top = 1 - (0.45 + 0.19 * legend_rows) * inch
    text = provenance_text(measurements.provenance, int(figure.get_figwidth() * 21))
    bottom = (0.14 * (text.count("\n") + 1) + 0.14) * inch
    figure.tight_layout(rect=(0, bottom, 1, top))
    if handles:
        figure.legend(handles.values(), handles.keys(), fontsize=7.5, loc="upper left", ncol=columns,
                      bbox_to_anchor=(0.005, 1 - 0.36 * inch), handlelength=3.4, columnspacing=1.5, borderpad=0.2)
    figure.text(0.012, 0.08 * inch, text, fontsize=6.5, color="#555555", va="bottom", ha="left", linespacing=1.3)
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture)
    if picture.suffix.lower() != ".svg":
        figure.savefig(picture.with_suffix(".svg"), metadata={"Date": None})
    plt.close(figure)


def main(draw: Callable[[Measurements, pathlib.Path], object], description: str) -> int:
    """The command line of a plot script: CSV -o PNG. A broken file is a sentence and status 2.

    `draw` gets the measurements and their path, and returns the figure.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("csv", type=pathlib.Path, help="what the lab's bench wrote")
    parser.add_argument("-o", "--out", type=pathlib.Path, required=True, metavar="PNG", help="the SVG goes beside it")
    arguments = parser.parse_args()
    try:
        measurements = read(arguments.csv)
        finish(draw(measurements, arguments.csv), measurements, arguments.out)
    except BrokenFile as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        if os.environ.get("WARPBOOK_DEBUG"):
            raise
        print(f"{arguments.out} cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    return 0
