"""./warpbook hint LAB [--todo N]: a lab's hints, one at a time."""
from __future__ import annotations

import dataclasses
import re
import shutil
import sys

from . import check, language, record, results
from .language import _
from .problem import SUCCESS, Problem
from .workbook import Lab, Workbook

_HEADING = re.compile(r"## TODO\((\d+)\)(?:(?:: |：)(.*))?")
_SUMMARY = re.compile(r"<details><summary>(.*)</summary>")


@dataclasses.dataclass
class Hint:
    title: str  # "Hint 1: a question"
    lines: list[str]


@dataclasses.dataclass
class Task:
    number: int
    title: str  # "offset_add"
    hints: list[Hint]


def parsed(text: str) -> dict[int, Task]:
    """The hints of a hints.md by their TODO. Each one is folded: it stands in <details>, and its title in <summary>."""
    tasks: dict[int, Task] = {}
    task: Task | None = None
    hint: Hint | None = None
    for line in text.splitlines():
        heading, summary = _HEADING.fullmatch(line.rstrip()), _SUMMARY.fullmatch(line.strip())
        if heading:
            task = tasks.setdefault(int(heading[1]), Task(int(heading[1]), (heading[2] or "").replace("`", ""), []))
        elif summary and task:
            hint = Hint(summary[1], [])
            task.hints.append(hint)
        elif line.strip() == "</details>":
            hint = None
        elif hint:
            hint.lines.append(line.rstrip())
    return tasks


def hints_of(lab: Lab) -> dict[int, Task]:
    try:
        tasks = parsed(language.translated(lab.folder / "hints.md").read_text(encoding="utf-8"))
    except OSError:
        tasks = {}
    if not any(task.hints for task in tasks.values()):
        raise Problem(_("{lab} has no hints.", lab=lab.name))
    return tasks


def first_failing(workbook: Workbook, lab: Lab) -> int:
    """The TODO to look at first, as check tells it; 0 if nothing fails. Checks the file if it has changed since it was checked."""
    last = record.Record(workbook).of(lab)
    if last is None or record.changed(last, record.text(lab.starter)) or not last["tasks"]:
        verdict = check.judged(workbook, lab)
        if verdict.build_failure:
            raise Problem(verdict.build_failure.reason, [*verdict.build_failure.lines, _("Hints are about a file that compiles; --todo N shows one all the same.")])
        return results.in_work(verdict.failures)
    return last.get("in_work") or 0


def shown_title(task: Task) -> str:
    return f"TODO({task.number})" + (f", {task.title}" if task.title else "")


def text_of(hint: Hint, width: int = 0) -> str:
    """A hint as plain text: no fences around code, no blank lines around it, and its sentences filled to `width`, if that is given."""
    shown: list[str] = []
    sentences: list[str] = []
    in_code = False
    for line in [*hint.lines, ""]:
        fence = line.startswith("```")
        if width and line and not fence and not in_code:
            sentences.append(line)
            continue
        shown += language.wrapped(language.joined(sentences), width) if sentences else []
        sentences = []
        if fence:
            in_code = not in_code
        else:
            shown.append(line)
    return "\n".join(shown).strip("\n")


def run(workbook: Workbook, arguments) -> int:
    lab = workbook.lab(arguments.lab)
    tasks = hints_of(lab)
    todo = arguments.todo
    if todo is None:
        todo = first_failing(workbook, lab)
        if todo == 0:
            print(_("No TODO of {lab} fails, so none needs a hint. {command} shows one all the same.", lab=lab.name, command=f"./warpbook hint {lab.number} --todo N"))
            return SUCCESS
    task = tasks.get(todo)
    if task is None or not task.hints:
        numbers = ", ".join(str(number) for number, each in sorted(tasks.items()) if each.hints)
        raise Problem(_("{lab} has no hints for TODO({todo}).", lab=lab.name, todo=todo), [_("It has some for the TODOs {numbers}.", numbers=numbers)])
    with record.kept(workbook) as noted:
        given = min(noted.hints(lab, todo), len(task.hints))
        if arguments.all:
            show, given = range(len(task.hints)), len(task.hints)
        elif arguments.again and given:
            show = range(given - 1, given)
        else:
            given = min(given + 1, len(task.hints))
            show = range(given - 1, given)
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
        for index in show:
            print(f"{shown_title(task)}: {task.hints[index].title[:1].lower() + task.hints[index].title[1:]}\n")
            print(text_of(task.hints[index], width) + "\n")
        noted.note_hints(lab, todo, given)
    left = len(task.hints) - given
    if left:
        asked = "" if arguments.todo is None else f" --todo {todo}"
        print(_("{count} more for this TODO. Try again first; then {command} shows the next one.", count=left, command=f"./warpbook hint {lab.number}{asked}"))
    else:
        print(_("There is no further hint for this TODO. The handout: {file}", file=workbook.shown(language.translated(lab.folder / "README.md"))))
    return SUCCESS
