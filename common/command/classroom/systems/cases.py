"""What every system gets of a hand-in: a case for each item, with its points and its words."""
from __future__ import annotations

import dataclasses

from ... import language
from ...results import ItemResult
from .. import feedback
from ..harmless import shown
from ..model import Graded, Mark
from ..texts import flat

MOST_LINES, MOST_WIDTH = 30, 400  # of what is said of one item


@dataclasses.dataclass(frozen=True)
class Case:
    """`status` is passed, failed, skipped or undecided. `reason` is one line, `text` all that is said."""

    name: str
    status: str
    points: float
    max_points: float
    reason: str = ""
    text: str = ""
    diagnosis: str = ""
    seconds: float = 0


def short(lines: list[str]) -> str:
    """Lines as a text that no system cuts in the middle."""
    kept = [line if len(line) <= MOST_WIDTH else line[:MOST_WIDTH - 1] + "…" for line in lines[:MOST_LINES]]
    return "\n".join([*kept, *(["…"] if len(lines) > MOST_LINES else [])])


def _said(result: ItemResult, mark: Mark) -> list[str]:
    reason = feedback.told(result.reason, mark.hand_in).splitlines()
    details = [line for detail in result.lines[:MOST_LINES + 1] for line in feedback.told(detail, mark.hand_in).splitlines()]
    return [*reason, *details, *(language.read_on(mark.lab.name, section) for section in result.sections)]


def of_mark(graded: Graded, mark: Mark) -> list[Case]:
    """The cases of one lab; with several labs each name begins with its own."""
    before = f"Lab {mark.lab.number}: " if len(graded.labs) > 1 else ""
    if mark.hand_in is None or mark.verdict is None:
        fault = mark.hand_in.fault if mark.hand_in else None
        missing = mark.notes[0] if mark.notes and not fault else f"No file {mark.lab.starter.name} was handed in."
        reason = feedback.told(fault.sentence if fault else missing, mark.hand_in)
        diagnosis = fault.id if fault else "missing-file"
        return [Case(f"{before}a file was handed in", "failed", 0, mark.max_points, flat(reason), reason, diagnosis)]
    verdict = mark.verdict
    failure, cases = verdict.build_failure, []
    if failure:
        lines, diagnosis = _said(failure, mark), (failure.diagnoses or [""])[0]
        cases.append(Case(f"{before}the file compiles", "failed", 0, 0, flat(lines[0]) if lines else "", short(lines), diagnosis))
    for score in verdict.scores():
        own = [result for result in verdict.results if result.item == score.item]
        stands = next((result for result in own if result.status == score.status), own[0])
        lines = _said(stands, mark) if score.status != "passed" else []
        diagnosis = (stands.diagnoses or [""])[0] if lines else ""
        cases.append(Case(before + flat(score.item), score.status, score.points, score.max_points, flat(lines[0]) if lines else "",
                          short(lines), diagnosis, sum(result.seconds or 0 for result in own)))
    return cases


def of_all(graded: Graded) -> list[Case]:
    return [case for mark in graded.marks for case in of_mark(graded, mark)]


def undecided(graded: Graded) -> bool:
    return any(mark.undecided for mark in graded.marks)


def summary(graded: Graded) -> list[str]:
    """Sentences about the whole: for each lab the points, and what the rules changed."""
    lines = []
    for mark in graded.marks:
        lines.append(f"{feedback.lab_title(mark)}: {feedback.worth(mark)}.")
        if mark.verdict and mark.verdict.build_failure:
            lines.append("The file could not be built, so that no item was run.")
        if mark.undecided:
            lines.append("An item ended without a verdict. That is no fault of the file: it has to be graded again.")
        lines += [shown(note) for note in mark.notes]
    return lines
