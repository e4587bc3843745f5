"""Prints verdicts and tables with rich. Everything that comes from a submission is printed as plain text."""
from __future__ import annotations

import os
import re
import sys
import textwrap

from rich import box
from rich.console import Console
from rich.control import Control
from rich.table import Table
from rich.text import Text

from . import language
from .language import N_, _
from .progress import styled
from .results import ItemResult, ItemScore, Verdict, in_work, number, to_explain, todo_names

DETAIL_LINES = 18  # of one failed item
DETAILED_ITEMS = 3  # failed items that belong to no TODO and get details; the others get their reason

WARNINGS = 5  # of the compiler
PRINTED_LINES = 12  # of what a program without failures has printed

_MARKS = {"passed": (N_("passed"), "green"), "failed": (N_("failed"), "red"), "skipped": (N_("skipped"), "yellow"),
          "undecided": (N_("not judged"), "yellow")}


def console() -> Console:
    """A console on stdout. A pipe or a log gets lines as long as they are; without styles there are no escape codes."""
    width = None if sys.stdout.isatty() else int(os.environ.get("COLUMNS") or 110)
    return Console(highlight=False, markup=False, emoji=False, width=width,
                   color_system="auto" if styled(sys.stdout) else None)


def table(*headings: str, right: tuple[str, ...] = ()) -> Table:
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        made.add_column(heading, justify="right" if heading in right else "left", overflow="fold")
    return made


def points_text(got: float, most: float) -> str:
    return f"{number(got)}/{number(most)}"


def print_table(rows: list[list[str]], title: str, headings: list[str], right: tuple[str, ...] = ()) -> None:
    made = table(*headings, right=right)
    for row in rows:
        made.add_row(*(Text(str(cell)) for cell in row))
    out = console()
    out.print(Text(title, style="bold"))
    out.print(made)


def todo_text(todo: dict | None) -> str:
    """`TODO(2), labs/.../file.cu:31`, or "" where the file has no such marker (any more).

    `TODO(2), TODO(3) or TODO(4), labs/.../file.cu:31` where any of them may be the cause: the place is the first one's.
    """
    if not todo or not todo.get("line"):
        return ""
    return f"{todo_names(todo)}, {todo['file']}:{todo['line']}"


def _print_below(out: Console, line: str) -> None:
    """A line of details: wrapped at a terminal's width, with the rest below its beginning; elsewhere as long as it is."""
    room = out.width - len("    | ")
    indent = min(len(line) - len(line.lstrip()), room // 2)
    for part in _wrapped(line, room, " " * indent) if out.is_terminal else [line]:
        out.print(Text("    | " + part, style="dim"), soft_wrap=True)


def _print_indented(out: Console, line: str, indent: int) -> None:
    for part in _wrapped(line, out.width - indent, ""):
        out.print(Text(" " * indent + part), soft_wrap=True)


def _wrapped(line: str, width: int, indent: str) -> list[str]:
    if language.width_of(line) <= width:
        return [line]
    indented = " " * (len(line) - len(line.lstrip()))
    return language.wrapped(line.strip(), max(width, 20), indented, indent)


def _explain(out: Console, lab: str, titles: list[str], result: ItemResult, lines: int, see: str = "", among: int = 0) -> None:
    """Why the items of `titles`, of `among`, failed, which `result` stands for. `see` is the command that draws it."""
    if titles:  # none where the table has them
        title = titles[0] if len(titles) == 1 else _("{count} of {all} items: {items}", count=len(titles), all=among,
                                                     items=language.current().semicolon.join(titles))
        out.print(Text.assemble(("✗ ", "red"), (title, "bold")), soft_wrap=not out.is_terminal)
    for part in result.reason.splitlines():
        _print_indented(out, part, 4)
    details = result.lines
    # A line that says that one is left out takes the place of that one, often the call that all above is about.
    shown = details if lines and len(details) == lines + 1 else details[:lines]
    for line in shown:
        _print_below(out, line)
    rest = len(details) - len(shown)
    if lines and rest:
        out.print(Text("    | " + _("… {count} more lines; --json has them all", count=rest), style="dim"))
    for section in result.sections if lines else []:
        _print_below(out, language.read_on(lab, section))
    todo = todo_text(result.todo)
    if todo and not result.names_place:
        out.print(Text.assemble("    ", (todo, "cyan")))
    if see and lines and result.can_be_seen:
        out.print(Text("    " + _("To see it drawn: {command}", command=see), style="dim"), soft_wrap=True)
    out.print()


def grouped(failures: list[ItemResult], several: bool) -> list[tuple[list[str], ItemResult]]:
    """Failures with the titles to print over each. What is open in one TODO is reported once, and so is what several items of one
    fail for: the same diagnosis at the same lines, or by the same message."""
    groups: dict[object, tuple[list[str], ItemResult]] = {}
    for index, result in enumerate(failures):
        where = (result.backend, todo_text(result.todo))
        key = where if result.is_unsolved else (*where, result.about) if result.diagnoses else index
        titles = groups.setdefault(key, ([], result))[0]
        titles.append(f"{result.item} ({result.backend})" if several else result.item)
    return list(groups.values())


def _detail_lines(groups: list[tuple[list[str], ItemResult]]) -> list[int]:
    """How many details each group gets: the first of a TODO has them, for the later ones often follow from it. So has the first
    of several launches that the device refuses by one rule: what they ask for is mostly one constant."""
    seen: set[object] = set()
    lines = []
    for index, (titles, result) in enumerate(groups):
        place = todo_text(result.todo) or (index if index < DETAILED_ITEMS else None)
        refused = next((finding["refused"]["rule"] for finding in result.findings[:1] if "refused" in finding), None)
        is_new = place is not None and place not in seen and (refused is None or refused not in seen)
        lines.append(DETAIL_LINES if is_new else 0)
        seen |= {place, refused}
    return lines


def _first_sentence(reason: str) -> str:
    """What a failure comes to in one line."""
    text = " ".join(reason.split())
    return re.split(r"(?<=[.?!]) (?=[A-Z])|(?<=[。？！])", text, maxsplit=1)[0]


def _first_error(failure: ItemResult) -> str:
    """Why a file could not be built, in one line."""
    return next((detail["text"].strip() for detail in failure.details if detail["kind"] == "error"), failure.reason.splitlines()[0])


def _measured(measured: list[dict]) -> str:
    """What was counted, in one line: "read, written: 4.00 sectors per request, the least"."""
    whats: dict[str, list[str]] = {}
    for each in measured:
        whats.setdefault(each["text"], []).append(each["what"])
    spoken = language.current()
    return spoken.semicolon.join(f"{spoken.comma.join(names)}{spoken.colon}{said}" for said, names in whats.items())


def say(lines: list[str]) -> None:
    """Lines below a verdict: wrapped at a terminal's width, elsewhere as long as they are."""
    out = console()
    for line in lines:
        out.print(Text(line), soft_wrap=not out.is_terminal)


class LiveVerdict:
    """Prints a verdict as it comes: every item with its points once it is known, then why the failed ones failed, and the
    total; of a file that does not compile only why.

    `todo`, or what is in work, is reported whole, and of the other TODOs one line each, unless `everything` is asked for. `right`
    are TODOs that are known to be right whatever their items say: they have passed, and have not changed since. `watched`: the
    screen is cleared for a verdict, and a file that does not compile gets one line below the last one. `see` is the command that
    draws what a failure is about, with {function} in it.
    """

    def __init__(self, lab: str, source: str, everything: bool = False, right: tuple[int, ...] = (), watched: bool = False,
                 see: str = "", todo: int | None = None):
        self._see = see
        self._todo = todo
        self._watched = watched
        self._everything = everything
        self._right = right
        self._out = console()
        self._title = Text(f"{lab}: {source}", style="bold")
        self._width = 0

    def begin(self, items: list[str]) -> None:
        """`items` are the names of all, in the order in which their scores will come."""
        if self._watched and styled(sys.stdout):
            self._out.control(Control.home(), Control.clear())
        self._out.print(self._title, soft_wrap=not self._out.is_terminal)
        room = self._out.width - language.width_of(f"   {_('Points')}  {_('failed')}, TODO(10)")
        self._width = min(max(len(item) for item in items), max(room, 20))
        self._out.print()
        self._out.print(Text(f" {_('Item')}{' ' * (self._width - language.width_of(_('Item')))}  {_('Points')}"), soft_wrap=True)
        self._out.print(Text(" " + "─" * (self._width + language.width_of(f"  {_('Points')}  {_('passed')}"))), soft_wrap=True)

    def score(self, score: ItemScore) -> None:
        mark, colour = _(_MARKS[score.status][0]), _MARKS[score.status][1]
        if score.status == "failed" and not score.begun:
            mark, colour = _("not begun"), "dim"
        elif score.cause:
            mark += f", TODO({score.cause})"
        worth = points_text(score.points, score.max_points) if score.max_points or score.status == "skipped" else "-"
        first, *rest = textwrap.wrap(score.item, self._width) or [""]
        self._out.print(Text.assemble(f" {first:<{self._width}}  {worth:>6}  ", (mark, colour)), soft_wrap=True)
        for line in rest:
            self._out.print(Text(f" {line}"), soft_wrap=True)
        if score.status == "passed" and score.measured:
            measured = _measured(score.measured)
            for line in _wrapped(measured, self._out.width - 3, "") if self._out.is_terminal else [measured]:
                self._out.print(Text(f"   {line}", style="dim"), soft_wrap=True)

    def finish(self, verdict: Verdict) -> None:
        """What is to be said when every score is known."""
        out = self._out
        if self._watched and verdict.build_failure:  # most likely the student is typing
            out.print(Text(_first_error(verdict.build_failure), style="dim"), soft_wrap=not out.is_terminal)
            return
        if not self._width:
            out.print(self._title, soft_wrap=not out.is_terminal)
        out.print()
        several = len({result.backend for result in verdict.results}) > 1
        if verdict.build_failure:
            title = f"builds ({verdict.build_failure.backend})" if several else "builds"
            _explain(out, verdict.lab, [title], verdict.build_failure, 30)
        failures = [result for result in verdict.failures if result.graded or not verdict.build_failure]
        chosen = 0 if self._everything else self._todo or in_work(failures)
        groups = grouped([result for result in to_explain(failures) if not chosen or result.cause in (0, chosen)], several)
        for (titles, result), lines in zip(groups, _detail_lines(groups)):
            _explain(out, verdict.lab, [] if result.is_open else titles, result, lines, self._see.replace("{function}", result.function), len(verdict.results))
        if chosen:
            self._tell_others(failures, chosen)
        if verdict.build_failure and len(failures) < len(verdict.failures):
            left_out = [result for result in verdict.failures if not result.graded]
            why = _(left_out[0].reason)
            out.print(Text(_("1 item {why}.", why=why) if len(left_out) == 1 else _("{count} items {why}.", count=len(left_out), why=why)))
        for result in verdict.results:
            for note in result.notes if result.status == "passed" else []:
                _print_indented(out, note, 2)
            if result.status in ("skipped", "undecided"):
                out.print(Text(f"{_(_MARKS[result.status][0])}: {result.item} ({result.backend}): {result.reason}"),
                          style="yellow")
        self._tell_printed(verdict)
        total = points_text(verdict.points, verdict.max_points)
        out.print(Text(_("Points: {points}", points=total), style="bold green" if verdict.complete else "bold"))
        self._tell_warnings(verdict)

    def _tell_others(self, failures: list[ItemResult], chosen: int) -> None:
        """One line for each TODO that is not in work, and for what is right and still has no points."""
        out = self._out
        lines = []
        waiting = sorted({result.task for result in failures if result.task in self._right and result.cause not in (0, result.task)})
        for task in waiting:
            causes = sorted({result.cause for result in failures if result.task == task and result.cause})
            lines.append(_("TODO({todo}) is right: it passed before, and its text is the same. Its items also need {todos}.",
                           todo=task, todos=", ".join(f"TODO({cause})" for cause in causes)))
        unbegun = {result.task for result in failures if result.waits and result.task != chosen}
        for cause in sorted({result.cause for result in failures if result.cause not in (0, chosen)}):
            begun = [result for result in to_explain(failures) if result.cause == cause and not result.is_unsolved]
            if not begun:
                unbegun.add(cause)
                continue
            items = len({result.item for result in begun})
            why = _first_sentence(begun[0].reason)
            line = _("TODO({todo}): 1 item fails. {why}", todo=cause, why=why) if items == 1 else _("TODO({todo}): {count} items fail. {why}", todo=cause, count=items, why=why)
            lines.append(line if not out.is_terminal else language.shortened(line, out.width))
        if unbegun:
            lines.append(_("{todos}: not begun.", todos=", ".join(f"TODO({todo})" for todo in sorted(unbegun))))
        for line in lines:
            out.print(Text(line), soft_wrap=not out.is_terminal)
        if any(result.cause not in (0, chosen) and not result.is_unsolved for result in to_explain(failures)):
            out.print(Text(_("--all tells them whole."), style="dim"))
        if lines:
            out.print()

    def _tell_warnings(self, verdict: Verdict) -> None:
        if not verdict.warnings:
            return
        self._out.print(Text(_("The compiler warns:")))
        for warned in verdict.warnings[:WARNINGS]:
            _print_below(self._out, f"{verdict.source}:{warned.line}: {warned.text}")
        if len(verdict.warnings) > WARNINGS:
            _print_below(self._out, _("… {count} more lines; --json has them", count=len(verdict.warnings) - WARNINGS))

    def _tell_printed(self, verdict: Verdict) -> None:
        """What the program printed where nothing failed but what is not begun; a failed item has it among its details."""
        if any(not result.is_unsolved for result in verdict.failures):
            return
        printed = next((result.printed for result in verdict.results if result.printed), [])
        if printed:
            self._out.print(Text(_("Your program printed:")))
        for line in printed[:PRINTED_LINES]:
            _print_below(self._out, line)
        if len(printed) > PRINTED_LINES:
            _print_below(self._out, _("… {count} more lines; --json has them", count=len(printed) - PRINTED_LINES))
