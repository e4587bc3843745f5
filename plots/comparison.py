"""What is compared on the results page: for each lab its tasks at one point of their sweeps. Standard library only."""
from __future__ import annotations

import dataclasses
import functools
import importlib.util
import pathlib
import re
import sys

from measurements import Measurements

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "common"))
from command import lab_facts  # noqa: E402

TIMES = {"ns", "us", "ms", "s"}
KINDS = ("step", "solution", "peer", "yardstick")


@dataclasses.dataclass(frozen=True)
class Task:
    """One function at one point: `where` holds columns and their values; "largest" takes the largest that was measured."""

    text: str  # with {columns} of the point in it
    where: dict[str, str]
    metric: str
    floor: dict  # the least that it has to do: a rule of floors.py, or of the lab's measures.py, and what the rule needs
    ceiling: str = ""  # what the ratio of `ratio` is to, in words
    ratio: str = ""    # the metric of that ratio, measured in turns with the task
    peers: tuple[str, ...] = ()  # submissions that stand for the state of the art, besides peer-…
    unit: str = ""  # instead of the file's


@dataclasses.dataclass(frozen=True)
class Results:
    """A lab's part of the page, as "results" in its lab.json says it."""

    picture: str  # NAME of NN-lab-machine-NAME.svg
    caption: str
    tasks: list[dict]  # the first is the lab's main one
    targets: list[dict] = dataclasses.field(default_factory=list)  # targets.py makes them
    every_task: dict = dataclasses.field(default_factory=dict)     # what is the same in each task
    glance: int = 1  # so many tasks stand in the summary
    labels: dict[str, str] = dataclasses.field(default_factory=dict)  # how submissions are called, where the name does not say it well
    profile: dict = dataclasses.field(default_factory=dict)  # read by common/bench/profile_steps.py
    read_bytes: int = 0  # for each n of its sweep, of the yardstick `read` in it: the ceiling of all that only reads; 0: it has none


@dataclasses.dataclass(frozen=True, eq=False)
class Lab:
    folder: pathlib.Path
    results: Results
    tasks: tuple[Task, ...]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def number(self) -> str:
        return self.name[:2]

    @functools.cached_property
    def measures(self):
        """What the lab computes in a way of its own: its measures.py, or None. It may import all of plots/."""
        path = self.folder / "measures.py"
        if not path.exists():
            return None
        spec = importlib.util.spec_from_file_location(f"measures_{self.number}", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses look for it there
        spec.loader.exec_module(module)
        return module

    def label(self, submission: str) -> str:
        """step-gather_v2_odd_distance -> v2: odd distance"""
        if submission in self.results.labels:
            return self.results.labels[submission]
        kind, _, name = submission.partition("-")
        found = re.search(r"(?:^|_)(v\d+[a-z]?)_(.+)", name)
        if kind == "step" and found:
            return f"{found[1]}: {found[2].replace('_', ' ')}"
        return "readable solution" if submission == "solution" else f"{kind} {name.replace('_', ' ')}"


@functools.cache
def labs() -> tuple[Lab, ...]:
    """The labs that are on the page: those whose lab.json has "results". Raises lab_facts.Broken."""
    found = []
    for folder in lab_facts.folders(ROOT / "labs"):
        said = lab_facts.read(folder).results
        if said is not None:
            where = f"{folder / lab_facts.FILE}, results"
            results = lab_facts.make(Results, said, where)
            tasks = tuple(lab_facts.make(Task, {**results.every_task, **task}, f"{where}, task {number}")
                          for number, task in enumerate(results.tasks, 1))
            found.append(Lab(folder, results, tasks))
    return tuple(found)


@dataclasses.dataclass(frozen=True)
class Entry:
    """One submission's value at a task's point."""

    submission: str
    value: float
    low: float
    high: float
    unit: str
    repetitions: int
    to_ceiling: float | None
    is_peer: bool

    @property
    def kind(self) -> str:
        return self.submission.partition("-")[0].partition(" ")[0]


def listed(names: list[str]) -> str:
    """["a", "b", "c"] as "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def version(submission: str) -> tuple[int, str]:
    """(3, "b") of step-gather_v3b_some_idea; (-1, "") if it has none."""
    found = re.search(r"(?:^|[-_])v(\d+)([a-z]?)_", submission)
    return (int(found[1]), found[2]) if found else (-1, "")


def matching(rows: list[dict[str, str]], where: dict[str, str]) -> list[dict[str, str]]:
    """The rows at the point; of "largest" columns the ones with the largest value, of "=other" those equal to it."""
    for column, wanted in where.items():
        if wanted.startswith("="):
            rows = [row for row in rows if row[column] == row[wanted[1:]]]
    for column, wanted in where.items():
        if wanted == "largest":
            largest = max((float(row[column]) for row in rows), default=0)
            rows = [row for row in rows if float(row[column]) == largest]
        elif not wanted.startswith("="):
            rows = [row for row in rows if row[column] == wanted]
    return rows


def faster(a: float, b: float, unit: str) -> float:
    """How many times as fast a is as b."""
    return b / a if unit in TIMES else a / b


def entries(data: Measurements, task: Task) -> list[Entry]:
    """Every submission at the point, the fastest first."""
    rows = matching([row for row in data.rows if row["metric"] == task.metric], task.where)
    ratios = {row["submission"]: float(row["value"])
              for row in matching([row for row in data.rows if task.ratio and row["metric"] == task.ratio], task.where)}
    rows += [{**row, "submission": f"yardstick {row['function']}"} for row in data.rows
             if row["submission"] == "yardstick" and row["metric"] == task.metric and
             f"yardstick {row['function']}" in task.peers]
    found = [Entry(row["submission"], float(row["value"]), float(row.get("low") or row["value"]),
                   float(row.get("high") or row["value"]), row["unit"], int(row.get("repetitions") or 1),
                   ratios.get(row["submission"]), row["submission"].startswith("peer-") or row["submission"] in task.peers)
             for row in rows if row["submission"] != "yardstick"]
    return sorted(found, key=lambda entry: entry.value if entry.unit in TIMES else -entry.value)


def point_text(data: Measurements, task: Task) -> str:
    """The task in words, with the point's own numbers."""
    rows = matching([row for row in data.rows if row["metric"] == task.metric], task.where)
    if not rows:
        return re.sub(r"\{\w+\}", "?", task.text)

    def number(found: re.Match) -> str:
        value = rows[0][found[1]]
        return f"{int(value):,}" if value.isdigit() else value

    return re.sub(r"\{(\w+)\}", number, task.text)


def last_step(found: list[Entry]) -> Entry | None:
    """The step with the highest number, of those that are not peers."""
    return max((entry for entry in found if entry.kind == "step" and not entry.is_peer),
               key=lambda entry: version(entry.submission), default=None)


def first_step(found: list[Entry]) -> Entry | None:
    """The step with the lowest number, of those that are not peers: the naive one."""
    return min((entry for entry in found if entry.kind == "step" and not entry.is_peer),
               key=lambda entry: version(entry.submission), default=None)


def best_peer(found: list[Entry]) -> Entry | None:
    return next((entry for entry in found if entry.is_peer), None)


def solution(found: list[Entry]) -> Entry | None:
    return next((entry for entry in found if entry.submission == "solution"), None)
