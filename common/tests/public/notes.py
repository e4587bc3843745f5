"""What people know of programs: how each is called, and whether what the simulator found is so.

A file of notes has a section for each program:

    [repository/folder/program]
    options = -DSIZE=64          ; for simtcc
    arguments = 1024 images      ; for the program
    memory = 64                  ; MiB of the device: programs that use all of it
    verdict = true diagnosis     ; of a finding: true diagnosis or false alarm; of a failure: any class
    why = the kernel reads past the end of a, line 12
    says = ERROR! code           ; words of failure that the program says on a GPU, too: a regular expression
    status = 1                   ; with which it ends on a GPU, too
    replace = N 4096 => N 64     ; in a copy of its sources, one a line: a size that the source fixes
    reduced = 64 for 4096        ; the options or arguments make the program smaller than it is
"""
from __future__ import annotations

import configparser
import dataclasses
import pathlib
import shlex


@dataclasses.dataclass(frozen=True)
class Note:
    options: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    memory: str = ""
    verdict: str = ""
    why: str = ""
    says: str = ""
    status: str = ""
    reduced: str = ""
    replace: tuple[tuple[str, str], ...] = ()

    @property
    def smaller(self) -> str:
        """What makes the program smaller than it is, if anything does."""
        return self.reduced or ", ".join(f"{old} is {new}" for old, new in self.replace)


def read_notes(path: pathlib.Path) -> dict[str, Note]:
    parser = configparser.ConfigParser(interpolation=None, inline_comment_prefixes=(";",), strict=True)
    parser.read_string(path.read_text(encoding="utf-8"))
    notes = {}
    for section in parser.sections():
        values = parser[section]
        unknown = set(values) - {field.name for field in dataclasses.fields(Note)}
        if unknown:
            raise ValueError(f"{path}, [{section}]: {sorted(unknown)[0]} is no key of a note")
        replace = [line for line in values.get("replace", "").splitlines() if line.strip()]
        for line in replace:
            if "=>" not in line:
                raise ValueError(f"{path}, [{section}]: {line.strip()} has no =>")
        words = {key: tuple(shlex.split(values.get(key, ""))) for key in ("options", "arguments")}
        texts = {key: values.get(key, "") for key in ("memory", "verdict", "why", "says", "status", "reduced")}
        pairs = [line.split("=>", 1) for line in replace]
        notes[section] = Note(**words, **texts, replace=tuple((old.strip(), new.strip()) for old, new in pairs))
    return notes
