"""./warpbook check LAB [FILE] [--todo N] [--json]"""
from __future__ import annotations

import importlib
import json
import os
import pathlib
import shlex
import threading

from . import grading, machine_setup, record, results, shared_build
from .backend import choose
from .problem import NOT_YET, SUCCESS, Problem
from .results import Verdict
from .workbook import Lab, Workbook


def next_hint(workbook: Workbook, lab: Lab, verdict: Verdict) -> dict | None:
    """Where the mildest hint for the first failed item stands. A file that does not compile needs none."""
    failed = next((result for result in verdict.failures if result.graded), None)
    hints = lab.folder / "hints.md"
    if failed is None or not hints.exists():
        return None
    todo = failed.todo or {}
    return {"file": workbook.shown(hints), "section": results.hint_place(hints, failed.function, todo.get("number", 0)),
            "function": failed.function, "hint": 1, "or_todos": todo.get("numbers", [])[1:]}


def hint_sentence(hint: dict) -> str:
    section = hint["section"] or hint["function"]
    place = f", section {section}" if section else ""
    others = f", or the one of {results.todo_names({'numbers': hint['or_todos']})}" if hint["or_todos"] else ""
    return f"Next hint: {hint['file']}{place}, hint {hint['hint']}{others}"


def existing_file(name: str) -> pathlib.Path:
    path = pathlib.Path(name)
    if not path.exists():
        raise Problem(f"There is no file {name}.")
    if not path.is_file():
        raise Problem(f"{name} is not a file; check grades one .cu file.")
    if not os.access(path, os.R_OK):
        raise Problem(f"{name} cannot be read.", [f"Give yourself the permission: chmod u+r {shlex.quote(name)}"])
    return path


class _Shown:
    """render.LiveVerdict once there is something to show: rich takes a tenth of a second to import, which passes while the
    compiler is at work."""

    def __init__(self, lab: str, source: str):
        self._names = lab, source
        self._verdict = None
        threading.Thread(target=importlib.import_module, args=(f"{__package__}.render",), daemon=True).start()

    def __getattr__(self, name: str):
        if self._verdict is None:
            from . import render  # waits for the other thread

            self._verdict = render.LiveVerdict(*self._names)
        return getattr(self._verdict, name)


def run(workbook: Workbook, arguments) -> int:
    lab = workbook.lab(arguments.lab)
    file = existing_file(arguments.file) if arguments.file else None
    setup = machine_setup.ensure(workbook.root)
    backend = choose()
    build = shared_build.build_for(workbook, backend.preset, setup, backend.nvcc, lab)
    submission = grading.Submission(lab, grading.SLOT, file.resolve()) if file else (
        grading.Submission(lab, "starter", lab.starter))
    show = None if arguments.json else _Shown(lab.name, workbook.shown(submission.source))
    with build.locked(), record.kept(workbook) as noted:
        edited = record.edited(lab)
        if file:
            grading.fill_slot(build, lab, grading.composed(build, lab, file))
        verdict = grading.grade(build, submission, backend.backends(), todo=arguments.todo, what="Building the grader",
                                begun=lambda items: show and show.begin(items),
                                told=lambda score: show and show.score(score))
        if not file and arguments.todo is None:
            noted.note(lab, verdict, edited)
    hint = next_hint(workbook, lab, verdict)
    if show is not None:
        show.finish(verdict)
        if hint:
            print(hint_sentence(hint))
    else:
        print(json.dumps({**verdict.to_json(), "preset": backend.preset, "next_hint": hint}, indent=2))
    return SUCCESS if verdict.complete else NOT_YET
