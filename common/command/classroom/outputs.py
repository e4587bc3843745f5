"""Everything that comes back from grading a class: tables, files for other systems, pages for students and the instructor."""
from __future__ import annotations

import collections
import csv
import html
import io
import pathlib
import re
import shutil
import zipfile
from collections.abc import Iterable

from ..build import Build
from ..results import number
from ..workbook import Lab, Workbook
from . import changes, feedback, junit, pages, pictures, statistics
from .harmless import cell
from .model import NOT_BEGUN, Graded, Mark, total
from .roster import CANVAS, KEYS, PARTICIPANTS, WORKSHEET
from .sandbox import Sandbox
from .texts import flat, some

ITEM_COLUMNS = ["id", "name", "lab", "item", "points", "max_points", "status", "diagnosis", "todo", "reason", "file"]
SECONDS_FOR_PICTURES = 300.0
_MOODLE_USERS = {"Username": "login", "Email address": "email"}
_CANVAS_USERS = {"ID": "canvas_id", "SIS User ID": "sid", "SIS Login ID": "login"}
#: In the name of a folder that Moodle makes: the student's number in this assignment.
_WORKSHEET_ID = re.compile(r"_(\d+)_assignsubmission_")


def csv_text(rows: list[list[object]]) -> str:
    """`rows` as CSV, as RFC 4180 has it, with line feeds; no cell is a formula."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerows([[cell(value) for value in row] for row in rows])
    return made.getvalue()


def twice(rows: list[list[object]], ids: tuple[str, ...]) -> str:
    """What is wrong, in a sentence, where two rows have the same id in one of the columns `ids`, so that an import would write one over the
    other."""
    heading, *students = rows
    known: dict[tuple[str, str], int] = {}
    for line, row in enumerate(students):
        cells = dict(zip(heading, map(str, row)))
        for column, id_ in ((column, cells[column]) for column in ids if cells.get(column)):
            first = known.setdefault((column, id_.casefold()), line)
            if first != line:
                named = [f"line {place + 2} ({', '.join(str(cell_) for cell_ in students[place][:3] if cell_ != '')})" for place in (first, line)]
                return f"{' and '.join(named)} have the same {column}, {id_}, and an import would write one over the other."
    return ""


def most_points(graded: Graded, lab: Lab) -> float:
    """What is possible in a lab. Of one person it may be less, where an item could not be judged."""
    return max((mark.max_points for mark in graded.marks if mark.lab == lab), default=0)


def points_rows(graded: Graded) -> list[list[object]]:
    """One row for each person: the points and the most of each lab, and the sums. Without a hand-in a lab has 0 points."""
    labs = [column for lab in graded.labs for column in (lab.name, f"{lab.name} max")]
    rows: list[list[object]] = [["id", "name", *KEYS, *labs, "total", "max", "late", "not judged", "remarks", "corrections"]]
    for person in graded.class_.people:
        marks = graded.by_lab(person)
        own = [marks[lab.number] for lab in graded.labs if lab.number in marks]
        found = [value for lab in graded.labs for value in (_points_cells(marks[lab.number]) if lab.number in marks else ("", ""))]
        hand_ins = {mark.hand_in.id for mark in own if mark.hand_in}
        late = " ".join(mark.lab.number for mark in own if graded.rules.is_late(mark))
        not_judged = " ".join(mark.lab.number for mark in own if mark.undecided or mark.is_held)
        corrections = " ".join(f"Lab {mark.lab.number}: {flat(mark.notes[-1])}" for mark in own if mark.correction)
        sums = total(own) if has_mark(own) else ("", "")
        rows.append([person.id, person.name, *(person.keys.get(key, "") for key in KEYS), *found, *sums, late, not_judged,
                     sum(remark.hand_in in hand_ins for remark in graded.remarks), corrections])
    return rows


def has_mark(marks: Iterable[Mark]) -> bool:
    """Whether there is a mark that a sum can be made of."""
    return any(not mark.is_open for mark in marks)


def _points_cells(mark: Mark) -> tuple[object, object]:
    """Empty where a system says that there is no mark yet, and its own word where it says that there is none."""
    return (mark.excused, "") if mark.excused else ("" if mark.is_open else mark.points, mark.max_points)


def items_rows(graded: Graded) -> list[list[object]]:
    """One row for each person, lab and item that counts, with its points before weights; of a lab without a hand-in one row."""
    rows: list[list[object]] = [ITEM_COLUMNS]
    for mark in graded.marks:
        who = [mark.person.id, mark.person.name, mark.lab.name]
        verdict = mark.verdict
        if mark.is_open:
            rows.append([*who, "", "", "", "excused" if mark.excused else "not decided", "", "", flat(mark.missing), mark.hand_in.all_shown if mark.hand_in else ""])
            continue
        if verdict is None or mark.hand_in is None:
            fault = mark.hand_in.fault if mark.hand_in else None
            status, shown = ("failed", mark.hand_in.shown) if mark.hand_in else ("missing", "")
            rows.append([*who, "", 0, mark.raw_max, status, fault.id if fault else "", "",
                         flat(fault.sentence if fault else mark.missing), shown])
            continue
        failure = verdict.build_failure
        for score in verdict.scores():
            own = [result for result in verdict.results if result.item == score.item]
            stands = next((result for result in own if result.status == score.status), own[0])
            if failure and not stands.graded:
                stands = failure
            reason = feedback.told(stands.reason, mark.hand_in) if score.status != "passed" else ""
            rows.append([*who, score.item, number(score.points), number(score.max_points), score.status,
                         (stands.diagnoses or [""])[0] if reason else "", own[0].task or "", flat(reason), mark.hand_in.shown])
    return rows


def comment(mark: Mark) -> str:
    """What a learning platform shows beside the points: a sentence or two."""
    if mark.hand_in is None or mark.is_open:
        said = mark.missing
    elif mark.why_no_file:
        said = feedback.told(mark.why_no_file, mark.hand_in)
        said = said.replace(mark.hand_in.shown, feedback.own_name(mark.hand_in))
    elif mark.verdict is None or mark.verdict.build_failure:
        said = "The file could not be built. The feedback page says why."
    elif mark.not_begun:
        said = NOT_BEGUN
    else:
        lost = [score.item for score in mark.verdict.scores() if score.status == "failed"]
        said = f"Failed: {'; '.join(lost)}." if lost else "Every item has passed."
    return " ".join([said, *mark.notes])


def grade(mark: Mark | None) -> object:
    """The points for an import; empty where an item was not judged, so that no platform takes a defect for a grade, and where a system
    says that there is no mark."""
    return "" if mark is None or mark.undecided or mark.is_open else mark.points


def moodle_rows(graded: Graded) -> list[list[object]]:
    """For Moodle's gradebook, Import > CSV file. The importer maps columns by hand: one names the user, by email, username or ID
    number, and each other one is a grade item or its feedback. A row whose cell for the user is empty would be imported for the person of the
    row before, so that only columns that all rows have are written, and only people who are in the one that most have.

    https://docs.moodle.org/en/Grade_import, https://github.com/moodle/moodle/blob/main/grade/import/csv/classes/load_data.php
    """
    titles = [column for lab in graded.labs for column in (feedback.lab_title(lab), f"{feedback.lab_title(lab)} (Feedback)")]
    most = max(_MOODLE_USERS.values(), key=lambda key: sum(bool(person.keys.get(key)) for person in graded.class_.people))
    people = [person for person in graded.class_.people if person.keys.get(most)]
    columns = {column: key for column, key in _MOODLE_USERS.items() if all(person.keys.get(key) for person in people)}
    rows: list[list[object]] = [["Full name", *columns, *titles]]
    for person in people:
        marks = graded.by_lab(person)
        own = [marks.get(lab.number) for lab in graded.labs]
        found = [value for mark in own for value in (grade(mark), html_comment(mark) if mark else "")]
        rows.append([person.name, *(person.keys[key] for key in columns.values()), *found])
    return rows


def html_comment(mark: Mark) -> str:
    return html.escape(comment(mark), quote=False)


def participants(graded: Graded, lab: Lab) -> dict[str, str]:
    """Moodle's numbers in a lab's assignment by persons' ids: that of the file, that of the assignment, or else the one that is known of a student,
    if it is not another assignment's."""
    known = graded.class_.numbers.get(lab.name, {})
    others = {number_ for name, own in graded.class_.numbers.items() if name != lab.name for number_ in own.values()} - {*known.values()}
    found = {}
    for mark in (mark for mark in graded.marks if mark.lab == lab):
        possible = (number_in(mark), known.get(mark.person.id, ""), mark.person.keys.get("moodle_id", ""))
        if number_ := next((each for each in possible if each.isascii() and each.isdigit() and each not in others), ""):
            found[mark.person.id] = number_
    return found


def number_in(mark: Mark) -> str:
    """Moodle's number of the student in the assignment that the file came from; "" where it did not come from one."""
    own = _WORKSHEET_ID.search(mark.hand_in.shown) if mark.hand_in else None
    return own[1] if own else ""


def moodle_feedback(graded: Graded, out: pathlib.Path, lab: Lab) -> bytes:
    """The students' pages as a zip for an assignment of Moodle, "Upload multiple feedback files in a zip"; empty without one for it.

    A folder is called NAME_NUMBER_assignfeedback_file_, without other underscores in front of the number
    (is_valid_filename_for_import of https://github.com/moodle/moodle/blob/main/mod/assign/feedback/file/importziplib.php; before 4.1 it
    asks for the underscore at the end).
    """
    made, empty = io.BytesIO(), True
    numbers = participants(graded, lab)
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for person in (person for person in graded.class_.people if person.id in numbers):
            folder = f"{person.folder.replace('_', '-')}_{numbers[person.id]}_assignfeedback_file_"
            for path in sorted((out / "feedback" / person.folder).glob("*.html")):
                name = "feedback.html" if path.name == "index.html" else path.name
                if name == "feedback.html" or name.startswith(f"{lab.number}-"):
                    member = zipfile.ZipInfo(f"{folder}/{name}", (2020, 1, 1, 0, 0, 0))
                    archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)
                    empty = False
    return b"" if empty else made.getvalue()


def worksheet_rows(graded: Graded, lab: Lab) -> list[list[object]]:
    """An assignment's grading worksheet, which is uploaded there; all whom Moodle's own number is known of. An upload leaves out numbers
    of other assignments, and whoever is not in it keeps an earlier grade.

    The columns and the words in them are those that mod/assign/feedback/offline/importgradeslib.php looks for: Identifier, Grade and
    Last modified (grade) must be there, and the feedback is HTML. A row is left out if Moodle's time of the grade is more than a minute
    after its own, unless the one who uploads says otherwise (process_import_grades of locallib.php beside it): an upload cannot know
    whether the grade there is an earlier one of its own or another person's, so that no time is made up.
    """
    rows: list[list[object]] = [["Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Last modified (grade)",
                                 "Feedback comments"]]
    most, numbers = most_points(graded, lab), participants(graded, lab)
    for person in graded.class_.people:
        mark = graded.by_lab(person).get(lab.number)
        if mark and (identifier := numbers.get(person.id)):
            rows.append([f"Participant {identifier}", person.name, person.keys.get("email", ""), grade(mark), most, "",
                         html_comment(mark)])
    return rows


def canvas_rows(graded: Graded) -> list[list[object]]:
    """For Canvas's gradebook, Import. A student is found by ID, SIS User ID or SIS Login ID, or by name, which may be another one's, so that who
    has none of these is left out; an assignment is found by its title, and one that is not there is made. The second row says the points that
    are possible.

    https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_importer.rb (row_has_student_headers?, update_column_count,
    process_student, process_pp), https://teaching.resources.osu.edu/toolsets/carmencanvas (Importing a CSV File to Grades)
    """
    titles = [feedback.lab_title(lab) for lab in graded.labs]
    rows: list[list[object]] = [["Student", *_CANVAS_USERS, "Section", *titles]]
    rows.append(["    Points Possible", "", "", "", "", *(most_points(graded, lab) for lab in graded.labs)])
    for person in graded.class_.people:
        marks, users = graded.by_lab(person), [person.keys.get(key, "") for key in _CANVAS_USERS.values()]
        if any(users):
            rows.append([person.name, *users, "", *(grade(marks.get(lab.number)) for lab in graded.labs)])
    return rows


def index_page(graded: Graded, files: list[tuple[str, str]]) -> str:
    """The instructor's page. `files` are (address, what it is)."""
    text = pages.text
    people, labs = graded.class_.people, graded.labs
    handed_in = sum(mark.hand_in is not None for mark in graded.marks)
    undecided = [mark for mark in graded.marks if mark.undecided]
    body = [f"<h1>Class: {text(graded.class_.source.name or graded.class_.source)}</h1>",
            f"<p>{len(people)} {'person' if len(people) == 1 else 'people'}, {handed_in} hand-ins for "
            f"{', '.join(text(feedback.lab_title(lab)) for lab in labs)}.</p>",
            f"<p>{text(graded.confinement)} Judged on {text(' and '.join(graded.backends))}, with inputs drawn from the seed {graded.seed}. "
            "The seed is yours: no student's page has it.</p>"]
    if undecided:
        named = ", ".join(f"{text(mark.person.name)} (lab {mark.lab.number})" for mark in undecided)
        body.append(f'<p class="note">Not judged, and to be graded again with the same command: {named}. '
                    "Files for import have no points there.</p>")
    body.append(pages.listed([f"{pages.link(address, address)}: {text(what)}" for address, what in files]))
    body.append("<h2>Students</h2>")
    rows = []
    for person in people:
        marks = graded.by_lab(person)
        points, most = total(marks.values())
        rows.append([pages.link(f"feedback/{person.folder}/index.html", person.name), text(f"{points}/{most}" if has_mark(marks.values()) else "–"),
                     pages.bar(points / most if most else 0, ""), *(_cell(marks.get(lab.number)) for lab in labs),
                     text(_flags(graded, marks))])
    headings = ["Name", "Total", "", *(f"Lab {lab.number}" for lab in labs), "To look at"]
    body.append(pages.table(headings, rows, right=(1, *range(3, len(labs) + 3))))
    said = [*graded.rules.sentences(labs), *graded.rules.extra_time_sentences()]
    if said:
        body += ["<h2>The course's rules</h2>", pages.listed([text(line) for line in said])]
    if graded.class_.asks:
        body += ["<h2>Please look</h2>", pages.listed([text(ask) for ask in graded.class_.asks])]
    if graded.class_.notes:
        body += ["<h2>What was decided on the way</h2>", pages.listed([text(note) for note in graded.class_.notes])]
    if graded.class_.others:
        rows = [[f"<code>{text(seen.shown)}</code>", str(seen.count), text(seen.kind), text(seen.why)] for seen in graded.class_.others]
        body += ["<h2>Seen, and no hand-in</h2>", pages.table(["File", "Files", "What it is", "Why"], rows, right=(1,))]
    if graded.remarks:
        rows = [[text(each.hand_in), f"<code>{text(each.kind)}</code>", text(each.sentence + (f" (line {each.line})" if each.line else ""))]
                for each in graded.remarks]
        body += ["<h2>Remarks</h2>", "<p>They cost no points.</p>", pages.table(["Hand-in", "What", "Remark"], rows)]
    return pages.document("The class: points and pages", body)


def _cell(mark: Mark | None) -> str:
    if mark is None or mark.excused or not (mark.hand_in or mark.is_given):
        return f'<span class="quiet">{mark.excused if mark and mark.excused else "–"}</span>'
    if mark.is_open:
        return '<span class="wait" title="not decided">?</span>'
    words = pages.text(mark.points)
    if mark.undecided:
        return f'{words} <span class="wait" title="not judged">?</span>'
    broken = not mark.is_given and (mark.verdict is None or mark.verdict.build_failure)
    return f'<span class="bad" title="not built">{words}</span>' if broken else words


def flags(graded: Graded, mark: Mark) -> list[str]:
    """What an instructor may want to know of one person's file for a lab, in a few words each."""
    if mark.is_open:
        return ["excused"] if mark.excused else [*(["comment"] if mark.correction else []), "not decided"]
    failure = mark.verdict.build_failure if mark.verdict else None
    found = {"corrected": mark.is_given, "comment": mark.correction and not mark.is_given, "late": graded.rules.is_late(mark),
             "not gradable": failure and "compile-error" not in failure.diagnoses,
             "does not compile": failure and "compile-error" in failure.diagnoses, "not begun": mark.not_begun, "not judged": mark.undecided}
    return [flag for flag, holds in found.items() if holds]


def why_nothing(marks: list[Mark]) -> str:
    """Why a person has handed in nothing, of each lab where they differ."""
    labs: dict[str, list[str]] = {}
    for mark in marks:
        labs.setdefault(mark.missing, []).append(mark.lab.number)
    return " ".join(f"{', '.join(own)}: {reason}" if len(labs) > 1 else reason for reason, own in labs.items())


def _flags(graded: Graded, marks: dict[str, Mark]) -> str:
    """What the instructor may want to look at, in a few words."""
    labs: dict[str, list[str]] = {}
    for number_, mark in marks.items():
        for flag in flags(graded, mark):
            labs.setdefault(flag, []).append(number_)
    found = [f"{flag}: {', '.join(own)}" for flag, own in labs.items()]
    hand_ins = {mark.hand_in.id for mark in marks.values() if mark.hand_in}
    remarks = sum(remark.hand_in in hand_ins for remark in graded.remarks)
    alike = sum(bool({each.first, each.second} & hand_ins) for each in graded.likenesses)
    found += [f"{remarks} remarks" if remarks > 1 else "1 remark"] if remarks else []
    found += [f"similar to {alike}" if alike else ""] if alike else []
    found += [] if hand_ins else [why_nothing(list(marks.values()))]
    found += ["on no roster"] if {mark.person.id for mark in marks.values()} & graded.class_.on_no_roster else []
    return "; ".join(found)


def write_all(graded: Graded, out: pathlib.Path, build: Build | None = None, seconds_for_pictures: float = SECONDS_FOR_PICTURES,
              sandbox: Sandbox = Sandbox("kernel")) -> list[str]:
    """Writes everything into `out`, and returns lines for the terminal: what lies where. `build` is what judged the class; without
    it there are no pictures of what failed, which take `seconds_for_pictures` at most, and are made in the class's `sandbox`."""
    from . import returned  # which takes cells from here

    out.mkdir(parents=True, exist_ok=True)
    out = out.absolute()  # programs that run elsewhere write there, too
    files: list[tuple[str, str]] = []
    not_read = graded.class_.not_read
    refused = [f"No file for an import into {system} was written, because {shown} holds names of its form and was not read as its export." for
               system, shown in not_read.items()]
    rosters = [roster for roster in graded.class_.rosters if any(row.person for row in roster.rows.values())]
    forms = [roster.form for roster in rosters]
    rosters = [roster for roster in rosters if not roster.form.name.startswith(tuple(not_read))]
    worksheets = [returned.lab_of_worksheet(graded, roster) for roster in rosters if roster.form is WORKSHEET]
    # A number is that of one assignment, and says nothing to another one.
    numbers = {lab: participants(graded, lab) for lab in graded.labs}
    from_moodle = [mark for mark in graded.marks if number_in(mark)]
    known = [mark for mark in from_moodle if number_in(mark) == numbers[mark.lab].get(mark.person.id)]
    in_moodle = [lab for lab in graded.labs if lab in worksheets or any(mark.lab == lab for mark in known)]
    in_moodle = [] if "Moodle" in not_read else in_moodle
    for lab in in_moodle:
        if lost := [mark.person.name for mark in from_moodle if mark.lab == lab and mark.person.id not in numbers[lab]]:
            refused.append(f"No file for lab {lab.number}'s assignment in Moodle has the points and pages of {some(lost)}, whose number in it is not known. Its grading "
                           "worksheet says it.")

    def put(name: str, content: str, what: str) -> None:
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_text(content, encoding="utf-8", newline="")
        files.append((name, what))

    def put_table(name: str, rows: list[list[object]], what: str, ids: Iterable[str]) -> None:
        if why := twice(rows, tuple(ids)):
            refused.append(f"{name} was not written: {flat(why)}")
            return
        put(name, csv_text(rows), what)
        left_out = collections.Counter(person.name for person in graded.class_.people) - collections.Counter(str(row[0]) for row in rows[1:])
        if "id" not in ids and "Identifier" not in ids and left_out:
            names = sorted(left_out.elements())
            graded.class_.notes.append(f"{name} leaves out {len(names)} {'person' if len(names) == 1 else 'people'}, whom it could not name to the import: {some(names)}.")

    put_table("points.csv", points_rows(graded), "one row for each student: points of each lab, and the total", ("id", *KEYS))
    put("items.csv", csv_text(items_rows(graded)), "one row for each student, lab and item")
    # A system of which a list was given gets that alone: there are cells that no other file may overwrite.
    if not any(person.keys.get(key) for person in graded.class_.people for key in ("login", "email")):
        graded.class_.notes += [] if WORKSHEET in forms else ["No moodle.csv was written: of no one a username or email is known. A roster says them."]
    elif WORKSHEET not in forms and PARTICIPANTS not in forms and "Moodle" not in not_read:
        put_table("moodle.csv", moodle_rows(graded), "for Moodle's gradebook: Grades, Import, CSV file", _MOODLE_USERS)
    for lab in in_moodle:
        rows = worksheet_rows(graded, lab)
        if lab not in worksheets:
            put_table(f"moodle-{lab.number}.csv", rows, f"lab {lab.number} for Moodle's assignment: Upload grading worksheet", ("Identifier",))
    if CANVAS not in forms and "Canvas" not in not_read and any("canvas_id" in person.keys for person in graded.class_.people):
        put_table("canvas.csv", canvas_rows(graded), "for Canvas's gradebook: Import", _CANVAS_USERS)
    shutil.rmtree(out / "rosters", ignore_errors=True)
    for roster in rosters:
        content, said = returned.filled(graded, roster)
        refused += said
        if content:
            put(f"rosters/{returned.file_name(roster, [name for name, _ in files])}", content, f"{roster.form.name} as it was given, with the marks{returned.without(graded, roster)}")
    put("junit.xml", junit.text(graded), "every item as a JUnit test case, a suite for each student and lab")
    if graded.changes:
        put("changes.csv", csv_text([changes.COLUMNS, *graded.changes]), "marks that a regrading has changed, and why")
    made = pictures.make(graded, out, build, seconds_for_pictures, sandbox) if build else {}
    feedback.write(graded, out, made)
    for lab in in_moodle:
        packed = moodle_feedback(graded, out, lab)
        if why := twice([["Identifier"], *([number_] for number_ in numbers[lab].values())], ("Identifier",)):
            refused.append(f"moodle-feedback-{lab.number}.zip was not written: {why}")
        elif packed:
            (out / f"moodle-feedback-{lab.number}.zip").write_bytes(packed)
            files.append((f"moodle-feedback-{lab.number}.zip", "the students' pages for Moodle's assignment: Upload multiple feedback "
                                                               "files in a zip"))
    for stale in {path.name for name in ("moodle*", "canvas.csv", "points.csv") for path in out.glob(name)} - {name for name, _ in files}:
        (out / stale).unlink()  # of an earlier run: no one is to import it
    graded.class_.asks = list(dict.fromkeys([*graded.class_.asks, *map(flat, refused)]))
    drawn = statistics.write(graded, out, Workbook(graded.labs[0].folder.parents[1]))
    files.append(("statistics.html", "how the class did: points, hardest items, commonest diagnoses"))
    for name, what in (("remarks.csv", "what you may want to look at; costs no points"),
                       ("likeness.html", "hand-ins that share text, side by side")):
        if (out / name).exists():
            files.append((name, what))
    (out / "index.html").write_text(index_page(graded, files), encoding="utf-8")
    shown = out / "index.html"
    lines = [f"Begin with {shown}, which opens in any browser.", f"Feedback, a folder for each student: {out / 'feedback'}"]
    lines += [f"{out / name}: {what}" for name, what in files]
    return lines + drawn
