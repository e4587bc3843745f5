"""./warpbook demo: the main job on a fresh machine, from build to plots."""
from __future__ import annotations

import subprocess

from . import bench, grading, machine_setup
from .backend import Backend, choose
from .build import Build
from .problem import NOT_YET, SUCCESS, Problem
from .results import Verdict
from .workbook import Lab, Workbook


def is_as_delivered(workbook: Workbook, lab: Lab) -> bool:
    """Whether git says that the starter is untouched. Without git nothing is known, so no."""
    try:
        done = subprocess.run(["git", "-C", str(workbook.root), "status", "--porcelain", "--", str(lab.starter)],
                              capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout == ""


def starter_state(verdict: Verdict, as_delivered: bool) -> tuple[str, bool]:
    """What to say of a starter, and whether that is as it should be.

    A delivered starter compiles, earns nothing, and each failure has a reason. A
    student's own progress is welcome and never an error.
    """
    if verdict.build_failure:
        return "does not compile: " + verdict.build_failure.reason, not as_delivered
    if any(not result.graded for result in verdict.failures):
        return "an item ended without a verdict", False
    if verdict.complete:
        return "solved", not as_delivered
    if verdict.points:
        return "started", not as_delivered
    first = verdict.failures[0]
    return f"unsolved. {first.reason}", bool(first.reason)


def solution_state(verdict: Verdict) -> tuple[str, bool]:
    if verdict.complete:
        return "passes", True
    if verdict.build_failure:
        return verdict.build_failure.reason, False
    first = verdict.failures[0]
    return f"fails '{first.item}': {first.reason}", False


def _grade_lab(build: Build, lab: Lab, backend: Backend) -> tuple[list[list[str]], bool]:
    from . import render

    rows, healthy = [], True
    verdict = grading.grade(build, lab, "starter", lab.starter, backend.backends(), f"Grading {lab.name} starter")
    state, expected = starter_state(verdict, is_as_delivered(build.workbook, lab))
    healthy &= expected
    rows.append([lab.name, "starter", render.points_text(verdict.points, verdict.max_points), state])
    solution = build.workbook.solution(lab)
    if not solution.exists():
        rows.append(["", "solution", "-", "solutions/ is not here"])
        return rows, healthy
    verdict = grading.grade(build, lab, "solution", solution, backend.backends(), f"Grading {lab.name} solution")
    state, expected = solution_state(verdict)
    healthy &= expected
    rows.append(["", "solution", render.points_text(verdict.points, verdict.max_points), state])
    return rows, healthy


def _measure_lab(build: Build, lab: Lab, backend: str) -> bool:
    """Counters or times of the steps, and their plots. What a lab does not have yet is left out."""
    workbook = build.workbook
    if not (lab.folder / "bench.cpp").exists() or not bench.measured_modules(workbook, lab, backend):
        return True
    csv = bench.default_csv(workbook, lab, backend)
    try:
        bench.measure(build, lab, backend, csv, [])
        bench.print_summary(workbook, lab, bench.read_measurements(workbook, csv), whole=False)
        print(f"Measurements: {workbook.shown(csv)}")
        if bench.plot_script(workbook, lab):
            picture = workbook.build_root / "plots" / f"{csv.stem}.png"
            for path in bench.draw(workbook, lab, build.python, csv, picture):
                print(f"Plot: {workbook.shown(path)}")
    except Problem as problem:
        print(f"{lab.name}: {problem.sentence}", *problem.details, sep="\n  ")
        return False
    return True


def run(workbook: Workbook, arguments) -> int:
    from . import render

    setup = machine_setup.ensure(workbook.root)
    backend = choose()
    print(backend.reason, flush=True)
    build = Build(workbook, backend.preset, setup, backend.nvcc)
    labs = workbook.labs()
    if not labs:
        raise Problem("labs/ holds no lab.")
    rows: list[list[str]] = []
    healthy = True
    with build.locked():
        targets = []
        for lab in labs:
            targets += grading.grading_targets(lab, backend.backends())
            if workbook.solution(lab).exists():
                targets += [f"{lab.number}.solution.{name}" for name in backend.backends()]
        build.build(list(dict.fromkeys(targets)), "Building")
        for lab in labs:
            lab_rows, lab_healthy = _grade_lab(build, lab, backend)
            rows += lab_rows
            healthy &= lab_healthy
        render.print_table(rows, "Starters and solutions", ["Lab", "File", "Points", "State"], right=("Points",))
        for lab in labs:
            healthy &= _measure_lab(build, lab, backend.backends()[-1])
    if not healthy:
        print("Something above is not as it should be; ./warpbook doctor shows what this machine has.")
        return NOT_YET
    first = labs[0]
    print(f"All is well. Start with {workbook.shown(first.folder / 'README.md')}: edit "
          f"{workbook.shown(first.starter)}, then ./warpbook check {first.number}")
    return SUCCESS
