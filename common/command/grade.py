"""./warpbook grade DIR: a class's hand-ins, taken in, graded, marked and handed back."""
from __future__ import annotations

import os
import pathlib
import sys

from . import build_choice, files, lock, progress
from .backend import choose
from .build import Build
from .classroom import engine, slurm
from .classroom.journal import Journal
from .classroom.model import Graded, HandIn, Mark, Remark, total
from .classroom.sandbox import Sandbox
from .classroom.shown import Shown
from .classroom.texts import flat
from .problem import NOT_YET, SUCCESS, Problem
from .results import Verdict
from .workbook import Workbook

SEED = "WARPBOOK_SEED"
_LOCK = ".warpbook-lock"


class NothingHandedIn(Problem):
    """There is no hand-in to grade."""


def source_of(name: str) -> pathlib.Path:
    """The folder or archive that was given."""
    source = pathlib.Path(name)
    if not source.exists():
        raise Problem(f"There is no folder {name}.", ["grade takes the folder or the archive that holds the class's hand-ins."])
    return source.resolve()


def seed_of(given: int | None) -> int | None:
    """The seed of the inputs that was asked for: the option's, else the environment's."""
    text = os.environ.get(SEED)
    if given is not None or not text:
        return given
    if not text.isascii() or not text.isdigit():
        raise Problem(f"{SEED} is '{text}'; a seed is a whole number.")
    return int(text)


def out_folder(source: pathlib.Path, given: str | None) -> pathlib.Path:
    """Where everything is written that comes of a class: NAME-graded in the current folder by default."""
    name = source.name if source.is_dir() else source.name.partition(".")[0] or "class"
    out = pathlib.Path(given or f"{name}-graded").absolute()
    if out.exists() and not out.is_dir():
        raise Problem(f"{out} is a file, and a folder is needed for what comes of the class.", ["--out FOLDER names another one."])
    if out == source or (source.is_dir() and source.is_relative_to(out)):
        raise Problem(f"{out} holds the hand-ins; what comes of them has to go elsewhere.", ["--out FOLDER names another folder."])
    return out


def grade_missing(at: engine.Engine, by, hand_ins: list[HandIn], fresh: bool) -> None:
    """Grades the hand-ins that have no verdict yet `by` an engine, and shows how far it is."""
    slurm.end_leftover(at.plan.out, lambda line: print(line, file=sys.stderr, flush=True))
    at.journal.clear_up()
    for hand_in in hand_ins if fresh else []:
        at.journal.forget(hand_in.id)
    missing = at.missing(hand_ins)
    kept = sum(not hand_in.fault for hand_in in hand_ins) - len(missing)
    if kept:
        print(f"{kept} of {len(hand_ins)} hand-ins have been graded before and are as they were.", file=sys.stderr, flush=True)
    shown = Shown(len(missing))
    try:
        by.grade(missing, shown)
    except engine.Stopped as stopped:
        shown.close()
        raise Problem(stopped.sentence, [*stopped.details, _kept_sentence(at, hand_ins)]) from None
    except KeyboardInterrupt:
        shown.close()
        print(f"\n{_kept_sentence(at, hand_ins)}", file=sys.stderr)
        raise
    finally:
        shown.close()


def _kept_sentence(at: engine.Engine, hand_ins: list[HandIn]) -> str:
    return (f"{len(hand_ins) - len(at.missing(hand_ins))} of {len(hand_ins)} hand-ins are graded, and their verdicts are kept; "
            "the same command goes on with the rest.")


def _about(mark: Mark, reason: str) -> str:
    """A reason with the file that it is about."""
    assert mark.hand_in
    return flat(reason if reason.startswith(mark.hand_in.shown) else f"{mark.hand_in.shown}: {reason}")


def show(graded: Graded, out: pathlib.Path, written: list[str], changed: list[str]) -> None:
    """The class as a table with a row for each person, and below it everything that an instructor has to look at."""
    from . import render
    from .classroom import outputs

    rows = []
    for person in graded.class_.people:
        marks = graded.by_lab(person)
        own = [marks[lab.number] for lab in graded.labs if lab.number in marks]
        cells = [mark.excused or ("-" if not (mark.hand_in or mark.is_given) else "?" if mark.is_open else render.points_text(mark.points, mark.max_points)) for mark in own]
        has_own = any(mark.hand_in or mark.is_given for mark in own)
        flags = [f"{mark.lab.number} {flag}" for mark in own for flag in outputs.flags(graded, mark) if has_own or flag == "comment"]
        flags += [] if has_own else [flat(outputs.why_nothing(own))]
        flags += ["on no roster"] if person.id in graded.class_.on_no_roster else []
        rows.append([person.name, *cells, render.points_text(*total(own)) if outputs.has_mark(own) else "-", ", ".join(flags)])
    columns = [lab.number for lab in graded.labs]
    render.print_table(rows, f"Hand-ins in {graded.class_.source}", ["Name", *columns, "Total", ""], right=(*columns, "Total"))
    failures = [_about(mark, mark.verdict.build_failure.reason) for mark in graded.marks if mark.verdict and mark.verdict.build_failure and not mark.is_open]
    undecided = [_about(mark, next(result.reason for result in mark.verdict.results if not result.graded)) for mark in graded.marks
                 if mark.verdict and mark.undecided]
    by_kind = {kind: [f"{seen.shown}{f' ({seen.count} files)' if seen.count > 1 else ''}: {flat(seen.why)}"
                      for seen in graded.class_.others if seen.kind == kind] for kind in ("unknown", "fault")}
    aside = sum(seen.count for seen in graded.class_.others if not seen.is_left_over)
    for title, lines in (("No points, because of the file:", failures),
                         ("Not judged, and no fault of the hand-in; where no other is named, the same command grades them again:", undecided),
                         ("Could not be read:", by_kind["fault"]), ("No hand-in of any lab:", by_kind["unknown"]),
                         ("Please look:", list(map(flat, graded.class_.asks))),
                         ("Decided:", list(map(flat, graded.class_.notes))),
                         ("Marks that have changed since the last grading, and why:", list(map(flat, changed)))):
        if lines:
            print(title, *lines, sep="\n  ")
    if aside:
        print(f"{aside} other file{' was' if aside == 1 else 's were'} left aside: starters as they were given out, files of the workbook or of a system, and what is no source.")
    print(graded.confinement)
    print(f"Inputs were drawn from the seed {graded.seed}, which is yours: no student's page has it.")
    print(*(written or [f"Outputs: {out}"]), sep="\n")


def sandbox_of(arguments) -> Sandbox:
    return Sandbox(arguments.sandbox or "kernel")


def graded_class(workbook: Workbook, arguments, source: pathlib.Path, out: pathlib.Path) -> tuple[Graded, Build]:
    """Takes the class in, and grades and marks it. Raises Problem where nothing can be graded."""
    from .classroom import clocks, intake, returned, systems
    from .classroom.rules import Rules

    wanted = [workbook.lab(arguments.lab)] if arguments.lab else workbook.labs()
    asked, rules = seed_of(arguments.seed), Rules.find(workbook.root, workbook.labs(), arguments.rules)
    class_ = intake.take_in(source, wanted, out / "work", rules, [pathlib.Path(file) for file in arguments.rosters],
                            [pathlib.Path(file) for file in arguments.times])
    for system, _ in map(systems.wanted, arguments.results):
        systems.refuse(system, class_)
    labs = [lab for lab in wanted if any(hand_in.lab == lab for hand_in in class_.hand_ins)]
    labs = labs or (wanted if arguments.lab and class_.people else [])
    if not labs:
        raise NothingHandedIn(f"{source} holds no hand-in{f' for {wanted[0].name}' if arguments.lab else ''}.",
                      ["A hand-in is NAME/coalescing.cu, NAME/01-coalescing/coalescing.cu or 01-coalescing/NAME.cu.",
                       *(f"  {seen.shown}: {flat(seen.why)}" for seen in class_.others[:20])])
    known = rules.needed(labs)
    backend = choose()
    build = build_choice.chosen(workbook, backend, known)
    with build.locked():
        engine.build_programs(build, known, backend.backends())
    sandbox = sandbox_of(arguments)
    confinement = sandbox.require(build)
    seed = Journal(out / "journal").seed() if asked is None else asked
    on_slurm = arguments.engine == "slurm"
    # One more than processors, because a grader and its runner wait for each other.
    plan = engine.Plan(out, tuple(backend.backends()), seed, arguments.jobs or (1 if on_slurm else progress.processors() + 1), sandbox)
    at = engine.Engine(build, plan)
    by = slurm.SlurmEngine(at, arguments.slurm_options) if on_slurm else at
    for lab in known:
        rules.know(lab, at.items(lab))
    class_.asks += rules.check(class_.people, labs)
    class_.notes += rules.uncounted(labs)
    grade_missing(at, by, class_.hand_ins, arguments.fresh)
    attempts: dict[tuple[str, str], list[tuple[HandIn, Verdict | None]]] = {}
    for hand_in in class_.hand_ins:
        attempts.setdefault((hand_in.person.id, hand_in.lab.name), []).append((hand_in, at.verdict(hand_in)))
    marks = [rules.choose(person, lab, attempts.get((person.id, lab.name), [])) for person in class_.people for lab in labs]
    for mark in marks:
        mark.missing = class_.why_missing(mark.person, mark.lab)
        own = attempts.get((mark.person.id, mark.lab.name), [])
        if len(own) > 1:
            others = ", ".join(hand_in.shown for hand_in, _ in own if hand_in is not mark.hand_in)
            class_.notes.append(f"{mark.person.name}, {mark.lab.name}: {mark.hand_in.shown} counts, as the best of {len(own)} attempts; not: {others}.")
    rubrics = {lab.name: files.digest_of(at.keys.of_lab(lab) | {"seed": 0}) for lab in labs}
    graded = Graded(class_, labs, marks, rules, confinement, seed, list(plan.backends), rubrics=rubrics)
    class_.asks += returned.tell_open(graded)
    class_.asks += clocks.asks(rules, marks, attempts)
    class_.notes += rules.unknown_times(marks)
    return graded, build


def same_files(graded: Graded) -> list[list[Mark]]:
    """Marks of several people for files that are the same, byte for byte, where there is work in them. A team's one file is all of theirs."""
    alike: dict[tuple[str, str], list[Mark]] = {}
    for mark in graded.marks:
        failure = mark.verdict.build_failure if mark.verdict else None
        if mark.hand_in and mark.verdict and not mark.not_begun and not (failure and "compile-error" not in failure.diagnoses):
            alike.setdefault((mark.lab.name, mark.hand_in.sha256), []).append(mark)
    return [marks for marks in alike.values() if len({mark.hand_in.shown for mark in marks}) > 1]


def add_remarks(workbook: Workbook, graded: Graded, out: pathlib.Path, with_likeness: bool) -> list[str]:
    """Adds what costs no points, and an instructor may want to look at; writes remarks.csv and likeness.html. Returns sentences."""
    from .classroom import likeness, outputs, remarks_process

    by_id = {hand_in.id: hand_in for hand_in in graded.class_.hand_ins}
    modules = {id: {backend: out / "work" / id / f"{backend}.so" for backend in graded.backends} for id in by_id}
    graded.remarks = remarks_process.of_class([(hand_in, {backend: module for backend, module in modules[id].items() if module.exists()})
                                               for id, hand_in in by_id.items() if hand_in.fault is None], Journal(out / "journal"))
    for marks in same_files(graded):
        shown = [mark.hand_in.shown for mark in marks]
        graded.remarks += [Remark(mark.hand_in.id, "same-file", f"It is the same, byte for byte, as {', '.join(other for other in shown if other != mark.hand_in.shown)}.")
                           for mark in marks]
        graded.class_.notes.append(f"The same file, byte for byte: {', '.join(shown)}.")
    rows: list[list[object]] = [["id", "name", "lab", "line", "kind", "remark", "file"]]
    for remark in graded.remarks:
        hand_in = by_id[remark.hand_in]
        rows.append([hand_in.person.id, hand_in.person.name, hand_in.lab.name, remark.line or "", remark.kind, remark.sentence, hand_in.shown])
    (out / "remarks.csv").write_text(outputs.csv_text(rows), encoding="utf-8")
    page = out / "likeness.html"
    if not with_likeness:
        page.unlink(missing_ok=True)
        return []
    graded.likenesses, said = likeness.look(workbook, graded.class_.hand_ins, graded.labs, page)
    return said


def run(workbook: Workbook, arguments) -> int:
    from .classroom import changes, outputs, systems

    source = source_of(arguments.folder)
    out = out_folder(source, arguments.out)
    table = pathlib.Path(arguments.csv).absolute() if arguments.csv else None
    if table and not table.parent.is_dir():
        raise Problem(f"There is no folder {table.parent} to write {table.name} into.")
    results = [systems.wanted(text) for text in arguments.results]
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(f"The folder {out} cannot be made: {error.strerror}.", ["--out FOLDER names another one."]) from None
    with lock.held(workbook, out, _LOCK):
        graded, build = graded_class(workbook, arguments, source, out)
        changed = changes.since_the_last(graded, out / "journal")
        said = add_remarks(workbook, graded, out, not arguments.no_likeness)
        written = outputs.write_all(graded, out, build, sandbox=sandbox_of(arguments))
        for system, path in results:
            systems.write(system, graded, path)
            written.append(f"{path}: the results for {systems.module(system).NAME}")
        if table:
            table.write_text(outputs.csv_text(outputs.items_rows(graded)), encoding="utf-8")
            written.append(f"{table}: one row for each student, lab and item")
        show(graded, out, [*said, *written], changes.in_words(changed))
        changes.were_shown(out / "journal")
    to_look_at = graded.class_.asks or any(seen.is_left_over for seen in graded.class_.others) or any(mark.undecided or mark.unreadable for mark in graded.marks)
    return NOT_YET if to_look_at else SUCCESS
