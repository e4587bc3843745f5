"""Who is in a class, as systems list it: a roster is read as its system writes it.

A form is recognised by its headings, in upper or lower case; columns that say nothing of a person are kept as they are.
"""
from __future__ import annotations

import codecs
import csv
import dataclasses
import datetime
import io
import pathlib
import re

from ..problem import Problem
from . import harmless
from .model import Person

KEYS = ("email", "login", "github", "sid", "moodle_id", "canvas_id")
UNUSABLE = "unusable"  # a key that a row should have, as it stands there
NO_STUDENT = "no student"  # in a row of someone who teaches, or of Canvas's student view
COLUMNS = ("path", "name", "lab", "id", *KEYS, "submitted")


#: What Excel makes of a long number, whose last digits are lost.
_BY_EXCEL = re.compile(r"\d([.,]\d+)?E\+\d+")
#: And what programs make of a whole number.
_AS_FLOAT = re.compile(r"(\d+)[.,]00?")


def plain_number(text: str) -> str:
    """A key, which is a whole number if it looks like one that a program has written as a fraction."""
    number = _AS_FLOAT.fullmatch(text)
    return number[1] if number else text


@dataclasses.dataclass(frozen=True)
class Form:
    """How one system lists people: the headings that tell it from other forms, and what its columns say of a person."""

    name: str
    tells: tuple[str, ...]
    columns: dict[str, str]


#: The columns of the form that people write themselves.
OWN = Form("a roster of one's own", (), {name: name for name in COLUMNS})
#: An assignment's "Download grading worksheet". Its columns are those of assign_grading_table (mod/assign/gradingtable.php) while it is
#: downloaded: Identifier, Full name, what the site shows of users' identity, Status, Grade, Maximum Grade, and further ones.
WORKSHEET = Form("Moodle's grading worksheet", ("identifier", "grade", "maximum grade"), {
    "identifier": "moodle_id", "full name": "name", "id number": "sid", "email address": "email", "username": "login",
    "last modified (submission)": "modified", "status": "status", "grade can be changed": "may_change"})
#: lib/gradebook_exporter.rb of instructure/canvas-lms: Student, or LastName and FirstName; ID; SIS User ID and further ids for those who may
#: see them; SIS Login ID; Section; then the assignments, each with its number in brackets.
CANVAS = Form("Canvas's gradebook", ("id", "sis login id", "section"), {
    "student": "name", "lastname": "last", "firstname": "first", "id": "canvas_id", "sis user id": "sid", "sis login id": "login"})
#: "Download" on the page of a classroom's students, classroom_roster.csv. The identifier is what the teacher chose.
GITHUB = Form("GitHub Classroom's roster", ("identifier", "github_username"), {
    "identifier": "identifier", "github_username": "github", "name": "name"})
#: "Download Roster", and what "Add Students or Staff" takes: a full name or two parts, an email, a student's number, a role.
GRADESCOPE = Form("Gradescope's roster", ("email", "sid"), {
    "name": "name", "first name": "first", "last name": "last", "sid": "sid", "email": "email", "role": "role"})
#: "Download table data as" below the list of participants: names, what the site shows of users' identity, groups. Before 4.0 it says Surname.
PARTICIPANTS = Form("Moodle's list of participants", ("first name", "email address"), {
    "first name": "first", "last name": "last", "surname": "last", "id number": "sid", "email address": "email", "username": "login"})
FORMS = (WORKSHEET, CANVAS, GITHUB, GRADESCOPE, PARTICIPANTS)


@dataclasses.dataclass(eq=False)
class Row:
    """One row: a person, or, with a path, whose the files there are."""

    file: pathlib.Path
    line: int
    path: tuple[str, ...]
    values: dict[str, str]
    submitted: datetime.datetime | None = None
    used: bool = False
    person: Person | None = None

    @property
    def lab(self) -> str:
        return self.values.get("lab", "")

    @property
    def keys(self) -> dict[str, str]:
        return {key: self.values[key] for key in KEYS if self.values.get(key)}

    @property
    def names_person(self) -> bool:
        return bool(self.values.get("name") or self.values.get("id") or self.keys)

    @property
    def where(self) -> str:
        return f"{self.file.name}, line {self.line}"


@dataclasses.dataclass(eq=False)
class Roster:
    """A file with all its cells, so that it can be written back."""

    file: pathlib.Path
    form: Form
    heading: list[str]
    cells: list[list[str]]
    rows: dict[int, Row]  # those of `cells` that say something of a person or a file
    no_students: list[Row] = dataclasses.field(default_factory=list)
    delimiter: str = ","
    line_end: str = "\n"
    begin: str = ""  # the byte order mark, if there is one
    lab: str = ""  # of a grading worksheet: the name of the lab whose assignment it is of, where that is known

    def text(self, heading: list[str], cells: list[list[str]]) -> str:
        """The file with other cells. They are written as they are: it is the system's own file, which goes back there."""
        made = io.StringIO()
        writer = csv.writer(made, delimiter=self.delimiter, lineterminator=self.line_end)
        writer.writerows([heading, *cells])
        return self.begin + made.getvalue()


def text_of(file: pathlib.Path, what: str) -> str:
    """The text of a table, with a byte order mark in front if it has one: UTF-8, or the UTF-16 that Excel saves as Unicode text. Raises Problem."""
    try:
        data = file.read_bytes()
        return "\ufeff" + data.decode("utf-16") if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else data.decode("utf-8")
    except OSError as error:
        raise Problem(f"The {what} {file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Problem(f"The {what} {file} is not UTF-8.", ["Give the file as the system wrote it. In Excel it is saved as 'CSV UTF-8', or as 'Unicode Text', and in LibreOffice with the "
                                                            "character set Unicode (UTF-8)."]) from None


def delimiter_of(text: str) -> str:
    return max(",;\t", key=text.partition("\n")[0].count)


def read(file: pathlib.Path) -> Roster:
    """Raises Problem where it cannot be read, or is in no form that is known."""
    text = text_of(file, "roster")
    begin, text = text[:1] if text.startswith("\ufeff") else "", text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    delimiter = delimiter_of(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines: list[tuple[int, list[str]]] = []
    try:
        for cells in reader:
            lines.append((reader.line_num, cells))
    except csv.Error as error:
        raise Problem(f"The roster {file}, line {reader.line_num}: {error}.") from None
    if not lines or not any(lines[0][1]):
        raise Problem(f"The roster {file} is empty.", ["Its columns can be " + ", ".join(COLUMNS) + "."])
    heading = lines[0][1]
    form = _form(file, [name.strip().lower() for name in heading])
    found = Roster(file, form, heading, [cells for _, cells in lines[1:]], {}, [], delimiter, "\r\n" if first.endswith("\r") else "\n", begin)
    for index, (line, cells) in enumerate(lines[1:]):
        if len(cells) > len(heading):
            raise Problem(f"The roster {file}, line {line}: more cells than columns.")
        try:
            values = _values(form, _by_heading([name.strip().lower() for name in heading], cells, form))
        except ValueError as twice:
            raise Problem(f"The roster {file}, line {line}: {twice}.") from None
        if values.pop(NO_STUDENT, ""):
            found.no_students.append(Row(file, line, (), values))
        elif any(values.values()):
            found.rows[index] = Row(file, line, (), values)
    lost = [row for row in found.rows.values() if _BY_EXCEL.fullmatch(row.values.get(UNUSABLE, ""))]
    if lost and len(lost) == len(found.rows):
        raise Problem(f"The roster {file} has numbers such as {lost[0].values[UNUSABLE]} in all rows: Excel has shortened them, and their last digits are lost.",
                      ["Export the list again, and give it as it comes, without saving it in Excel."])
    return found


def _form(file: pathlib.Path, heading: list[str]) -> Form:
    unknown = next((name for name in heading if name not in COLUMNS), None)
    if unknown is None:
        return OWN
    for form in FORMS:
        if set(form.tells) <= set(heading):
            return form
    raise Problem(f"The roster {file} has the column '{harmless.shown(unknown)}'.", [
        "The columns of a roster of your own can be " + ", ".join(COLUMNS) + ".",
        *(f"{form.name} is known by its columns {', '.join(form.tells)}, in English." for form in FORMS)])


def _by_heading(heading: list[str], cells: list[str], form: Form) -> dict[str, str]:
    """A row's cells by their headings. Of a heading that is there twice the cell counts that is not empty. Raises ValueError where two of a person's say
    different things."""
    found: dict[str, str] = {}
    for name, cell in zip(heading, cells):
        if name in form.columns and found.get(name, "").strip() and cell.strip() not in ("", found[name].strip()):
            raise ValueError(f"the column '{harmless.shown(name)}' is there twice, with {harmless.shown(found[name].strip())} and {harmless.shown(cell.strip())}")
        found[name] = cell if not found.get(name, "").strip() else found[name]
    return found


def _values(form: Form, cells: dict[str, str]) -> dict[str, str]:
    """What a row says of a person; nothing for rows that are none."""
    said: dict[str, str] = {}
    for heading, what in form.columns.items():
        if cell := cells.get(heading, "").strip():
            said.setdefault(what, cell)
    name = said.get("name") or " ".join(filter(None, (said.pop("first", ""), said.pop("last", ""))))
    for key in (key for key in (*KEYS, "identifier") if key in said):
        said[key] = plain_number(said[key])
        if _BY_EXCEL.fullmatch(said[key]):
            said[UNUSABLE] = said.pop(key)
    if form is CANVAS:
        is_no_one = not any(key in said for key in (*KEYS, UNUSABLE)) and (not name or cells.get("student", "")[:1].isspace())  # such as what is possible
        if is_no_one or name == "Points Possible":
            return {}
        if name in ("Student, Test", "Test Student"):  # the student view
            said[NO_STUDENT] = name
        number = said.pop("canvas_id", "")
        said |= {"canvas_id": number} if re.fullmatch(r"\d+", number) else {UNUSABLE: cells["id"].strip()}
        name = " ".join(reversed([part.strip() for part in name.split(",")])) if name.count(",") == 1 else name
    if form is WORKSHEET:
        name = name or said.get("moodle_id", "")  # without names where students are not to be known
        number = re.search(r"\d+$", said.get("moodle_id", ""))  # "Participant 4711", in the site's language
        said["moodle_id"] = number[0] if number else ""
    if form is GRADESCOPE and said.pop("role", "Student").casefold() != "student":
        said[NO_STUDENT] = name
    if form is GITHUB and (identifier := said.pop("identifier", "")):
        said["email" if "@" in identifier else "identifier"] = identifier
        name = name or identifier
    if "@" in said.get("login", ""):
        said.setdefault("email", said["login"])
    return {**said, "name": name}
