"""A class's rosters with the marks filled in, each in the form of the system that it came from."""
from __future__ import annotations

from ..workbook import Lab
from . import feedback, harmless, naming, outputs
from .model import Graded, Mark
from .roster import CANVAS, WORKSHEET, Roster


def names_of_labs(graded: Graded) -> naming.LabNames:
    return naming.LabNames([(lab.number, lab.topic, lab.facts.kernel) for lab in graded.labs])


def file_name(roster: Roster, taken: list[str]) -> str:
    """What the file is called among others, in letters that any system has."""
    stem = harmless.ascii_words(roster.file.stem) or "roster"
    names = (f"{stem}{number}.csv" for number in ("", *(f"-{number}" for number in range(2, len(taken) + 3))))
    return next(name for name in names if f"rosters/{name}" not in taken)


def lab_of_worksheet(graded: Graded, roster: Roster) -> Lab | None:
    """The lab whose assignment a grading worksheet is of: by the numbers in the names of its hand-ins, which no other assignment has,
    else by the file's name, else the only one."""
    numbers = {row.values["moodle_id"] for row in roster.rows.values()}
    own = {lab: sum(outputs.own_participant(mark) in numbers for mark in graded.marks if mark.lab == lab) for lab in graded.labs}
    if any(own.values()):
        return max(own, key=lambda lab: own[lab])
    named = names_of_labs(graded).read(naming.stem(roster.file.stem))
    if named.strength > 1:
        return graded.labs[named.lab]
    return graded.labs[0] if len(graded.labs) == 1 else None


def _mark(graded: Graded, roster: Roster, index: int, lab: Lab) -> Mark | None:
    row = roster.rows.get(index)
    return graded.by_lab(row.person).get(lab.number) if row and row.person else None


def filled(graded: Graded, roster: Roster) -> tuple[str, list[str]]:
    """The roster's text with the marks, and what has to be said of it. What the marks do not change stays as it was."""
    heading, cells = list(roster.heading), [[*row, *[""] * (len(roster.heading) - len(row))] for row in roster.cells]
    said: list[str] = []
    if roster.form is WORKSHEET:
        lab = lab_of_worksheet(graded, roster)
        if lab is None:
            return "", [f"{roster.file.name} has no marks, because it does not say which lab it is for: name the file as the lab, such as "
                        f"{graded.labs[0].name}.csv."]
        _fill(graded, roster, cells, lab, _column(heading, "grade"), _column(heading, "feedback comments"))
        places, most = _column(heading, "maximum grade"), outputs.most_points(graded, lab)
        if other := next((row[places] for row in cells if row[places] and _number(row[places]) != most), ""):
            said.append(f"{roster.file.name} has {other} as its Maximum Grade, and {lab.name} has {most}: make the assignment's maximum {most}, or give "
                        f"the lab {other} points in course.json.")
        return roster.text(heading, cells), said
    for lab in graded.labs:
        place = _place_in_gradebook(graded, roster, lab, said) if roster.form is CANVAS else None
        if place is None:
            place = len(heading)
            heading.append(feedback.lab_title(lab))
            for row in cells:
                row.append("")
            if roster.form is CANVAS:  # the row before the first student says what is possible
                for row in cells:
                    if "Points Possible" in row[0]:
                        row[place] = str(outputs.most_points(graded, lab))
        _fill(graded, roster, cells, lab, place)
    return roster.text(heading, cells), said


def _fill(graded: Graded, roster: Roster, cells: list[list[str]], lab: Lab, grade: int, comment: int = -1) -> None:
    for index, row in enumerate(cells):
        mark = _mark(graded, roster, index, lab)
        if mark and row[grade].strip() not in ("EX", "N/A"):  # Canvas: excused, and not assigned
            row[grade] = str(outputs.grade(mark))
            if comment >= 0:
                row[comment] = outputs.html_comment(mark)


def _column(heading: list[str], name: str) -> int:
    return next((place for place, each in enumerate(heading) if each.strip().lower() == name), -1)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _place_in_gradebook(graded: Graded, roster: Roster, lab: Lab, said: list[str]) -> int | None:
    """The column of a lab's assignment, by its title; None if there is none yet."""
    names, own = names_of_labs(graded), []
    section = _column(roster.heading, "section")
    for place, title in enumerate(roster.heading):
        named = names.read(title.rpartition(" (")[0] or title)
        if place > section and named.strength > 1 and graded.labs[named.lab] == lab:
            own.append(place)
    if len(own) > 1:
        said.append(f"{roster.file.name} has several columns that may be {lab.name}'s, and the marks are in a column of their own: "
                    f"{harmless.shown(', '.join(roster.heading[place] for place in own))}.")
    return own[0] if len(own) == 1 else None
