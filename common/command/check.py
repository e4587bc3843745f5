"""./warpbook check LAB [FILE] [--todo N] [--all] [--format FORM]; ask.py has --questions."""
from __future__ import annotations

import functools
import importlib
import json
import os
import pathlib
import shlex
import threading

from . import build_choice, compilation, course, grading, lab_facts, language, questions, record, regions, results
from .backend import choose
from .language import _
from .problem import NOT_YET, SUCCESS, Problem
from .results import Verdict
from .workbook import Lab, Workbook


def next_hint(workbook: Workbook, lab: Lab, verdict: Verdict, todo: int | None = None) -> dict | None:
    """Where the mildest hint for the first failed item, or the first that fails for `todo`, stands that ./warpbook hint has not
    shown yet, or the last one. A file that does not compile, or lacks a function, needs none."""
    graded = [result for result in verdict.failures if result.graded and not result.lacks_function]
    failed = next((result for result in graded if result.cause == (todo or results.in_work(graded))), None)
    hints = language.translated(lab.folder / "hints.md")
    if failed is None or not hints.exists():
        return None
    todo = failed.todo or {}
    shown, there_are = record.Record(workbook).hints(lab, failed.cause), hint_count(hints, failed.cause)
    return {"lab": lab.number, "file": workbook.shown(hints), "section": results.hint_place(hints, failed.function, todo.get("number", 0)),
            "function": failed.function, "todo": failed.cause, "hint": min(shown + 1, max(there_are, 1)), "shown": shown >= there_are > 0,
            "or_todos": todo.get("numbers", [])[1:]}


def hint_count(hints: pathlib.Path, todo: int) -> int:
    from . import hint  # which checks a file that has changed, and needs this module for it

    task = hint.parsed(hints.read_text(encoding="utf-8", errors="replace")).get(todo)
    return len(task.hints) if task else 0


def hint_sentence(hint: dict, of_the_file: bool) -> str:
    """`of_the_file`: whether the student's own file was judged as a whole, whose first failing TODO the verb hint knows."""
    section = hint["section"] or hint["function"]
    which = "" if of_the_file or not hint["todo"] else f" --todo {hint['todo']}"
    values = {"command": f"./warpbook hint {hint['lab']}{which}", "place": _("{file}, section {section}", file=hint["file"], section=section) if section else hint["file"]}
    others = _(", or the one of {todos}", todos=results.todo_names({"numbers": hint["or_todos"]})) if hint["or_todos"] else ""
    if hint["shown"]:
        return _("You have seen all hints of TODO({todo}): {command} --all shows them again, and so does {place}", todo=hint["todo"], **values) + others
    return _("Next hint: {command}, or {place}, hint {number}", number=hint["hint"], **values) + others


def existing_file(name: str) -> pathlib.Path:
    path = pathlib.Path(name)
    if path.is_symlink():
        raise Problem(_("{file} is a symbolic link, and check grades a file itself.", file=name), [_("It leads to {file}.", file=repr(os.readlink(name)))])
    if not path.exists():
        raise Problem(_("There is no file {file}.", file=name))
    if not path.is_file():
        raise Problem(_("{file} is not a file; check grades one .cu file.", file=name))
    if not os.access(path, os.R_OK):
        raise Problem(_("{file} cannot be read.", file=name), [_("Give yourself the permission: {command}", command=f"chmod u+r {shlex.quote(name)}")])
    return path


class _Shown:
    """render.LiveVerdict once there is something to show: rich takes a tenth of a second to import, which passes while the
    compiler is at work."""

    def __init__(self, *arguments):
        self._arguments = arguments
        self._verdict = None
        threading.Thread(target=importlib.import_module, args=(f"{__package__}.render",), daemon=True).start()

    def __getattr__(self, name: str):
        if self._verdict is None:
            from . import render  # waits for the other thread

            self._verdict = render.LiveVerdict(*self._arguments)
        return getattr(self._verdict, name)


def known_right(workbook: Workbook, lab: Lab, text: str) -> tuple[int, ...]:
    """The TODOs of a file that have passed in the student's own as they are."""
    last = record.Record(workbook).of(lab)
    parts = regions.fingerprints(text)
    return tuple(int(number) for number, print_ in (last["right"] if last else {}).items() if parts.get(number) == print_)


def judged(workbook: Workbook, lab: Lab, file: pathlib.Path | None = None, todo: int | None = None,
           show: _Shown | None = None) -> Verdict:
    """The verdict on `file`, or on the student's own file of the lab, which is noted for list and hint."""
    backend = choose()
    in_course = functools.partial(course.points(workbook), lab)
    build = build_choice.chosen(workbook, backend, [lab], may_share=True)
    with build.locked(), record.kept(workbook) as noted:
        edited, text = record.edited(lab), record.text(lab.starter)
        submission = grading.of_file(build, lab, file) if file else grading.Submission(lab, "starter", lab.starter)
        verdict = grading.grade(build, submission, backend.backends(), todo=todo, what=_("Building the grader"),
                                begun=lambda items: show and show.begin(
                                    [each["item"] for each in in_course([{"item": item, "points": 0} for item in items])]),
                                told=lambda score: [show.score(each) for each in in_course([score])] if show else None)
        verdict.results = in_course(verdict.results)
        verdict.preset = backend.preset
        if not verdict.build_failure:
            verdict.warnings = compilation.warnings(build, submission, backend.backends())
        if not file and todo is None:
            noted.note(lab, verdict, edited, text)
        elif not file:
            noted.note_todos(lab, verdict, text)
    return verdict


def next_steps(workbook: Workbook, lab: Lab) -> list[str]:
    """What to read and do when a lab has all its points."""
    section = "How fast can it be?"
    page = lab_facts.page_of_section(lab.folder, section)
    lines = [_("All points. To read on: {file}, '{section}'", file=workbook.shown(language.translated(page)), section=language.heading(lab.name, section))]
    if (lab.folder / questions.FILE).exists():
        lines.append(_("Questions that a number answers: {command}", command=f"./warpbook check {lab.number} --questions"))
    if workbook.solution(lab).exists():
        lines.append(_("To compare: {file}, and the steps beside it.", file=workbook.shown(workbook.solution(lab))))
    if (lab.folder / "bench.cpp").exists():
        lines.append(_("To measure your file: {command}", command=f"./warpbook bench {lab.number} --own"))
    later = [other for other in workbook.labs() if other.number > lab.number]
    if later:
        lines.append(_("The next lab: {file}, {title}", file=workbook.shown(language.translated(later[0].folder / "README.md")), title=later[0].facts.title))
    return lines


def next_todo(workbook: Workbook, lab: Lab, verdict: Verdict, source: pathlib.Path, todo: int) -> list[str]:
    """Once `todo` of the file is solved: its next TODO that is not known to be right."""
    task, text = verdict.tasks().get(todo), record.text(source)
    if task is None or task.state != "solved":
        return []
    right = known_right(workbook, lab, text)
    left = [region for region in regions.well_formed(text) if region.number not in (todo, *right)]
    if not left:
        return [_("TODO({todo}) is solved.", todo=todo)]
    then = next((region for region in left if region.number > todo), left[0])
    return [_("TODO({todo}) is solved. The next one: TODO({next}), {place}", todo=todo, next=then.number, place=f"{workbook.shown(source)}:{then.first}")]


def see_command(lab: Lab, file: str | None) -> str:
    """What draws the accesses of a failed item, which is about {function}."""
    return f"./warpbook see {lab.number} {{function}}" + (f" {shlex.quote(file)}" if file else "")


def run(workbook: Workbook, arguments) -> int:
    if arguments.questions:
        from . import ask

        return ask.run(workbook, arguments)
    if arguments.answer:
        raise Problem(_("--answer answers a question of the lab: it goes with --questions."))
    lab = workbook.lab(arguments.lab)
    file = existing_file(arguments.file) if arguments.file else None
    form = "json" if arguments.json else arguments.format
    source = file.resolve() if file else lab.starter
    right = known_right(workbook, lab, record.text(source))
    show = _Shown(lab.name, workbook.shown(source), arguments.all, right, arguments.watched, see_command(lab, arguments.file),
                  arguments.todo) if form == "text" else None
    verdict = judged(workbook, lab, file, arguments.todo, show)
    if show is not None:
        from . import render

        show.finish(verdict)
        of_the_file = not file and arguments.todo is None
        if verdict.complete and of_the_file:
            render.say(next_steps(workbook, lab))
        elif hint := next_hint(workbook, lab, verdict, arguments.todo):
            render.say([hint_sentence(hint, of_the_file)])
        elif arguments.todo:
            render.say(next_todo(workbook, lab, verdict, source, arguments.todo))
    elif form == "json":
        print(json.dumps({**verdict.to_json(), "preset": verdict.preset, "next_hint": next_hint(workbook, lab, verdict, arguments.todo)}, indent=2))
    else:
        from . import formats

        print(formats.FORMATS[form](verdict, workbook), end="")
    return SUCCESS if verdict.complete else NOT_YET
