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
from .classroom.model import Graded, HandIn, Mark, total
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


def flags_of(graded: Graded, mark: Mark) -> list[str]:
    """What a row of the table says of one person's file for a lab, in a few words each."""
    from .classroom import feedback

    number = mark.lab.number
    flags = [f"{number} corrected"] if mark.correction else []
    flags += [f"{number} late"] if feedback.is_late(graded, mark) else []
    if mark.verdict and mark.verdict.build_failure:
        compiles = "compile-error" not in mark.verdict.build_failure.diagnoses
        flags.append(f"{number} {'not gradable' if compiles else 'does not compile'}")
    if mark.undecided:
        flags.append(f"{number} not judged")
    return flags


def _about(mark: Mark, reason: str) -> str:
    """A reason with the file that it is about."""
    assert mark.hand_in
    return flat(reason if reason.startswith(mark.hand_in.shown) else f"{mark.hand_in.shown}: {reason}")


def show(graded: Graded, out: pathlib.Path, written: list[str], changed: list[str]) -> None:
    """The class as a table with a row for each person, and below it everything that an instructor has to look at."""
    from . import render

    rows = []
    for person in graded.class_.people:
        marks = graded.by_lab(person)
        own = [marks[lab.number] for lab in graded.labs if lab.number in marks]
        cells = [render.points_text(mark.points, mark.max_points) if mark.hand_in or mark.correction else "-" for mark in own]
        has_own = any(mark.hand_in or mark.correction for mark in own)
        flags = [flag for mark in own for flag in flags_of(graded, mark)] if has_own else [flat(own[0].missing)]
        rows.append([person.name, *cells, render.points_text(*total(own)), ", ".join(flags)])
    columns = [lab.number for lab in graded.labs]
    render.print_table(rows, f"Hand-ins in {graded.class_.source}", ["Name", *columns, "Total", ""], right=(*columns, "Total"))
    failures = [_about(mark, mark.verdict.build_failure.reason) for mark in graded.marks if mark.verdict and mark.verdict.build_failure]
    undecided = [_about(mark, next(result.reason for result in mark.verdict.results if not result.graded)) for mark in graded.marks
                 if mark.verdict and mark.undecided]
    by_kind = {kind: [f"{seen.shown}{f' ({seen.count} files)' if seen.count > 1 else ''}: {flat(seen.why)}"
                      for seen in graded.class_.others if seen.kind == kind] for kind in ("unknown", "fault")}
    aside = sum(seen.count for seen in graded.class_.others if not seen.is_left_over)
    for title, lines in (("No points, because of the file:", failures),
                         ("Not judged, and no fault of the hand-in; where no other is named, the same command grades them again:", undecided),
                         ("Could not be read:", by_kind["fault"]), ("No hand-in of any lab:", by_kind["unknown"]),
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
    from .classroom import intake, systems
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
    class_.notes += rules.check(class_.people, labs)
    grade_missing(at, by, class_.hand_ins, arguments.fresh)
    attempts: dict[tuple[str, str], list[tuple[HandIn, Verdict | None]]] = {}
    for hand_in in class_.hand_ins:
        attempts.setdefault((hand_in.person.id, hand_in.lab.name), []).append((hand_in, at.verdict(hand_in)))
    marks = [rules.choose(person, lab, attempts.get((person.id, lab.name), [])) for person in class_.people for lab in labs]
    class_.notes += rules.unknown_times(marks)
    for mark in marks:
        mark.missing = class_.why_missing(mark.person, mark.lab)
    rubrics = {lab.name: files.digest_of(at.keys.of_lab(lab) | {"seed": 0}) for lab in labs}
    return Graded(class_, labs, marks, rules, confinement, seed, list(plan.backends), rubrics=rubrics), build


def add_remarks(workbook: Workbook, graded: Graded, out: pathlib.Path, with_likeness: bool) -> list[str]:
    """Adds what costs no points, and an instructor may want to look at; writes remarks.csv and likeness.html. Returns sentences."""
    from .classroom import likeness, outputs, remarks_process

    by_id = {hand_in.id: hand_in for hand_in in graded.class_.hand_ins}
    modules = {id: {backend: out / "work" / id / f"{backend}.so" for backend in graded.backends} for id in by_id}
    graded.remarks = remarks_process.of_class([(hand_in, {backend: module for backend, module in modules[id].items() if module.exists()})
                                               for id, hand_in in by_id.items() if hand_in.fault is None], Journal(out / "journal"))
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
    left_over = any(seen.is_left_over for seen in graded.class_.others)
    return NOT_YET if left_over or any(mark.undecided for mark in graded.marks) else SUCCESS
