"""./warpbook reset LAB [--todo N]: the starter's text back, and a copy of what was there."""
from __future__ import annotations

import pathlib
import sys
import time

from . import files, language, regions
from .language import _
from .problem import SUCCESS, Problem
from .workbook import Lab, Workbook


def backup_of(file: pathlib.Path) -> pathlib.Path:
    """A name beside `file` that is free."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    for extra in ("", *(f"-{number}" for number in range(2, 1000))):
        path = file.with_name(f"{file.stem}.{stamp}{extra}{file.suffix}.bak")
        if not path.exists():
            return path
    raise Problem(_("There are too many copies of {file} already.", file=file.name))


def wanted_text(workbook: Workbook, lab: Lab, own: str | None, todo: int | None) -> str:
    """The file as it is to be; `own` is what it is, None if there is none."""
    kept = language.translated(lab.kept_starter)
    try:
        starter = kept.read_text(encoding="utf-8")
    except OSError:
        raise Problem(_("{file} is missing, which has the starter's text.", file=workbook.shown(kept)), [_("Take it from a fresh copy of the workbook.")]) from None
    if todo is None:
        return starter
    numbers = [region.number for region in regions.regions(starter)]
    if todo not in numbers:
        raise Problem(_("{lab} has no TODO({todo}).", lab=lab.name, todo=todo), [_("Its TODOs have the numbers {numbers}.", numbers=", ".join(map(str, numbers)))])
    whole = f"./warpbook reset {lab.number}"
    if own is None:
        raise Problem(_("{file} is missing.", file=workbook.shown(lab.starter)), [_("Take the whole starter back: {command}", command=whole)])
    try:
        return regions.with_region(own, todo, starter)
    except regions.Malformed as broken:
        raise Problem(_("TODO({todo}) cannot be found in {file}: {why}.", todo=todo, file=workbook.shown(lab.starter), why=broken),
                      [_("Correct the markers, or take the whole starter back: {command}", command=whole)]) from None


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
    todo = f"TODO({arguments.todo})"
    if own == wanted:
        print(_("The file is the starter's already: nothing to do in {file}.", file=shown) if arguments.todo is None else
              _("{todo} is the starter's already: nothing to do in {file}.", todo=todo, file=shown))
        return SUCCESS
    question = _("Put the starter's text back into {place}? A copy is kept.", place=shown if arguments.todo is None else f"{shown}, {todo}")
    if own is not None and not arguments.yes and not agreed(question):
        print(_("Nothing was changed."))
        return SUCCESS
    if own is not None:
        backup = backup_of(file)
        backup.write_bytes(own)
    files.write(file, wanted)
    print(_("{file} is the starter's again.", file=shown) if arguments.todo is None else _("{todo} of {file} is the starter's again.", todo=todo, file=shown))
    if own is not None:
        print(_("What you had: {file}", file=workbook.shown(backup)))
    return SUCCESS
