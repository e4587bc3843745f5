"""What the graders said of the items, and how it adds up."""
from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Iterable

from . import lab_facts, student_file
from .language import ENGLISH, N_, Language, Translator, _

NOT_RUN = N_("not run: the file does not compile")
NOT_BUILT = N_("not run: there is no built file")  # missing, empty, or the build itself broke


@dataclasses.dataclass
class ItemResult:
    """One rubric item on one backend."""

    item: str
    backend: str
    status: str  # passed, failed, skipped or undecided (the machine allowed no verdict; costs no points)
    points: float = 0
    max_points: float = 0
    function: str = ""
    reason: str = ""
    message: str = ""  # the key of the lab's message that the reason is, if it is one
    details: list[dict] = dataclasses.field(default_factory=list)  # lines below it: {"kind", "text"}, some with "id", "file", "line"
    sections: list[str] = dataclasses.field(default_factory=list)  # of the lab's English pages, where to read on
    diagnoses: list[str] = dataclasses.field(default_factory=list)
    todo: dict | None = None
    seed: int | None = None
    seconds: float | None = None
    counters: dict = dataclasses.field(default_factory=dict)
    notes: list[str] = dataclasses.field(default_factory=list)  # what the item measured
    measured: list[dict] = dataclasses.field(default_factory=list)  # if it passed: {"what", "text"}: counts, how little is possible
    printed: list[str] = dataclasses.field(default_factory=list)  # if it passed: what the submission printed
    findings: list[dict] = dataclasses.field(default_factory=list)  # what the simulator objected to (docs/how-grading-works.md)
    places: list[dict] = dataclasses.field(default_factory=list)  # {"file", "line"}: lines that the reason is about
    formulas: list[dict] = dataclasses.field(default_factory=list)  # how kernels took the elements that are wrong
    speeds: list[dict] = dataclasses.field(default_factory=list)  # each attempt of an item that measures a time
    last_call: str = ""  # which the counters are of
    task: int = 0  # the TODO whose points these are; `todo` is where the cause of a failure lies
    untouched: bool = False  # that TODO is as the starter has it
    graded: bool = True  # False: no grader came to a verdict on it

    @staticmethod
    def from_json(data: dict) -> ItemResult:
        """The result that a grader's stream (docs/how-grading-works.md) or to_json() has. A defect of the workbook passes nothing."""
        status = data["status"]
        if status not in (*_WEIGHT, "error"):
            raise ValueError(f"no verdict is called {status!r}")
        known = {name: value for name, value in data.items() if name not in _OF_VERDICT and value is not None}
        graded = known.get("graded", status not in ("error", "undecided"))
        return ItemResult(**{**known, "graded": graded, "status": "failed" if status == "error" else status})

    @property
    def lines(self) -> list[str]:
        """The details as a reader gets them below the reason, which has quoted the compiler's first error already."""
        return [detail["text"] for detail in self.details if detail["kind"] != "error"]

    @property
    def about(self) -> tuple:
        """What tells failures of one cause from others, whatever their numbers: the diagnoses, and the message or the lines."""
        places = [(place["file"], place["line"]) for place in self.places]
        return (*self.diagnoses[:1], *places) if places else (*self.diagnoses, self.message)

    @property
    def is_unsolved(self) -> bool:
        """Whether it failed because there is nothing to judge yet."""
        return "unsolved" in self.diagnoses

    @property
    def names_place(self) -> bool:
        """Whether the reason says where the TODO stands: that of any lab whose TODO is open, unless the lab has a message for it."""
        return self.is_unsolved and not self.message

    @property
    def lacks_function(self) -> bool:
        """Whether the file does not define the function, or with other parameters than the contract's."""
        return "missing-function" in self.diagnoses

    @property
    def can_be_seen(self) -> bool:
        """Whether ./warpbook see has something to draw of the failure: accesses to memory, on the simulator."""
        return (self.backend == "sim" and self.status == "failed" and not self.is_unsolved and not self.lacks_function
                and any(count for name, count in self.counters.items() if name.endswith("_requests")))

    @property
    def cause(self) -> int:
        """The TODO to look at: the first of those that may be the cause; 0 where a function is missing, for all its TODOs."""
        if self.lacks_function and not self.todo:
            return 0
        return (self.todo or {}).get("number", 0) or self.task

    @property
    def is_open(self) -> bool:
        """Whether it failed because its own TODO is still to be written."""
        return self.untouched and self.is_unsolved and self.cause == self.task

    @property
    def waits(self) -> bool:
        """Whether it failed for another TODO, and nothing is written in its own: that has no say of its own."""
        return self.untouched and self.cause != self.task


@dataclasses.dataclass
class ItemScore:
    """One rubric item over all backends: its points count once, and only if every backend agrees."""

    item: str
    status: str
    points: float
    max_points: float
    measured: list[dict] = dataclasses.field(default_factory=list)
    cause: int = 0  # the TODO that it failed for, if that is not its own
    begun: bool = True  # False: it failed, and there is nothing to judge yet


@dataclasses.dataclass(frozen=True)
class Task:
    """A TODO, and what its own items came to."""

    number: int
    points: float
    max_points: float
    state: str  # solved, in work, not begun, or not judged


_OF_VERDICT = ("lab", "submission", "kind")  # of each result of a stream
_WEIGHT = {"skipped": 0, "passed": 1, "undecided": 2, "failed": 3}  # the heaviest of an item's results is its own


@dataclasses.dataclass
class Verdict:
    lab: str
    submission: str
    source: str
    results: list[ItemResult]
    build_failure: ItemResult | None = None
    seconds: float = 0
    preset: str = ""  # of the build that judged it
    warnings: list[student_file.Warned] = dataclasses.field(default_factory=list)  # of the compiler

    def scores(self) -> list[ItemScore]:
        scores: dict[str, ItemScore] = {}
        for result in self.results:
            score = scores.setdefault(result.item, ItemScore(result.item, "skipped", 0, 0))
            if result.status == "skipped":
                continue
            score.max_points = max(score.max_points, result.max_points)
            if _WEIGHT[result.status] > _WEIGHT[score.status]:
                score.status = result.status
            score.measured = score.measured or result.measured
            if result.status == "failed":
                score.begun = not (result.is_unsolved or result.untouched)
                is_sure = not (result.todo or {}).get("numbers")
                score.cause = result.cause if is_sure and result.task not in (0, result.cause) else 0
        for score in scores.values():
            score.points = score.max_points if score.status == "passed" else 0
            if score.status == "undecided":
                score.max_points = 0
        return list(scores.values())

    @property
    def points(self) -> float:
        return total(score.points for score in self.scores())

    @property
    def max_points(self) -> float:
        return total(score.max_points for score in self.scores())

    @property
    def failures(self) -> list[ItemResult]:
        return [result for result in self.results if result.status == "failed"]

    def tasks(self) -> dict[int, Task]:
        """What became of each TODO's own items, by its number; of a file that does not compile nothing is known."""
        found: dict[int, Task] = {}
        blamed = {result.cause for result in self.failures if not result.is_unsolved and not (result.todo or {}).get("numbers")}
        for number in sorted({result.task for result in self.results if result.task}) if not self.build_failure else []:
            own = [result for result in self.results if result.task == number and result.status != "skipped"]
            scores = Verdict("", "", "", own).scores()
            failed = [result for result in own if result.status == "failed"]
            if not own or any(result.status == "undecided" for result in own):
                state = "not judged"
            elif not failed:
                state = "in work" if number in blamed else "solved"  # another TODO's item fails for it
            else:
                is_open = all(result.untouched or (result.is_unsolved and result.cause == number) for result in failed)
                state = "not begun" if is_open else "in work"
            found[number] = Task(number, total(score.points for score in scores), total(score.max_points for score in scores), state)
        return found

    @property
    def complete(self) -> bool:
        """Full points: something was graded, and nothing failed. A time that no points hang on does not count."""
        failures = [result for result in self.failures if result.max_points or "too-slow" not in result.diagnoses]
        return (self.build_failure is None and not failures and any(r.status == "passed" for r in self.results)
                and not any(r.status == "undecided" for r in self.results))

    def to_json(self) -> dict:
        return {
            "lab": self.lab, "submission": self.submission, "file": self.source, "passed": self.complete,
            "points": self.points, "max_points": self.max_points, "seconds": round(self.seconds, 3),
            "preset": self.preset,
            "build_failure": dataclasses.asdict(self.build_failure) if self.build_failure else None,
            "items": [dataclasses.asdict(result) for result in self.results],
            "warnings": [dataclasses.asdict(warned) for warned in self.warnings],
        }

    @staticmethod
    def from_json(data: dict) -> Verdict:
        """The verdict that to_json() has written. Raises KeyError, TypeError or ValueError where it has not."""
        failure = data["build_failure"]
        return Verdict(data["lab"], data["submission"], data["file"], [ItemResult.from_json(item) for item in data["items"]],
                       ItemResult.from_json(failure) if failure is not None else None, float(data["seconds"]), data["preset"],
                       [student_file.Warned(**each) for each in data.get("warnings", [])])


def number(value: float) -> int | float:
    """`value` without a useless .0."""
    return int(value) if value == int(value) else value


def total(points: Iterable[float]) -> int | float:
    """The sum of points, which have two decimals at most, as it has."""
    return number(round(sum(points), 2))


def where_graded(item: dict, language: Language, say: Translator) -> str:
    """Where an item (a line of --list-items) is graded, in words of `language`, which `say` has."""
    words = {"sim": N_("simulator"), "cuda": N_("GPU from {capability}") if item["capability"] else "GPU"}
    return language.comma.join(say(words[backend], capability=item["capability"]) for backend in item["backends"])


#: How a table of points begins.
POINTS = "| item | points | where |\n| --- | --- | --- |\n"


def rows_of_points(items: list[dict], spoken: Language = ENGLISH, say: Translator = str.format) -> str:
    """The rows of the table of points. An item for no points informs, and has none."""
    return "".join(f"| `{item['item']}` | {item['points']} | {where_graded(item, spoken, say)} |\n" for item in items if item["points"])


def split_at_table(text: str, head: str) -> tuple[str, list[str] | None, str]:
    """What stands before the rows of the table with this head, the rows, and the rest; no rows if there is no such table."""
    before, found, after = text.partition(head)
    rows = re.match(r"(?:\|.*\n)*", after)[0]
    return before + found, rows.splitlines(keepends=True) if found else None, after[len(rows):]


def with_points(page: str, items: list[dict]) -> str | None:
    """The page with the table of points that these items make, or None if it has no such table."""
    before, rows, after = split_at_table(page, POINTS)
    return None if rows is None else before + rows_of_points(items) + after


def not_run(item: dict, backend: str, reason: str, details: list[str] | None = None) -> ItemResult:
    """The result of an item (a line of --list-items) that no grader judged: it has failed, for nothing is passed so."""
    return ItemResult(item["item"], backend, "failed", 0, item["points"], item["function"], reason,
                      details=lines("note", details or []), graded=False, task=item.get("todo") or 0)


def lines(kind: str, texts: list[str]) -> list[dict]:
    """Details of one kind."""
    return [{"kind": kind, "text": text} for text in texts]


def in_work(failures: list[ItemResult]) -> int:
    """The TODO to look at first: the lowest that has been begun and is the cause of a failure, else the lowest that is to be
    begun; 0 if no failure belongs to a TODO."""
    begun = [result.cause for result in failures
             if result.cause and not result.is_unsolved and not (result.untouched and result.cause == result.task)]
    return min(begun or [result.cause for result in failures if result.cause], default=0)


def to_explain(failures: list[ItemResult]) -> list[ItemResult]:
    """Without those that only wait for another TODO, whose own items say what is wrong with it."""
    causes = {result.cause for result in failures if not result.waits}
    return [result for result in failures if not result.waits or result.cause not in causes]


def todo_names(todo: dict) -> str:
    """`TODO(2)`, or `TODO(2), TODO(3) or TODO(4)` where the grader does not know which of them is the cause."""
    names = [f"TODO({number})" for number in todo.get("numbers") or [todo.get("number", "?")]]
    return _("{others} or {last}", others=", ".join(names[:-1]), last=names[-1]) if len(names) > 1 else names[0]


def hint_place(hints: pathlib.Path, function: str, todo: int = 0) -> str:
    """The section of hints.md for `function`: its heading's text, or "" if the file has none.

    A function that is several tasks has a section for each: the one of TODO(`todo`), if that names the function too, or
    if no section does.
    """
    try:
        headings = lab_facts.headings(hints.read_text(encoding="utf-8"))
    except OSError:
        return ""
    stem = re.sub(r"_(f32|f64|f16|i32)$", "", function)
    for wanted in dict.fromkeys([function, stem]):
        for heading in sorted(headings, key=lambda heading: f"TODO({todo})" not in heading):
            if wanted and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", heading):
                return heading.replace("`", "")
    own = (heading for heading in headings if f"TODO({todo})" in heading)
    return next(own, "").replace("`", "")
