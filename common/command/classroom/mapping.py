"""The mapping file: the instructor's word on files and people, where names do not say enough."""
from __future__ import annotations

import collections
import csv
import dataclasses
import datetime
import io
import pathlib
import re
import unicodedata

from ..problem import Problem
from ..workbook import Lab
from . import harmless
from .who import Who, key_of, shown_path

COLUMNS = ("path", "name", "lab", "id", "email", "login", "github", "moodle_id", "canvas_id", "submitted")
_KEYS = ("email", "login", "github", "moodle_id", "canvas_id")


@dataclasses.dataclass
class Row:
    line: int
    path: tuple[str, ...]
    values: dict[str, str]
    submitted: datetime.datetime | None = None
    used: bool = False

    @property
    def lab(self) -> str:
        return self.values.get("lab", "")

    @property
    def name_or_key(self) -> bool:
        return bool(self.values.get("name") or self.values.get("id") or any(self.values.get(key) for key in _KEYS))


class Mapping:
    """The instructor's word on files and people: a CSV file with a heading. A row with a path is about that file, or all files
    of that folder or archive; a row without one completes the person who has one of its keys."""

    def __init__(self, file: pathlib.Path | None):
        self.file = file
        self.rows: dict[tuple[str, ...], Row] = {}
        self.roster: list[Row] = []
        if file is None:
            return
        try:
            text = file.read_bytes().decode("utf-8-sig")
        except OSError as error:
            raise Problem(f"The mapping file {file} cannot be read: {error.strerror}.") from None
        except UnicodeDecodeError:
            raise Problem(f"The mapping file {file} is not UTF-8.") from None
        first = text.partition("\n")[0]
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ",",
                                strict=True)
        try:
            unknown = [name for name in reader.fieldnames or [] if name.strip().lower() not in COLUMNS]
            if unknown or not reader.fieldnames:
                raise Problem(f"The mapping file {file} has the column '{harmless.shown(unknown[0])}'." if unknown else
                              f"The mapping file {file} is empty.", ["Its columns can be " + ", ".join(COLUMNS) + "."])
            for row in reader:
                self.add(reader.line_num, row)
        except csv.Error as error:
            raise Problem(f"The mapping file {file}, line {reader.line_num}: {error}.") from None

    def add(self, line: int, cells: dict) -> None:
        if None in cells:
            raise Problem(f"The mapping file {self.file}, line {line}: more cells than columns.")
        values = {name.strip().lower(): (value or "").strip() for name, value in cells.items()}
        if not any(values.values()):
            return
        path = tuple(unicodedata.normalize("NFC", part) for part in values.pop("path", "").split("/") if part not in ("", "."))
        row = Row(line, path, values)
        if values.get("submitted"):
            try:
                row.submitted = datetime.datetime.fromisoformat(values["submitted"].replace("Z", "+00:00"))
            except ValueError:
                row.submitted = None
            if row.submitted is None or row.submitted.tzinfo is None:
                raise Problem(f"The mapping file {self.file}, line {line}: '{values['submitted']}' is no time with its zone, such as "
                              "2026-11-30T23:59:00+01:00.")
        if row.path:
            self.rows[row.path] = row
        else:
            self.roster.append(row)

    def check_labs(self, labs: list[Lab]) -> None:
        for row in self.rows.values():
            if row.lab and row.lab != "-" and not any(row.lab in (lab.number, lab.name, lab.topic) for lab in labs):
                raise Problem(f"The mapping file {self.file}, line {row.line}: there is no lab '{harmless.shown(row.lab)}'.")

    def row(self, path: tuple[str, ...]) -> Row | None:
        """The row about a file: its own, or that of the innermost folder around it."""
        if not self.rows:
            return None
        path = tuple(unicodedata.normalize("NFC", part) for part in path)
        for length in range(len(path), 0, -1):
            if row := self.rows.get(path[:length]):
                row.used = True
                return row
        return None

    def who(self, row: Row) -> Who:
        keys = {key: row.values[key] for key in _KEYS if row.values.get(key)}
        name = row.values.get("name") or row.values.get("id") or next(iter(keys.values()))
        identity = row.values.get("id") or keys.get("email", "").casefold() or key_of(name)
        return Who(("mapping", identity), name, key_of(name), keys, self.id(row))

    def complete(self, people: list[Who]) -> None:
        """Takes over what the rows without a path say of persons: by a key, or by the name where no other has it."""
        names = collections.Counter(key_of(who.name).casefold() for who in people)
        for row in self.roster:
            name = key_of(row.values.get("name", "")).casefold()
            for who in people:
                by_key = any(row.values.get(key) and row.values[key].casefold() == who.keys.get(key, "").casefold() for key in _KEYS)
                if by_key or (name and names[name] == 1 and name == key_of(who.name).casefold()):
                    row.used = True
                    who.name = row.values.get("name") or who.name
                    who.id = who.id or self.id(row)
                    for key in _KEYS:
                        if row.values.get(key):
                            who.keys.setdefault(key, row.values[key])

    def without_file(self) -> list[Who]:
        """Those of the class who have handed in nothing."""
        return [self.who(row) for row in self.roster if not row.used and row.name_or_key]

    def id(self, row: Row) -> str:
        id = row.values.get("id", "")
        if id and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", id):
            raise Problem(f"The mapping file {self.file}, line {row.line}: the id '{harmless.shown(id)}' may have ASCII letters, "
                          "digits, - and _, and at most 64 of them.")
        return id

    def unused(self) -> list[str]:
        return [f"The mapping file names {shown_path(row.path)} (line {row.line}), which is not there." for row in self.rows.values()
                if not row.used]
