"""A class's rosters with the marks filled in, each in the form of the system that it came from."""
from __future__ import annotations

import re

from ..workbook import Lab
from . import feedback, harmless, naming, outputs
from .model import Graded, Mark, Person
from .roster import CANVAS, UNUSABLE, WORKSHEET, Roster
from .texts import some


#: An assignment's column in Canvas's export ends with its number (Assignment#title_with_id). Which others its import does not take for one
#: says NON_ASSIGNMENT_COLUMN_HEADERS of lib/gradebook_importer.rb.
_ASSIGNMENT = re.compile(r"(?!.*(?:Current|Final|Override) (?:Score|Points|Grade|Status)).* \(\d+\)")
_KEPT = {"EX": "Excused in Canvas.", "N/A": "Not assigned in Canvas."}


def names_of_labs(graded: Graded) -> naming.LabNames:
    return naming.LabNames([(lab.number, lab.topic, lab.facts.kernel) for lab in graded.labs])


def file_name(roster: Roster, taken: list[str]) -> str:
    """What the file is called among others, in letters that any system has."""
    stem = harmless.ascii_words(roster.file.stem) or "roster"
    names = (f"{stem}{number}.csv" for number in ("", *(f"-{number}" for number in range(2, len(taken) + 3))))
    return next(name for name in names if f"rosters/{name}" not in taken)


def lab_of_worksheet(graded: Graded, roster: Roster) -> Lab | None:
    """The lab whose assignment a grading worksheet is of; where that is not known, the only one."""
    if roster.lab:
        return next((lab for lab in graded.labs if lab.name == roster.lab), None)
    return graded.labs[0] if len(graded.labs) == 1 else None


def _mark(graded: Graded, roster: Roster, index: int, lab: Lab) -> Mark | None:
    row = roster.rows.get(index)
    if row is None or row.person is None or (row.lab and not lab.is_called(row.lab)):
        return None
    return graded.by_lab(row.person).get(lab.number)


def filled(graded: Graded, roster: Roster) -> tuple[str, list[str]]:
    """The roster's text with the marks, and what has to be said of it. What the marks do not change stays as it was."""
    heading, cells = list(roster.heading), [[*row, *[""] * (len(roster.heading) - len(row))] for row in roster.cells]
    said: list[str] = []
    if roster.form is WORKSHEET:
        lab = lab_of_worksheet(graded, roster)
        if lab is None:
            return "", [] if roster.lab else [f"{roster.file.name} has no marks, because it does not say which lab it is for: name the file as the lab, such as "
                                              f"{graded.labs[0].name}.csv."]
        said += _fill(graded, roster, cells, lab, _column(heading, "grade"), _column(heading, "feedback comments"))
        places = _column(heading, "maximum grade")
        locked = [row.person.name for index, row in roster.rows.items() if row.person and row.values.get("may_change") == "No" and cells[index][_column(heading, "grade")] != ""]
        said += [f"Moodle leaves out the grades of {some(locked)} from {roster.file.name}: it says that they cannot be changed there, as where they are locked in the gradebook."] if locked else []
        return roster.text(heading, cells), said + _differs(graded, roster, lab, [row[places] for row in cells], "Maximum Grade")
    for lab in graded.labs:
        if roster.form is CANVAS:
            own = _places_in_gradebook(graded, roster, lab)
            if len(own) > 1:
                said.append(f"{roster.file.name} has several columns that may be {lab.name}'s, and in none of them its marks: "
                            f"{harmless.shown(', '.join(heading[other] for other in own))}.")
                _empty(graded, roster, cells, lab, own)
            if len(own) == 1:
                said += _fill(graded, roster, cells, lab, own[0])
                said += _differs(graded, roster, lab, _possible(roster)[own[0]:own[0] + 1], "Points Possible")
            continue
        heading.append(feedback.lab_title(lab))
        for row in cells:
            row.append("")
        said += _fill(graded, roster, cells, lab, len(heading) - 1)
    return roster.text(heading, cells), said


def _differs(graded: Graded, roster: Roster, lab: Lab, cells: list[str], what: str) -> list[str]:
    """What has to be said where a system has another number for what is possible in a lab."""
    most, is_marked = outputs.most_points(graded, lab), any(mark.lab == lab and not mark.excused for mark in graded.marks)
    other = next((cell.strip() for cell in cells if cell.strip() and _number(cell) != most), "")
    return [f"{roster.file.name} has {harmless.shown(other)} as its {what}, and {lab.name} has {most}: make the assignment's maximum {most}, or give the lab "
            f"{harmless.shown(other)} points in course.json."] if other and is_marked else []


def without(graded: Graded, roster: Roster) -> str:
    """The labs that a gradebook has no assignment for, in words: its import would make one, with points for those who are excused."""
    labs = [f"lab {lab.number}" for lab in graded.labs if roster.form is CANVAS and not _places_in_gradebook(graded, roster, lab)]
    return f"; it has no assignment whose title names {' or '.join(labs)}" if labs else ""


def tell_open(graded: Graded) -> list[str]:
    """Marks that a system or the rules say there are none of get no points in any import: who is excused, who has handed in what is not here,
    or a draft, and who may have handed in a file of someone of the same name. Returns what has to be looked at."""
    class_, by_lab = graded.class_, {(mark.person.id, mark.lab.name): mark for mark in graded.marks}
    for mark in graded.marks:
        if graded.rules.excuses(mark.person, mark.lab):
            _excuse(graded, mark, "EX", "Excused in this course.", f"{graded.rules.where} excuses {mark.person.name}")
    for file, person, lab in class_.excused:
        if mark := by_lab.get((person.id, lab)):
            _excuse(graded, mark, "EX", _KEPT["EX"], f"{file} excuses {mark.person.name}")
    for roster in class_.rosters:
        if roster.form is CANVAS:
            _excuse_listed(graded, roster)
    asks = [*_drafts(graded), *_namesakes(graded), *_doubtful(graded), *_unusable(graded), *_late(graded), *_not_read(graded)]
    submitted: dict[tuple[str, str], list[Mark]] = {}
    for file, system, person, lab in class_.submitted:
        submitted.setdefault((file, system), []).extend(mark for mark in graded.of(person) if mark.lab.name == lab)
    for roster in class_.rosters:
        if roster.form is WORKSHEET and (of := lab_of_worksheet(graded, roster)):
            submitted.setdefault((roster.file.name, "Moodle"), []).extend(mark for index, row in roster.rows.items() if (mark := _mark(graded, roster, index, of))
                                                                          and row.values.get("status", "").startswith("Submitted"))
    said = {(system, mark.person.id, mark.lab.name) for (_, system), marks in submitted.items() for mark in marks}
    spoken = {(system, lab) for system, _, lab in said}
    for (file, system), marks in submitted.items():
        marks = [mark for mark in marks if not mark.excused and not mark.is_given and not mark.is_open]
        lost = []
        for mark in (mark for mark in marks if not mark.hand_in and not class_.saw_from(system, mark.person, mark.lab)):
            # What was handed in there may be another lab's, where the system says of others that they have handed in for that one.
            others = [(other.hand_in.shown, other.lab.name) for other in graded.of(mark.person) if other.hand_in and system in other.hand_in.systems
                      and (system, other.lab.name) in spoken and (system, other.person.id, other.lab.name) not in said]
            if others:
                mark.missing = f"No work on this lab was found. {others[0][0]}: It is for {others[0][1]}."
                class_.notes.append(f"{file} says of {mark.person.name} that something was handed in for lab {mark.lab.number}; it is {others[0][0]}, which is for {others[0][1]}.")
                continue
            lost.append(mark)
            mark.missing, mark.is_open = f"{system} says that something was handed in, but no file of it is here.", True
        if lost:
            asks.append(f"{file} says of {', '.join(mark.person.name for mark in lost)} that something was handed in, but no file of theirs is here. No import has points for "
                        "it; download the hand-ins again, or correct the mark.")
        elsewhere = [f"{mark.person.name} ({mark.hand_in.shown})" for mark in marks if mark.hand_in and not mark.hand_in.systems & {"", system}
                     and not class_.saw_from(system, mark.person, mark.lab)]
        if elsewhere:
            asks.append(f"{file} says of {', '.join(elsewhere)} that something was handed in, but no file of theirs from {system} is here. For now the one from elsewhere "
                        "counts; download the hand-ins again, or correct the mark.")
    return asks


def _drafts(graded: Graded) -> list[str]:
    asks = []
    for mark in graded.marks:
        if mark.hand_in and mark.hand_in.draft and not mark.excused and not mark.is_given:
            mark.hold(f"Not decided: in Moodle this is a draft, which was not submitted ({mark.hand_in.all_shown}).")
            asks.append(f"{mark.hand_in.draft} says of {mark.person.name} that {mark.hand_in.shown} is a draft that was not submitted. No import has points for it: a roster's row "
                        "with its path and a time in the column submitted counts it, one with the lab - leaves it out, and a correction says the points.")
    return asks


def _namesakes(graded: Graded) -> list[str]:
    """Who has no file where one lies there of someone who may be the same person, for all that is known."""
    handed_in = {(mark.person.id, mark.lab.name): mark for mark in graded.marks if mark.hand_in}
    asks: dict[tuple[str, str], list[Person]] = {}
    for mark in graded.marks:
        theirs = [handed_in[other, mark.lab.name] for other in graded.class_.may_be.get(mark.person.id, ()) if (other, mark.lab.name) in handed_in]
        if theirs and not mark.hand_in and not mark.excused and not mark.is_given:
            mark.missing, mark.is_open = "Whose file this is, of several people whose it may be, is not known yet.", True
            asks.setdefault((mark.lab.number, ", ".join(sorted(other.hand_in.shown for other in theirs)[:4])), []).append(mark.person)
    said = []
    for (lab, files), people in asks.items():
        names = list(dict.fromkeys(person.name for person in people))
        who = f"which of the people who are called {names[0]} handed in {files}" if len(names) < len(people) else f"which of {' and '.join(names)} handed in {files}" if (
            len(names) > 1) else f"whether {names[0]} handed in {files}"
        said.append(f"Lab {lab}: {who} is not known. No import has points for {', '.join(person.id for person in people)}: give the assignment's grading worksheet, or say it by a "
                    "roster's rows with the files' paths.")
    return said


def _doubtful(graded: Graded) -> list[str]:
    """Whose files lie in folders that may be those of several people."""
    asks = []
    for mark in graded.marks:
        if mark.hand_in and mark.hand_in.doubt and not mark.excused and not mark.is_given:
            mark.hold(f"Not decided: {' and '.join(mark.hand_in.doubt)} may be those of several people of one name.")
            asks.append(f"{' and '.join(mark.hand_in.doubt)} may be those of several people. No import has points for {mark.person.id}: a roster's row with each path says whose "
                        "it is.")
    return list(dict.fromkeys(asks))


def _late(graded: Graded) -> list[str]:
    """What a system marks as late where it is not known what that costs."""
    lost: dict[str, list[str]] = {}
    for mark in (mark for mark in graded.marks if not mark.is_open and graded.rules.is_unsure(mark)):
        mark.hold(f"Not decided: the system that collected {mark.hand_in.shown} marks it as late, and by how much is not known.")
        lost.setdefault(mark.lab.number, []).append(f"{mark.person.name} ({mark.hand_in.shown})")
    return [f"Lab {lab}: a system marks the hand-ins of {some(whose)} as late, and when they came is not known. No import has points for them: --times FILE reads what a system says of "
            "times, a roster's row with the path and a time in the column submitted says it, and 'percent_if_marked' in the rules what is taken off without one." for lab, whose in lost.items()]


def _not_read(graded: Graded) -> list[str]:
    """Who has nothing else may have something in what names several people and was taken for one person's."""
    shown = graded.class_.classes_not_read
    held = [mark for mark in graded.marks if shown and not (mark.hand_in or mark.is_open or mark.is_given)]
    for mark in held:
        mark.missing, mark.is_open = f"Whether this student's file is in {shown[0]} is not known yet.", True
    names = list(dict.fromkeys(mark.person.name for mark in held))
    return [f"{some(shown)}: the names of several people in it were not read as a class's. No import has points for those who have handed in nothing else: {some(names)}."] if held else []


def _unusable(graded: Graded) -> list[str]:
    """Rows that lack a key by which files are known: who has no file may be one of the system's on no roster."""
    asks, class_ = [], graded.class_
    theirs = [mark for mark in graded.marks if mark.hand_in and mark.person.id in class_.on_no_roster and "canvas_id" in mark.person.keys]
    for roster in class_.rosters:
        lost = [row for row in roster.rows.values() if UNUSABLE in row.values]
        held = [mark for row in lost if row.person for mark in graded.of(row.person) if roster.form is CANVAS and any(other.lab == mark.lab for other in theirs)
                and not (mark.hand_in or mark.excused or mark.is_given)]
        for mark in held:
            mark.missing, mark.is_open = "Which file is this student's is not known yet.", True
        if lost:
            shown = some([f"line {row.line} ({harmless.name(row.values.get('name', '')) or 'no name'}: {harmless.shown(row.values[UNUSABLE]) or 'empty'})" for row in lost])
            ids = list(dict.fromkeys(mark.person.name for mark in held))
            asks.append(f"{roster.file.name} has no number that can be read in {shown}, as where Excel has shortened it; what else the row says was read. "
                        + (f"No import has points for {some(ids)}, because {some([mark.hand_in.shown for mark in theirs])} may be theirs. " if ids else "")
                        + "Export it again, and give it as it comes.")
    return asks


def _excuse(graded: Graded, mark: Mark, word: str, why: str, said: str) -> None:
    """A correction's points come before it, wherever it is said."""
    if mark.is_given:
        graded.class_.notes.append(f"{said} in lab {mark.lab.number}, and a correction gives points there: these count.")
    else:
        mark.excuse(word, why)


def _excuse_listed(graded: Graded, roster: Roster) -> None:
    """Who is excused in Canvas's gradebook is so everywhere, and who has no such assignment there, too, unless there is a file."""
    for lab in graded.labs:
        own = _places_in_gradebook(graded, roster, lab)
        for index in roster.rows:
            mark = _mark(graded, roster, index, lab)
            words = {"".join(roster.cells[index][place:place + 1]).strip() for place in own}
            word = words.pop() if len(words) == 1 else ""  # of several columns each one says it: the other may be a second try
            if mark is not None and word in _KEPT and (word == "EX" or not mark.hand_in):
                _excuse(graded, mark, word, _KEPT[word], f"{roster.file.name} has {word} for {mark.person.name}")


def _fill(graded: Graded, roster: Roster, cells: list[list[str]], lab: Lab, grade: int, comment: int = -1) -> list[str]:
    """Writes the marks into a column of the cells; returns what has to be said of those that are not in it."""
    kept = []
    for index, row in enumerate(cells):
        mark = _mark(graded, roster, index, lab)
        held = row[grade].strip() if 0 <= grade < len(row) else ""
        stays = bool(mark) and roster.form in (CANVAS, WORKSHEET) and (mark.is_open or held in _KEPT)
        if index in roster.rows and UNUSABLE in roster.rows[index].values and (mark is None or mark.is_open and not mark.excused):
            row[grade] = ""  # what stands there may be of an earlier file
        elif mark and not stays:
            row[grade] = str(outputs.grade(mark))
        else:
            if stays and (mark.hand_in or mark.is_given) and not mark.is_open:
                of = "the correction" if mark.is_given else mark.hand_in.shown
                kept.append(f"{roster.file.name} has {held} for {mark.person.name} in lab {mark.lab.number}, and that stays in this file: the points of {of} are not in it.")
            if stays and held not in _KEPT:
                row[grade] = ""  # no mark of before goes back as if it were today's
            if not (mark and mark.correction and not mark.excused):
                continue
        if mark and comment >= 0:
            row[comment] = outputs.html_comment(mark)
    return kept


def _empty(graded: Graded, roster: Roster, cells: list[list[str]], lab: Lab, places: list[int]) -> None:
    """No mark of before goes back for who has none now, where it is not known either which column is the lab's."""
    for index, row in enumerate(cells):
        mark = _mark(graded, roster, index, lab)
        for place in places if mark and mark.is_open else ():
            row[place] = row[place] if row[place].strip() in _KEPT else ""


def _column(heading: list[str], name: str) -> int:
    return next((place for place, each in enumerate(heading) if each.strip().lower() == name), -1)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _possible(roster: Roster) -> list[str]:
    """A gradebook's row of what is possible."""
    return next((row for row in roster.cells if row and "Points Possible" in row[0]), [])


def _places_in_gradebook(graded: Graded, roster: Roster, lab: Lab) -> list[int]:
    """The columns of assignments whose titles name a lab. Where Canvas takes no points, it has words in the row of what is possible."""
    names = names_of_labs(graded)
    possible = _possible(roster)
    own = []
    for place, title in enumerate(roster.heading):
        named = names.read(title.rpartition(" (")[0])
        takes_points = not any(map(str.isalpha, "".join(possible[place:place + 1])))
        if _ASSIGNMENT.fullmatch(title.strip()) and takes_points and named.strength > 1 and graded.labs[named.lab] == lab:
            own.append(place)
    return own
