"""What a bench measured, as the story that the steps tell: one line per step with its idea and what it brought."""
from __future__ import annotations

import dataclasses
import math
import pathlib
import re

_NOT_A_PARAMETER = {"submission", "function", "metric", "value", "low", "high", "best", "spread", "repetitions", "unit", "l2",
                    "turn", "least", "line"}
_KINDS = ("yardstick", "step", "solution", "peer")  # in the order of the lines
_RATES = re.compile(r"/s$|^ratio$")
_TIMES = {"ns", "us", "ms", "s"}
_TITLE_WIDTH = 16  # columns that the ideas have at least
_NOTABLE = 1.05  # a step that brings less is not a turning point

LEAST = "least"  # in the place of a submission: what the task needs

Sweep = dict[tuple, float]  # the value at each point of the sweep


@dataclasses.dataclass(frozen=True)
class Line:
    """One submission's values for one function: `values` per metric (smallest, largest), a step's `gain` over the last."""

    submission: str
    values: dict[str, tuple[float, float]]
    gain: float | None


def kind_of(submission: str) -> str:
    return submission.partition("-")[0]


def _order(submission: str) -> tuple[int, int]:
    kind = kind_of(submission)
    version = re.search(r"v(\d+)_", submission)
    return (_KINDS.index(kind) if kind in _KINDS else len(_KINDS), int(version.group(1)) if version else 0)


def _better(unit: str) -> int:
    """1 where a larger value is the better one, -1 for times, 0 where the unit does not say."""
    if _RATES.search(unit):
        return 1
    return -1 if unit in _TIMES else 0


def _gain(before: Sweep, now: Sweep, direction: int) -> float | None:
    """Geometric mean of now over before at the points that both have; above 1 is better."""
    points = [point for point in now if before.get(point, 0) > 0 and now[point] > 0]
    if not points or direction == 0:
        return None
    mean = sum(math.log(now[point] / before[point]) for point in points) / len(points)
    return math.exp(direction * mean)


def metrics_of(data) -> dict[str, str]:
    """The metrics of a file with their units, in the order of the file."""
    return {row["metric"]: row["unit"] for row in data.rows}


def _function_of(row: dict[str, str]) -> str:
    """The function of a row, with its precision. All yardsticks are one function."""
    if kind_of(row["submission"]) == "yardstick":
        return "ceilings measured in the same run"
    name = row["function"]
    return name if not row.get("precision") or name.endswith(row["precision"]) else f"{name} {row['precision']}"


def _least(data) -> dict[str, dict[str, tuple[float, float]]]:
    """By function and metric, the least that the task needs, over the sweep: per request it depends on what one of them asks for."""
    found: dict[str, dict[str, list[float]]] = {}
    for row in data.rows:
        if row.get("least"):
            found.setdefault(_function_of(row), {}).setdefault(row["metric"], []).append(float(row["least"]))
    return {name: {metric: (min(values), max(values)) for metric, values in metrics.items()} for name, metrics in found.items()}


def _by_function(data) -> dict[str, dict[str, dict[str, Sweep]]]:
    """The values by function, submission, metric and point of the sweep."""
    found: dict[str, dict[str, dict[str, Sweep]]] = {}
    for row in data.rows:
        point = tuple(value for key, value in row.items() if key not in _NOT_A_PARAMETER)
        submission = f"yardstick-{row['function']}" if kind_of(row["submission"]) == "yardstick" else row["submission"]
        found.setdefault(_function_of(row), {}).setdefault(submission, {}).setdefault(row["metric"], {})[point] = float(row["value"])
    return found


def _range(points: Sweep) -> tuple[float, float]:
    return min(points.values()), max(points.values())


def stories(data) -> dict[str, list[Line]]:
    """Per function, a line for each submission: yardsticks, the steps in their order, the solution, the peers; then the least
    that the task needs, where the file says it.

    A step's gain is the first rate or time of the file compared with the step before, over the
    sweep's common points. Counters have no gain: there the values speak.
    """
    metrics = metrics_of(data)
    headline = next((metric for metric, unit in metrics.items() if _better(unit)), None)
    told = {}
    least = _least(data)
    for name, submissions in _by_function(data).items():
        lines: list[Line] = []
        before: Sweep = {}
        for submission in sorted(submissions, key=_order):
            values = submissions[submission]
            gain = None
            if headline in values:
                if kind_of(submission) == "step":
                    gain = _gain(before, values[headline], _better(metrics[headline]))
                    before = values[headline]
            ranges = {metric: _range(points) for metric, points in values.items()}
            lines.append(Line(submission, ranges, gain))
        if name in least:
            lines.append(Line(LEAST, least[name], None))
        told[name] = lines
    return told


def beyond_least(data) -> list[str]:
    """Where a student's file costs more than the task needs: for each function and metric the point at which it is the most."""
    worst: dict[tuple[str, str], tuple[float, dict[str, str]]] = {}
    for row in data.rows:
        least = float(row.get("least") or 0)
        if row["submission"] == "yours" and least > 0 and float(row["value"]) > least:
            key, times = (_function_of(row), row["metric"]), float(row["value"]) / least
            if times > worst.get(key, (0, row))[0]:
                worst[key] = times, row
    lines = []
    for (name, metric), (times, row) in worst.items():
        point = ", ".join(f"{key} = {value}" for key, value in row.items() if key not in _NOT_A_PARAMETER | {"precision"})
        value, least = (_text(number, number, row["unit"]) for number in (float(row["value"]), float(row["least"])))
        lines.append(f"{name}, {metric.replace('_', ' ')}: the most beside the least at {point}: {value} where {least} is needed")
    return lines


def _first_words(path: pathlib.Path) -> str:
    """The idea in a step's first line: `// Step 2 of f: one idea.` is "one idea"."""
    try:
        first = path.read_text(encoding="utf-8").splitlines()[0]
    except (OSError, UnicodeDecodeError, IndexError):
        return ""
    said = re.match(r"//\s*(?:Step|Peer)\b[^:]*:\s*(.+)", first)
    return said.group(1).rstrip(". ") if said else ""


def title(folder: pathlib.Path, submission: str) -> str:
    """How a line calls its submission; `folder` is the lab's in solutions/."""
    kind, _, name = submission.partition("-")
    if kind == "step":
        version = re.search(r"v\d+_", name)
        plain = name.partition(version.group())[2] if version else name
        idea = _first_words(folder / "steps" / f"{name}.cu") or plain.replace("_", " ")
        return f"{version.group()[:-1]}  {idea}" if version else idea
    if kind == "peer":
        idea = _first_words(folder / "peers" / f"{name}.cu")
        return f"peer  {idea or name.replace('_', ' ')}"
    if kind == "yardstick":
        return name.replace("_", " ")
    if submission in ("yours", LEAST):
        return {"yours": "your file", LEAST: "the least"}[submission]
    return "readable solution" if submission == "solution" else submission.replace("_", " ")


@dataclasses.dataclass(frozen=True)
class TurningPoints:
    """The steps of one `function` that bettered one `metric`, each with its (smallest, largest) value of it."""

    function: str
    metric: str
    unit: str
    steps: list[tuple[str, tuple[float, float]]]


def turning_points(data) -> TurningPoints | None:
    """The shortest story of a file: the function with the most steps, and its first rate or time.

    Where the file has neither, the counter that falls by the largest factor: a counter is a cost. The
    steps are the first and each that betters the best before it by more than `_NOTABLE`. None without steps.
    """
    found: dict[str, dict[str, dict[str, Sweep]]] = {}  # function, metric, step, point of the sweep
    for name, submissions in _by_function(data).items():
        for submission in sorted(submissions, key=_order):
            if kind_of(submission) == "step":
                for metric, points in submissions[submission].items():
                    found.setdefault(name, {}).setdefault(metric, {})[submission] = points
    if not found:
        return None
    name = max(found, key=lambda each: max(len(steps) for steps in found[each].values()))
    units = metrics_of(data)
    told: list[tuple[float, TurningPoints]] = []
    for metric, unit in units.items():
        steps = found[name].get(metric, {})
        if not steps or any(value <= 0 for points in steps.values() for value in points.values()):
            continue  # nothing is a multiple of zero
        shown, whole = [next(iter(steps))], 1.0
        for submission, points in steps.items():
            gain = _gain(steps[shown[-1]], points, _better(unit) or -1)
            if gain is not None and gain > _NOTABLE:
                shown.append(submission)
                whole *= gain
        line = TurningPoints(name, metric, unit, [(step, _range(steps[step])) for step in shown])
        if _better(unit):
            return line
        told.append((whole, line))
    return max(told, key=lambda pair: pair[0])[1] if told else None


def _text(low: float, high: float, unit: str) -> str:
    def short(value: float) -> str:
        if unit == "ratio":
            return f"{value:.2f}"
        if value and abs(value) >= 1000:
            return f"{value:,.0f}"
        return f"{value:.3g}" if value != int(value) else f"{value:.0f}"

    return short(low) if short(low) == short(high) else f"{short(low)} … {short(high)}"


def _heading(metric: str, unit: str) -> str:
    return metric.replace("_", " ") + (f" ({unit})" if unit not in metric and unit != "ratio" else "")


def print_turning_points(told: list[tuple[str, pathlib.Path, TurningPoints]]) -> None:
    """Prints one table for several labs, each with its name and its folder in solutions/."""
    from rich.text import Text

    from . import render

    made = render.table("What changed", "Measured", right=("Measured",))
    for lab_name, folder, points in told:
        made.add_row(Text(f"{lab_name}, {points.function}", style="bold"), Text(_heading(points.metric, points.unit), style="bold"))
        for submission, (low, high) in points.steps:
            made.add_row("  " + title(folder, submission), _text(low, high, points.unit))
    out = render.console()
    out.print(Text("What the steps bring: one function of each lab, smallest … largest over its sweep", style="bold"))
    out.print(made)


def print_story(lab_name: str, folder: pathlib.Path, data) -> None:
    """Prints one table: a section per function, a line per submission."""
    from rich.text import Text

    from . import render

    metrics = metrics_of(data)
    told = stories(data)
    has_gain = any(line.gain for lines in told.values() for line in lines)
    headings = [_heading(metric, unit) for metric, unit in metrics.items()]
    made = render.table("What changed", *headings, *(["gain"] if has_gain else []),
                        right=(*headings, "gain"))
    rows: list[list[str]] = []
    for name in told:
        rows.append([name] + [""] * (len(made.columns) - 1))
        for line in told[name]:
            cells = [_text(*line.values[metric], metrics[metric]) if metric in line.values else "" for metric in metrics]
            gain = [f"x {line.gain:.2f}" if line.gain else ""] if has_gain else []
            rows.append(["  " + title(folder, line.submission), *cells, *gain])
    out = render.console()
    # Widths are fixed here: left to itself, a table too wide for the terminal drops its last columns.
    left = out.width - 4  # the edges
    for column, cells in zip(made.columns[1:], list(zip(*rows))[1:]):
        column.width = max(*(len(cell) for cell in cells), *(len(word) for word in str(column.header).split()))
        left -= column.width + 3
    made.columns[0].width = max(_TITLE_WIDTH, min(left, max(len(row[0]) for row in rows)))
    for row in rows:
        made.add_row(Text(row[0], style="" if row[0].startswith(" ") else "bold"), *row[1:])
    where = data.provenance.get("device", "")
    what = f"your file, {data.provenance.get('date', '')}" if data.provenance.get("file") else "what each step brings"
    out.print(Text(f"{lab_name}{' on ' + where if where else ''}: {what}", style="bold"))
    out.print(made)
    if any(line.submission == LEAST for lines in told.values() for line in lines):
        out.print(Text("the least: what the task needs. Empty: a matter of choice. Per request it depends on how wide the accesses are."))
    for line in beyond_least(data):
        out.print(Text(line), soft_wrap=not out.is_terminal)
    if has_gain:
        out.print(Text("gain: the first rate or time against the step before, geometric mean over the sweep."))
