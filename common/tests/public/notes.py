"""What people know of programs: how each is called, and whether what the simulator found is so.

A file of notes has a section for each program:

    [repository/folder/program]
    options = -DSIZE=64          ; for simtcc
    arguments = 1024 images      ; for the program
    memory = 64                  ; MiB of the device: programs that use all of it
    verdict = true diagnosis     ; of a finding: true diagnosis or false alarm; of a failure: any class
    why = the kernel reads past the end of a, line 12
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


def read_notes(path: pathlib.Path) -> dict[str, Note]:
    parser = configparser.ConfigParser(interpolation=None, inline_comment_prefixes=(";",), strict=True)
    parser.read_string(path.read_text(encoding="utf-8"))
    notes = {}
    for section in parser.sections():
        values = parser[section]
        unknown = set(values) - {"options", "arguments", "memory", "verdict", "why"}
        if unknown:
            raise ValueError(f"{path}, [{section}]: {sorted(unknown)[0]} is no key of a note")
        notes[section] = Note(tuple(shlex.split(values.get("options", ""))), tuple(shlex.split(values.get("arguments", ""))),
                              values.get("memory", ""), values.get("verdict", ""), values.get("why", ""))
    return notes
