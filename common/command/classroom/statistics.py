"""How the class did: what the pages and pictures of statistics.html are made from, and the page itself.

Numbers are counted once, as data; the tables are for reading, and the pictures, made by matplotlib, for a lecture.
"""
from __future__ import annotations

import base64
import collections
import dataclasses
import io
import os
import pathlib
import sys
import textwrap
from statistics import median

from ..results import number
from ..workbook import Lab, Workbook
from . import feedback, pages
from .model import Graded, Mark

MOST_ITEMS, MOST_DIAGNOSES = 12, 15  # in a picture; tables have them all
PARTS = 10  # of a distribution
STATES = ("solved", "in work", "not begun", "not judged", "does not compile")


@dataclasses.dataclass(frozen=True)
class Item:
    """An item, and how many of the judged hand-ins failed it."""

    name: str
    todo: int
    failed: int
    judged: int

    @property
    def share(self) -> float:
        return self.failed / self.judged if self.judged else 0


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """A diagnosis, in how many hand-ins it came up, and the handout's sections that treat it."""

    id: str
    hand_ins: int
    sections: list[str]


@dataclasses.dataclass(frozen=True)
class LabNumbers:
    """What one lab came to. `shares` are points by what was possible, one for each hand-in."""

    lab: Lab
    missing: int
    late: list[str]
    shares: list[float]
    full: int
    points: list[float]
    most: float
    items: list[Item]
    diagnoses: list[Diagnosis]
    progress: dict[int, dict[str, int]]  # hand-ins by TODO and state


def _todo_states(mark: Mark, todos: list[int]) -> dict[int, str]:
    if mark.verdict is None or mark.verdict.build_failure:
        return dict.fromkeys(todos, "does not compile")
    return {todo: task.state for todo, task in mark.verdict.tasks().items()}


def of_lab(graded: Graded, lab: Lab) -> LabNumbers:
    marks = [mark for mark in graded.marks if mark.lab == lab and not (mark.excused or mark.is_open and mark.hand_in)]
    handed_in = [mark for mark in marks if mark.hand_in]
    judged = [mark for mark in handed_in if mark.verdict and not mark.verdict.build_failure]
    failed, seen, task = collections.Counter(), collections.Counter(), {}
    for mark in judged:
        for result in mark.verdict.results:
            task[result.item] = result.task
        for score in mark.verdict.scores():
            seen[score.item] += score.status in ("passed", "failed")
            failed[score.item] += score.status == "failed"
    items = sorted((Item(name, task[name], failed[name], seen[name]) for name in task), key=lambda item: -item.share)
    todos = sorted({result.task for mark in handed_in if mark.verdict for result in mark.verdict.results if result.task})
    progress = {todo: collections.Counter(_todo_states(mark, todos).get(todo, "not judged") for mark in handed_in) for todo in todos}
    return LabNumbers(lab, len(marks) - len(handed_in), [mark.person.name for mark in handed_in if graded.rules.is_late(mark)],
                      [feedback.share(mark) for mark in handed_in], sum(mark.full for mark in handed_in), [mark.points for mark in handed_in],
                      max((mark.max_points for mark in marks), default=0), items, diagnoses_of(handed_in), progress)


def diagnoses_of(marks: list[Mark]) -> list[Diagnosis]:
    """The commonest first. A hand-in counts once for each; what is not begun is no mistake."""
    count: collections.Counter = collections.Counter()
    sections: dict[str, collections.Counter] = {}
    for mark in marks:
        found: dict[str, list[str]] = {}
        verdict = mark.verdict
        failures = [] if verdict is None else [verdict.build_failure] if verdict.build_failure else verdict.failures
        for result in failures:
            if result.diagnoses and not result.is_unsolved and not result.waits:
                found.setdefault(result.diagnoses[0], []).extend(result.sections)
        if mark.hand_in and mark.hand_in.fault:
            found.setdefault(mark.hand_in.fault.id, [])
        for diagnosis, named in found.items():
            count[diagnosis] += 1
            sections.setdefault(diagnosis, collections.Counter()).update(set(named))
    return [Diagnosis(name, hand_ins, [section for section, _ in sections[name].most_common(3)]) for name, hand_ins in count.most_common()]


def distribution(shares: list[float]) -> list[int]:
    """Hand-ins in PARTS equal parts from nothing to full points; full points belong to the last."""
    counts = [0] * PARTS
    for share in shares:
        counts[min(int(share * PARTS + 1e-9), PARTS - 1)] += 1
    return counts


def page(graded: Graded, numbers: list[LabNumbers], drawn: dict[str, tuple[bytes, bytes, str]]) -> str:
    """`drawn` are the pictures by name: as PNG for light and dark pages, and what they show."""
    text = pages.text
    body = ["<h1>How the class did</h1>", f"<nav>{pages.link('index.html', 'The class')}</nav>",
            f"<p>{len(graded.class_.people)} people. A file that could not be built counts as a hand-in with 0 points, "
            "and not as one that failed each item.</p>"]
    rows = []
    for each in numbers:
        middle = f"{number(round(median(each.points), 2))} of {each.most}" if each.points else "–"
        rows.append([f'<a href="#lab-{each.lab.number}">{text(feedback.lab_title(each.lab))}</a>', str(len(each.shares)), str(each.missing),
                     str(len(each.late)), text(middle), str(each.full)])
    body.append(pages.table(["Lab", "Hand-ins", "Missing", "Late", "Median points", "Full points"], rows, right=(1, 2, 3, 4, 5)))
    for each in numbers:
        body.append(f'<h2 id="lab-{each.lab.number}">{text(feedback.lab_title(each.lab))}</h2>')
        own = [(name, images) for name, images in drawn.items() if name.startswith(f"{each.lab.number}-")]
        if own:
            body.append(f'<div class="plots">{"".join(_figure(images) for _, images in own)}</div>')
        tables = [*(["<h3>Points</h3>", _distribution_table(each)] if each.points else []),
                  *(["<h3>TODOs</h3>", _progress_table(each)] if each.progress else [])]
        body += ["<details><summary>Points and TODOs as tables</summary>", *tables, "</details>"] if own else tables
        if each.items:
            rows = [[text(item.name), text(f"TODO({item.todo})" if item.todo else ""),
                     pages.bar(item.share, f"{item.failed} of {item.judged}")] for item in each.items]
            body += ["<h3>Items, the hardest first</h3>", pages.table(["Item", "TODO", "Failed"], rows)]
        if each.diagnoses:
            rows = [[f"<code>{text(found.id)}</code>", str(found.hand_ins),
                     text("; ".join(f"'{section}'" for section in found.sections) or "–")] for found in each.diagnoses]
            body += ["<h3>Diagnoses</h3>", "<p>In how many hand-ins each came up, and which sections of the lab's pages treat it.</p>",
                     pages.table(["Diagnosis", "Hand-ins", f"Sections in labs/{each.lab.name}"], rows, right=(1,))]
        if each.late:
            body += ["<h3>Late</h3>", f"<p>{text(', '.join(each.late))}</p>"]
    return pages.document("How the class did", body)


def _distribution_table(each: LabNumbers) -> str:
    counts = distribution(each.shares)
    rows = [[f"{part * 100 // PARTS} to {(part + 1) * 100 // PARTS} %", pages.bar(count / max(counts), str(count))]
            for part, count in reversed(list(enumerate(counts)))]
    return pages.table(["Of the points", "Hand-ins"], rows)


def _progress_table(each: LabNumbers) -> str:
    states = [state for state in STATES if any(counts[state] for counts in each.progress.values())]
    rows = [[f"TODO({todo})", *(str(counts[state]) for state in states), pages.bar(counts["solved"] / max(sum(counts.values()), 1), "")]
            for todo, counts in each.progress.items()]
    return pages.table(["TODO", *states, "Solved"], rows, right=tuple(range(1, len(states) + 1)))


def _figure(images: tuple[bytes, bytes, str]) -> str:
    light, dark = (f"data:image/png;base64,{base64.b64encode(image).decode()}" for image in images[:2])
    words = pages.text(images[2])
    return (f'<figure><picture><source media="(prefers-color-scheme: dark)" srcset="{dark}"><img src="{light}" alt="{words}"></picture>'
            f"<figcaption>{words}</figcaption></figure>")


class Drawing:
    """Draws the pictures; each is as wide as a phone, so that its letters stay readable there."""

    WIDTH = 4.6  # inches
    THEMES = ({"paper": "#ffffff", "ink": "#1b1f23", "grid": "#d4d8dd"}, {"paper": "#14171a", "ink": "#e6e9ec", "grid": "#3a4148"})
    # One bar's parts: without colours, too, by their hatches. Okabe and Ito's colours, as in plots/style.py.
    PARTS = {"solved": ("#009E73", ""), "in work": ("#E69F00", "//"), "not begun": ("#9aa2ab", ".."), "not judged": ("#CC79A7", "xx"),
             "does not compile": ("#D55E00", "\\\\")}

    def __init__(self, workbook: Workbook):
        os.environ.setdefault("MPLCONFIGDIR", str(workbook.build_root / "matplotlib"))
        sys.path.insert(0, str(workbook.root / "plots"))
        import style  # chooses matplotlib's backend, too

        self._plot = style.plt
        self._bar = style.COLOURS[5]

    def _made(self, height: float, draw) -> tuple[bytes, bytes]:
        """The picture in both themes. `draw` gets the axes and the colour of ink."""
        made = []
        for colours in self.THEMES:  # light and dark, as pages.css has them
            figure, axes = self._plot.subplots(figsize=(self.WIDTH, height))
            figure.set_facecolor(colours["paper"])
            axes.set_facecolor(colours["paper"])
            axes.grid(color=colours["grid"], linewidth=0.6)
            draw(axes, colours["ink"])
            axes.tick_params(colors=colours["ink"], length=0)
            axes.xaxis.label.set_color(colours["ink"])
            axes.yaxis.label.set_color(colours["ink"])
            for side in ("left", "bottom"):
                axes.spines[side].set_color(colours["grid"])
            figure.tight_layout(pad=0.6)
            out = io.BytesIO()
            figure.savefig(out, format="png", dpi=180, metadata={"Software": None})
            self._plot.close(figure)
            made.append(out.getvalue())
        return made[0], made[1]

    def distribution(self, shares: list[float]) -> tuple[bytes, bytes]:
        counts = distribution(shares)

        def draw(axes, ink):
            axes.bar([part + 0.5 for part in range(PARTS)], counts, width=0.92, color=self._bar)
            for part, count in enumerate(counts):
                if count:
                    axes.annotate(str(count), (part + 0.5, count), ha="center", va="bottom", color=ink, fontsize=9)
            axes.set_xticks(range(0, PARTS + 1, 2), [f"{part * 100 // PARTS} %" for part in range(0, PARTS + 1, 2)])
            axes.set_ylim(0, max(counts) * 1.15 + 0.1)
            axes.yaxis.get_major_locator().set_params(integer=True)
            axes.set_xlabel("points, of those that are possible")
            axes.set_ylabel("hand-ins")
            axes.grid(axis="x", visible=False)
        return self._made(2.6, draw)

    def shares(self, names: list[str], values: list[float], labels: list[str], along: str, most: float) -> tuple[bytes, bytes]:
        """A bar for each name, the first on top."""
        wrapped = [textwrap.fill(name, 30) for name in names]
        places, at = [], 0.0
        for name in wrapped:
            rows = name.count("\n") + 1
            places.append(at + rows / 2)
            at += rows + 0.5

        def draw(axes, ink):
            axes.barh(places, values, height=0.8, color=self._bar)
            for place, value, label in zip(places, values, labels):
                axes.annotate(f" {label}", (value, place), va="center", color=ink, fontsize=8)
            axes.set_yticks(places, wrapped, fontsize=8)
            axes.set_ylim(at, -0.3)
            axes.set_xlim(0, most * 1.22)
            axes.xaxis.get_major_locator().set_params(integer=most > 1)
            axes.set_xlabel(along)
            axes.grid(axis="y", visible=False)
        return self._made(0.75 + 0.185 * at, draw)

    def progress(self, progress: dict[int, dict[str, int]]) -> tuple[bytes, bytes]:
        states = [state for state in STATES if any(counts[state] for counts in progress.values())]

        def draw(axes, ink):
            places = list(range(len(progress)))
            left = [0] * len(progress)
            for state in states:
                counts = [progress[todo][state] for todo in progress]
                colour, hatch = self.PARTS[state]
                axes.barh(places, counts, left=left, height=0.66, color=colour, hatch=hatch, edgecolor="white", linewidth=0.4, label=state)
                left = [a + b for a, b in zip(left, counts)]
            axes.set_yticks(places, [f"TODO({todo})" for todo in progress])
            axes.set_ylim(len(progress) - 0.5, -0.5)
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.set_xlabel("hand-ins")
            axes.grid(axis="y", visible=False)
            legend = axes.legend(loc="lower left", bbox_to_anchor=(-0.18, 1.0), ncols=3, fontsize=8, handlelength=1.4, columnspacing=1.0)
            for words in legend.get_texts():
                words.set_color(ink)
        return self._made(1.25 + 0.3 * len(progress), draw)


def draw_all(numbers: list[LabNumbers], workbook: Workbook) -> dict[str, tuple[bytes, bytes, str]]:
    """The pictures by name, each with a sentence. Raises ImportError without matplotlib."""
    drawing, made = Drawing(workbook), {}
    for each in numbers:
        name, title = each.lab.number, feedback.lab_title(each.lab)
        if each.shares:
            made[f"{name}-points"] = (*drawing.distribution(each.shares), f"{title}: how many hand-ins have how many of the points")
        if each.progress:
            made[f"{name}-todos"] = (*drawing.progress(each.progress), f"{title}: what became of each TODO")
        hard = [item for item in each.items if item.failed][:MOST_ITEMS]
        if hard:
            labels = [f"{item.failed} of {item.judged}" for item in hard]
            made[f"{name}-items"] = (*drawing.shares([item.name for item in hard], [100 * item.share for item in hard], labels,
                                                     "% of the hand-ins that were run", 100),
                                     f"{title}: the items that most hand-ins fail")
        common = each.diagnoses[:MOST_DIAGNOSES]
        if common:
            made[f"{name}-diagnoses"] = (*drawing.shares([found.id for found in common], [found.hand_ins for found in common],
                                                         [str(found.hand_ins) for found in common], "hand-ins", common[0].hand_ins),
                                         f"{title}: the commonest diagnoses")
    return made


def write(graded: Graded, out: pathlib.Path, workbook: Workbook) -> list[str]:
    """statistics.html, and its pictures as PNG in plots/. Returns lines for the terminal where something could not be drawn."""
    numbers = [of_lab(graded, lab) for lab in graded.labs]
    said: list[str] = []
    try:
        drawn = draw_all(numbers, workbook)
    except ImportError as error:
        drawn = {}
        said = [f"No pictures in statistics.html: {sys.executable} has no {error.name}. The tables are there."]
    folder = out / "plots"
    folder.mkdir(parents=True, exist_ok=True)
    for name, (light, _, _) in drawn.items():
        (folder / f"{name}.png").write_bytes(light)
    (out / "statistics.html").write_text(page(graded, numbers, drawn), encoding="utf-8")
    return said
