"""./warpbook reset LAB [--todo N]: the starter's text back, and a copy of what was there."""
from __future__ import annotations

import pathlib
import sys
import time

from . import regions
from .problem import SUCCESS, Problem
from .workbook import Lab, Workbook


def backup_of(file: pathlib.Path) -> pathlib.Path:
    """A name beside `file` that is free."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    for extra in ("", *(f"-{number}" for number in range(2, 1000))):
        path = file.with_name(f"{file.stem}.{stamp}{extra}{file.suffix}.bak")
        if not path.exists():
            return path
    raise Problem(f"There are too many copies of {file.name} already.")


def wanted_text(workbook: Workbook, lab: Lab, own: str | None, todo: int | None) -> str:
    """The file as it is to be; `own` is what it is, None if there is none."""
    kept = lab.kept_starter
    try:
        starter = kept.read_text(encoding="utf-8")
    except OSError:
        raise Problem(f"{workbook.shown(kept)} is missing, which has the starter's text.", ["Take it from a fresh copy of the workbook."]) from None
    if todo is None:
        return starter
    numbers = [region.number for region in regions.regions(starter)]
    if todo not in numbers:
        raise Problem(f"{lab.name} has no TODO({todo}).", [f"Its TODOs have the numbers {', '.join(map(str, numbers))}."])
    whole = f"./warpbook reset {lab.number}"
    if own is None:
        raise Problem(f"{workbook.shown(lab.starter)} is missing.", [f"Take the whole starter back: {whole}"])
    try:
        return regions.with_region(own, todo, starter)
    except regions.Malformed as broken:
        raise Problem(f"TODO({todo}) cannot be found in {workbook.shown(lab.starter)}: {broken}.",
                      [f"Correct the markers, or take the whole starter back: {whole}"]) from None


def agreed(question: str) -> bool:
    """The answer of whoever sits at the terminal; yes where there is none."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return True
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def run(workbook: Workbook, arguments) -> int:
    lab = workbook.lab(arguments.lab)
    file, shown = lab.starter, workbook.shown(lab.starter)
    own = file.read_bytes() if file.is_file() else None
    text = None if own is None else own.decode("utf-8", errors="surrogateescape")  # what is no UTF-8 stays as it is
    wanted = wanted_text(workbook, lab, text, arguments.todo).encode("utf-8", errors="surrogateescape")
    what = "The file" if arguments.todo is None else f"TODO({arguments.todo})"
    if own == wanted:
        print(f"{what} is the starter's already: nothing to do in {shown}.")
        return SUCCESS
    if own is not None and not arguments.yes and not agreed(f"Put the starter's text back into {shown}{'' if arguments.todo is None else f', TODO({arguments.todo})'}? A copy is kept."):
        print("Nothing was changed.")
        return SUCCESS
    if own is not None:
        backup = backup_of(file)
        backup.write_bytes(own)
    draft = file.with_name(f".{file.name}.part")
    draft.write_bytes(wanted)
    draft.replace(file)
    print(f"{what} of {shown} is the starter's again." if arguments.todo is not None else f"{shown} is the starter's again.")
    if own is not None:
        print(f"What you had: {workbook.shown(backup)}")
    return SUCCESS
