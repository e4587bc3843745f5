"""The instructor's word on files and people: the class's rosters, which may also say whose files are which."""
from __future__ import annotations

import dataclasses
import datetime
import pathlib
import re
import unicodedata
from typing import Sequence

from ..problem import Problem
from ..workbook import Lab
from . import harmless, naming, roster
from .roster import Row
from .who import Who, key_of, shown_path, word_of


class Mapping:
    """Rows with a path are about that file, or all files of that folder or archive. Each other row is a person of the class."""

    def __init__(self, files: Sequence[pathlib.Path] = ()):
        self.rosters = [roster.read(path) for path in dict.fromkeys(files)]
        self.rows: dict[tuple[str, ...], Row] = {}
        self.entries: list[Row] = []
        self.no_students = {(kind, value.casefold()): row for each in self.rosters for row in each.no_students for kind, value in row.keys.items()}
        for each in self.rosters:
            for row in each.rows.values():
                self.add(row)
        inside: dict[tuple[str, ...], set[str]] = {}
        for row in self.rows.values():
            for length in range(1, len(row.path)) if row.names_person else ():
                inside.setdefault(row.path[:length], set()).add(self.who(row).name)
        self.groups = {path for path, names in inside.items() if len(names) > 1}  # folders of several people
        self.canvas_ids = frozenset(row.keys["canvas_id"] for row in [*self.entries, *self.rows.values()] if "canvas_id" in row.keys)
        self.logins: dict[str, tuple[str, ...]] = {}  # of blackboard.py
        self.words = {word_of(word) for row in self.entries for word in (row.values.get("name", ""), *row.keys.values()) if word}

    def add(self, row: Row) -> None:
        values, where = row.values, f"The roster {row.file}, line {row.line}"
        row.path = tuple(unicodedata.normalize("NFC", part) for part in values.pop("path", "").split("/") if part not in ("", "."))
        if values.get("submitted"):
            try:
                row.submitted = datetime.datetime.fromisoformat(values["submitted"].replace("Z", "+00:00"))
            except ValueError:
                row.submitted = None
            if row.submitted is None or row.submitted.tzinfo is None:
                raise Problem(f"{where}: '{values['submitted']}' is no time with its zone, such as 2026-11-30T23:59:00+01:00.")
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,64}", values.get("id", "")):
            raise Problem(f"{where}: the id '{harmless.shown(values['id'])}' may have ASCII letters, digits, - and _, and at most 64 of them.")
        if not row.path:
            self.entries.append(row)
        elif row.path in self.rows:
            raise Problem(f"{where}: '{shown_path(row.path)}' is in {self.rows[row.path].where}, too.")
        else:
            self.rows[row.path] = row

    def check_labs(self, labs: list[Lab]) -> None:
        for row in self.rows.values():
            if row.lab and row.lab != "-" and not any(lab.is_called(row.lab) for lab in labs):
                raise Problem(f"The roster {row.file}, line {row.line}: there is no lab '{harmless.shown(row.lab)}'.")

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

    def says_whose(self, path: tuple[str, ...]) -> bool:
        """Whether a row with the path says whose something is, or that it is no one's."""
        row = self.row(path)
        return row is not None and (row.names_person or row.lab == "-")

    def owner_of(self, component: str) -> naming.Owner | None:
        """The person that a component names as a system does."""
        component = unicodedata.normalize("NFC", component)
        owner = naming.owner_of(component, self.canvas_ids)
        if owner and owner.system == "Blackboard" and (logins := self.logins.get(naming.blackboards_stem(component))):
            is_sure = len(logins) == 1
            return dataclasses.replace(owner, name=logins[0], keys=(("login", logins[0]),) if is_sure else (), may_be=() if is_sure else logins)
        return owner

    def owner_in(self, path: tuple[str, ...]) -> tuple[naming.Owner | None, int]:
        """The outermost component that a system named, and its place."""
        return next(((owner, index) for index, component in enumerate(path) if (owner := self.owner_of(component))), (None, 0))

    def people(self) -> list[Who]:
        """Those whom rows without a path name, in their order."""
        return [self.who(row, entry=True) for row in self.entries if row.names_person]

    def people_of_paths(self) -> list[tuple[Row, Who]]:
        return [(row, self.who(row)) for row in self.rows.values() if row.names_person and row.lab != "-"]

    def who(self, row: Row, entry: bool = False) -> Who:
        keys = dict(row.keys)
        name = row.values.get("name") or row.values.get("id") or next(iter(keys.values()))
        if row.values.get("id"):
            keys["_id"] = row.values["id"]
        return Who(name, key_of(name), keys, row.values.get("id", ""), named=bool(row.values.get("name")), row=row if entry else None,
                   path=row.path, source=row.where)

    def unused(self) -> list[str]:
        return [f"{row.where}, names {shown_path(row.path)}, which is not there." for row in self.rows.values() if not row.used]
