"""./warpbook demo: the main job on a fresh machine, from build to plots."""
from __future__ import annotations

import concurrent.futures
import subprocess

from . import bench, build_choice, course, grading, language, probe, story
from .backend import Backend, choose
from .build import Build
from .language import _
from .problem import NOT_YET, SUCCESS, Problem
from .progress import Progress, Running, processors
from .results import Verdict
from .workbook import Lab, Workbook


#: On a GPU a part of the sweep, in one round of few runs, shows what the steps bring; `bench` measures as a page of
#: results needs it.
_BRIEF = ["--rounds", "1", "--repetitions", "3", "--thin", "4"]


def is_as_delivered(workbook: Workbook, lab: Lab) -> bool:
    """Whether git says that the starter is untouched. Without git nothing is known, so no."""
    return probe.output_of(["git", "-C", str(workbook.root), "status", "--porcelain", "--", str(lab.starter)], stderr=subprocess.DEVNULL) == ""


def starter_state(verdict: Verdict, as_delivered: bool) -> tuple[str, bool]:
    """What to say of a starter, and whether that is as it should be.

    A delivered starter compiles, earns nothing, and each failure has a reason. A
    student's own progress is welcome and never an error.
    """
    if verdict.build_failure:
        return _("does not compile: {why}", why=verdict.build_failure.reason), not as_delivered
    if any(not result.graded for result in verdict.results):
        return _("an item ended without a verdict"), False
    if verdict.complete:
        return _("solved"), not as_delivered
    if verdict.points:
        return _("started"), not as_delivered
    first = verdict.failures[0]
    return _("unsolved. {why}", why=first.reason), bool(first.reason)


def solution_state(verdict: Verdict) -> tuple[str, bool]:
    if verdict.complete:
        return _("The solution passes"), True
    if verdict.build_failure:
        return _("The solution does not compile: {why}", why=verdict.build_failure.reason), False
    first = next(result for result in [*verdict.failures, *verdict.results] if result.status != "passed")
    values = {"item": first.item, "why": first.reason}
    return (_("The solution fails '{item}': {why}", **values) if first.status == "failed" else _("The solution has no verdict on '{item}': {why}", **values)), False


def _grade_lab(build: Build, lab: Lab, backend: Backend, failures: dict) -> tuple[list[list[str]], bool]:
    """The lab's rows of the table, and whether its starter and its solution are as they should be."""
    from . import render

    starter = grading.Submission(lab, "starter", lab.starter)
    in_course = course.points(build.workbook)
    verdict = grading.judge_built(build, starter, backend.backends(), failures, speed=False)
    verdict.results = in_course(lab, verdict.results)
    state, healthy = starter_state(verdict, is_as_delivered(build.workbook, lab))
    row = [lab.name, render.points_text(verdict.points, verdict.max_points), "-", state]
    solution = grading.Submission(lab, "solution", build.workbook.solution(lab))
    if not solution.source.exists():
        return [row], healthy
    verdict = grading.judge_built(build, solution, backend.backends(), failures, speed=False)
    verdict.results = in_course(lab, verdict.results)
    state, passes = solution_state(verdict)
    row[2] = render.points_text(verdict.points, verdict.max_points)
    return [row] if passes else [row, ["", "", "", state]], healthy and passes


def _measured(workbook: Workbook, lab: Lab, backend: str, whole: bool) -> list[str]:
    """The names of the modules that are measured. On the simulator, where compiling them takes the longest, those of the line of steps
    that the summary shows, unless `whole`."""
    if backend == "sim" and not whole:
        return bench.longest_line(workbook, lab)
    return bench.measured_modules(workbook, lab, backend)


def _measure_lab(build: Build, lab: Lab, backend: str, whole: bool, draw_by: concurrent.futures.Executor | None, running: Running):
    """The measurements of a lab's steps, and their pictures, which `draw_by` draws: none without it. `running` gets the bench."""
    workbook = build.workbook
    csv = bench.default_csv(workbook, lab, backend)
    bench.measure(build, lab, backend, csv, [] if whole or backend == "sim" else _BRIEF, built=_measured(workbook, lab, backend, whole), among=running)
    drawing = None
    if draw_by and bench.plot_script(lab):
        drawing = draw_by.submit(bench.draw, workbook, lab, build.python, csv, workbook.build_root / "plots" / f"{csv.stem}.svg")
    return csv, drawing


def _measure_labs(build: Build, labs: list[Lab], backend: str, whole: bool) -> bool:
    """Shows what the steps bring and where the pictures are; says whether every lab could be measured. All is built."""
    workbook = build.workbook
    told, drawings, pictures, problems = [], [], [], []
    with_pictures = "matplotlib" in probe.python_modules(build.python)
    shown = Progress(_("Measuring the steps"))
    # What the simulator counts does not depend on what else the machine does; times do. A lab is drawn while others are measured.
    measuring, drawing = (concurrent.futures.ThreadPoolExecutor(processors() if backend == "sim" else 1) for _pool in range(2))
    running = Running()
    try:
        most_first = sorted(labs, key=lambda lab: -len(_measured(workbook, lab, backend, whole)))  # so that none is alone in the end
        measured = {lab.number: measuring.submit(_measure_lab, build, lab, backend, whole, drawing if with_pictures else None, running)
                    for lab in most_first}
        for place, lab in enumerate(labs, 1):
            try:
                csv, drawn = measured[lab.number].result()
                data = bench.read_measurements(workbook, csv)
                if whole:
                    bench.print_summary(workbook, lab, data)
                points = story.turning_points(data)
                told += [(lab.name, workbook.root / "solutions" / lab.name, points)] if points else []
                drawings += [(lab, drawn)] if drawn else []
            except Problem as problem:
                problems.append((lab, problem))
            shown.step(place, len(labs))
        for lab, drawn in drawings:
            try:
                pictures += drawn.result()
            except Problem as problem:
                problems.append((lab, problem))
    except BaseException:
        for pool in (measuring, drawing):
            pool.shutdown(wait=False, cancel_futures=True)
        running.end()
        raise
    finally:
        measuring.shutdown()
        drawing.shutdown()
    shown.close()
    if told and not whole:
        story.print_turning_points(told)
    for lab, problem in problems:
        print(f"{lab.name}: {problem.sentence}", *problem.details, sep="\n  ")
    if pictures:
        print(_("Pictures in {folder}, of the measurements in {measured}:", folder=workbook.shown(pictures[0].parent),
                measured=workbook.shown(workbook.build_root / "bench")))
        print(*language.wrapped(", ".join(path.name for path in pictures), 110, "  ", "  "), sep="\n")
    if labs and not with_pictures:
        print(_("Pictures need matplotlib, which this Python lacks: {command}", command=f"{build.python} -m pip install matplotlib"))
    if told and not whole:
        print(_("Every function, step and measure: {all}, or {bench}.", all="./warpbook demo --all", bench="./warpbook bench LAB"))
    return not problems


def run(workbook: Workbook, arguments) -> int:
    from . import render

    labs = workbook.labs()
    if not labs:
        raise Problem(_("labs/ holds no lab."))
    backend = choose()
    build = build_choice.chosen(workbook, backend, labs)
    print(backend.reason, flush=True)
    rows: list[list[str]] = []
    healthy = True
    measured_on = backend.backends()[-1]
    measured = [lab for lab in bench.measured_labs(workbook, measured_on) if build.can_measure(lab)]
    with build.locked():
        bench.build_measured(build, {lab: _measured(workbook, lab, measured_on, arguments.all) for lab in measured}, measured_on, _("Building"))
        submissions = [grading.Submission(lab, "starter", lab.starter) for lab in labs]
        submissions += [grading.Submission(lab, "solution", workbook.solution(lab)) for lab in labs
                        if workbook.solution(lab).exists()]
        failures = grading.build_all(build, submissions, backend.backends(), _("Building"))
        shown = Progress(_("Grading"))
        for place, lab in enumerate(labs, 1):
            lab_rows, lab_healthy = _grade_lab(build, lab, backend, failures)
            rows += lab_rows
            healthy &= lab_healthy
            shown.step(place, len(labs))
        shown.close()
        headings = [_("Lab"), _("Starter"), _("Solution"), _("First message of the starter")]
        render.print_table(rows, _("Each lab's starter, unsolved as you get it, and its solution"), headings, right=tuple(headings[1:3]))
        if not any(workbook.solution(lab).exists() for lab in labs):
            print(_("solutions/ is not here, so there are no solutions to grade and no steps to measure."))
        healthy &= _measure_labs(build, measured, measured_on, arguments.all)
    if not healthy:
        print(_("Something above is not as it should be; {command} shows what this machine has.", command="./warpbook doctor"))
        return NOT_YET
    first = labs[0]
    print(_("All is well. Start with {handout}: edit {file}, then {command}", handout=workbook.shown(language.translated(first.folder / "README.md")),
            file=workbook.shown(first.starter), command=f"./warpbook check {first.number}"))
    return SUCCESS
