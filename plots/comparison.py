"""What is compared on the results page: for each lab its tasks at one point of their sweeps. Standard library only."""
from __future__ import annotations

import dataclasses
import re

from measurements import Measurements

TIMES = {"ns", "us", "ms", "s"}
KINDS = ("step", "solution", "peer", "yardstick")


@dataclasses.dataclass(frozen=True)
class Task:
    """One function at one point: `where` holds columns and their values; "largest" takes the largest that was measured."""

    text: str  # with {columns} of the point in it
    where: dict[str, str]
    metric: str
    ceiling: str = ""  # what the ratio of `ratio` is to, in words
    ratio: str = ""    # the metric of that ratio, measured in turns with the task
    peers: tuple[str, ...] = ()  # submissions that stand for the state of the art, besides peer-…
    unit: str = ""  # instead of the file's


@dataclasses.dataclass(frozen=True)
class Lab:
    name: str
    title: str
    picture: str  # NAME of NN-lab-machine-NAME.png
    caption: str
    tasks: tuple[Task, ...]  # the first is the lab's main one
    glance: int = 1  # so many of them stand in the summary


COPY, READ = "a plain copy", "a kernel that only reads"
BANDWIDTH = {"metric": "effective_bandwidth", "ceiling": COPY, "ratio": "ratio_to_copy"}
DOT = {"metric": "bandwidth", "ceiling": READ, "ratio": "ratio_to_read"}
BINS = {"metric": "rate", "ceiling": READ, "ratio": "ratio_to_read", "unit": "G values/s"}
TIME = {"metric": "time", "unit": "µs"}


def histogram(nbins: int, values: str = "uniform", spread: str = "spread over all bins") -> Task:
    return Task(f"histogram, {nbins:,} bins, {{n}} values {spread}",
                {"function": "histogram", "nbins": str(nbins), "values": values}, **BINS)


LABS = (
    Lab("01-coalescing", "Coalescing", "offset", "Bandwidth of offset_add against the offset", (
        Task("offset_add_f32, offset 1, {n} floats", {"function": "offset_add_f32", "offset": "1", "stride": "1"}, **BANDWIDTH),
        Task("stride_add_f32, stride 8, {n} floats of {stride} times as many", {"function": "stride_add_f32", "stride": "8"},
             **BANDWIDTH),
        Task("copy_vectorized, {n} floats", {"function": "copy_vectorized"}, peers=("yardstick memcpy",), **BANDWIDTH),
        Task("advance_particles, {n} particles", {"function": "advance_particles"}, **BANDWIDTH),
        Task("column_sums, {n} floats", {"function": "column_sums"}, **BANDWIDTH))),
    Lab("02-shared-memory", "Shared memory", "steps", "Every step's bandwidth as a ratio to a copy", (
        Task("transpose, {rows} x {cols} floats", {"function": "transpose", "rows": "largest", "cols": "=rows"}, **BANDWIDTH),
        Task("reverse_blocks, {cols} ints", {"function": "reverse_blocks"}, **BANDWIDTH),
        Task("two_arrays, {rows} x {cols} doubles and letters", {"function": "two_arrays"}, **BANDWIDTH),
        Task("gather_strided_f32, stride 32", {"function": "gather_strided_f32", "stride": "32"}, **BANDWIDTH),
        Task("stencil, radius 16, {cols} floats", {"function": "stencil", "radius": "16"}, **BANDWIDTH))),
    Lab("03-nbody-tiling", "N-body tiling", "speed", "Pairs a second against the number of bodies", (
        Task("accelerations, {n} bodies", {"function": "accelerations", "n": "largest"}, "interactions",
             "13 issue slots a pair at the measured clock", "share_of_bound", unit="G pairs/s"),)),
    Lab("04-dot-product", "Dot product", "length", "Bandwidth of the dot product against its length", (
        Task("dot_f32, {n} elements", {"function": "dot_f32", "n": str(1 << 28)}, **DOT),
        Task("dot_f64, {n} elements", {"function": "dot_f64", "n": str(1 << 28)}, **DOT),
        Task("dot_f32, {n} elements", {"function": "dot_f32", "n": str(1 << 16)}, **DOT)), glance=3),
    Lab("05-dynamic-parallelism", "Dynamic parallelism", "sums", "Times of the reductions against n", (
        Task("reduce_interleaved (flat), {size} ints", {"function": "reduce_interleaved", "size": "largest"}, **TIME),
        Task("reduce_nested_by_level, {size} ints", {"function": "reduce_nested_by_level", "size": "largest"}, **TIME),
        Task("reduce_nested, {size} ints", {"function": "reduce_nested", "size": "largest"}, **TIME),
        Task("mandelbrot_adaptive, {size} x {size} pixels, at most {max_dwell} steps",
             {"function": "mandelbrot_adaptive", "max_dwell": "largest"}, peers=("step-mandelbrot_v0_flat",), **TIME)), glance=4),
    Lab("06-cluster-histogram", "Cluster histogram", "steps", "Values a second against the number of bins", (
        histogram(2048), histogram(65_536), histogram(524_288), histogram(65_536, "skewed", "of which 15 in 16 fall into the first")), glance=4),
)


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
