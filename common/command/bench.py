"""./warpbook bench LAB and plot LAB: measured sweeps, and the pictures drawn from them."""
from __future__ import annotations

import os
import pathlib
import re
import shutil
import sys
from collections.abc import Callable

from . import build_choice, probe, progress, story
from .backend import Backend, choose
from .build import Build
from .grading import Submission, build_all, grading_targets
from .problem import NOT_YET, SUCCESS, Problem
from .workbook import Lab, Workbook

ALL = "all"  # in the place of a lab


def measured_modules(workbook: Workbook, lab: Lab, backend: str) -> list[str]:
    """The names of the modules that are measured: solution and steps, and peers on the GPU."""
    folder = workbook.root / "solutions" / lab.name
    names = ["solution"] if workbook.solution(lab).exists() else []
    names += [f"step-{path.stem}" for path in sorted((folder / "steps").glob("*.cu"))]
    if backend == "cuda":
        names += [f"peer-{path.stem}" for path in sorted((folder / "peers").glob("*.cu"))]
    return names


def longest_line(workbook: Workbook, lab: Lab) -> list[str]:
    """The solution, and of the lab's lines of steps (copy_v0_…, copy_v1_…; v0_…) the longest one: the names of their modules."""
    lines: dict[str, list[str]] = {}
    for path in sorted((workbook.root / "solutions" / lab.name / "steps").glob("*.cu")):
        lines.setdefault(re.sub(r"(?:^|_)v\d+_.*", "", path.stem), []).append(f"step-{path.stem}")
    return [*(["solution"] if workbook.solution(lab).exists() else []), *max(lines.values(), key=len, default=[])]


def measured_labs(workbook: Workbook, backend: str) -> list[Lab]:
    return [lab for lab in workbook.labs() if (lab.folder / "bench.cpp").exists() and measured_modules(workbook, lab, backend)]


def build_measured(build: Build, lab_modules: dict[Lab, list[str]], backend: str, what: str) -> None:
    """Builds what measures the modules of these names, and these: peers are the workbook's own parts, all others submissions."""
    workbook = build.workbook
    targets, submissions = [], []
    for lab, names in lab_modules.items():
        peers = [name for name in names if name.startswith("peer-")]
        targets += [*grading_targets(lab, [backend]), f"bench-{lab.number}", *(f"{lab.number}.{name}.{backend}" for name in peers)]
        submissions += [submission_of(workbook, lab, name) for name in names if name not in peers]
    build.build(list(dict.fromkeys(targets)), what)
    for failure in build_all(build, submissions, [backend], what).values():
        raise Problem(failure.reason, failure.details, NOT_YET)


def submission_of(workbook: Workbook, lab: Lab, name: str) -> Submission:
    """The student's own file, the solution or a step, by the name of its module."""
    steps = workbook.root / "solutions" / lab.name / "steps"
    sources = {"starter": lab.starter, "solution": workbook.solution(lab)}
    return Submission(lab, name, sources.get(name, steps / f"{name.partition('-')[2]}.cu"))


def _place_of(build: Build, lab: Lab, name: str, backend: str) -> pathlib.Path:
    """Where the module of this name has been built."""
    if name.startswith("peer-"):
        return build.folder / "modules" / lab.number / backend / f"{name}.so"
    return submission_of(build.workbook, lab, name).module(build, backend)


def default_csv(workbook: Workbook, lab: Lab, backend: str, on_input: bool = False, own: bool = False) -> pathlib.Path:
    """Where the sweep goes; a measurement `on_input`, a file of the user's, does not take its place, nor does one of the
    student's own file."""
    return workbook.build_root / "bench" / f"{lab.name}{'-own' if own else ''}-{backend}{'-input' if on_input else ''}.csv"


def read_measurements(workbook: Workbook, csv: pathlib.Path):
    """The measurements in `csv`; a broken file is a Problem that says where."""
    sys.path.insert(0, str(workbook.root / "plots"))
    import measurements

    try:
        return measurements.read(csv)
    except measurements.BrokenFile as error:
        raise Problem(str(error)) from error


def measure(build: Build, lab: Lab, backend: str, csv: pathlib.Path, options: list[str],
            on_line: Callable[[str], None] | None = None, own: bool = False, built: list[str] | None = None,
            among: progress.Running | None = None) -> None:
    """Builds what is measured and runs the lab's bench into `csv` and the JSON beside it. `own`: on the student's file alone, of
    which the functions are measured that are right. `built`: on these modules alone, which are there already.

    `on_line` gets what the bench prints while it runs. `among` is progress.run()'s.
    """
    workbook = build.workbook
    if not (lab.folder / "bench.cpp").exists():
        raise Problem(f"{lab.name} has no bench yet.")
    if own:
        names, options = ["starter"], [*options, "--own", "starter", "--own-file", workbook.shown(lab.starter)]
    else:
        names = built or measured_modules(workbook, lab, backend)
    if built is None:
        build_measured(build, {lab: names}, backend, f"Building the bench of {lab.name}")
    csv.parent.mkdir(parents=True, exist_ok=True)
    modules = workbook.build_root / "bench" / f"{lab.name}-{backend}-modules"  # a bench measures all that lie in its folder
    shutil.rmtree(modules, ignore_errors=True)
    modules.mkdir(parents=True)
    for name in names:
        (modules / f"{name}.so").symlink_to(_place_of(build, lab, name, backend))
    command = [str(build.program(f"bench-{lab.number}")), "--backend", backend, "--out", str(csv), *options,
               "--runner", str(build.program(f"warpbook-runner-{backend}")), "--modules", str(modules),
               *build.contract_options(lab)]
    outcome = progress.run(command, build.log(f"bench-{lab.number}"), env=build.environment, cwd=workbook.root,
                           on_line=on_line, among=among)
    if outcome.status != 0 or not csv.exists():
        raise Problem(f"The bench of {lab.name} ended with status {outcome.status}:",
                      [*("  " + line for line in outcome.lines[-12:])], NOT_YET)


def print_summary(workbook: Workbook, lab: Lab, data) -> None:
    story.print_story(lab.name, workbook.root / "solutions" / lab.name, data)


def plot_script(lab: Lab) -> pathlib.Path | None:
    path = lab.folder / "plot.py"
    return path if path.exists() else None


def draw(workbook: Workbook, lab: Lab, python: str, csv: pathlib.Path, picture: pathlib.Path) -> list[pathlib.Path]:
    """Runs the lab's plot script; returns the pictures that it wrote."""
    script = plot_script(lab)
    if script is None:
        raise Problem(f"{lab.name} has no plot script yet.")
    picture.parent.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPYCACHEPREFIX": str(workbook.build_root / "pycache")}
    environment["PYTHONPATH"] = str(workbook.root / "plots")  # what the scripts share
    environment.setdefault("MPLCONFIGDIR", str(workbook.build_root / "matplotlib"))
    outcome = progress.run([python, str(script), str(csv), "-o", str(picture)], env=environment)
    if outcome.status != 0:
        said = [line for line in outcome.lines if line.strip()] or ["it said nothing"]
        raise Problem(said[-1], ["WARPBOOK_DEBUG=1 shows more."] if len(said) > 1 else [])
    return [pathlib.Path(line) for line in outcome.lines if line.strip()]


def _newest_measurements(workbook: Workbook, lab: Lab) -> pathlib.Path:
    """The sweep measured here last, of the student's own file or of the solution; else the published one in plots/."""
    here = [default_csv(workbook, lab, backend, own=own) for backend in ("cuda", "sim") for own in (False, True)]
    here = sorted((path for path in here if path.exists()), key=lambda path: path.stat().st_mtime)
    published = sorted((workbook.root / "plots").glob(f"**/{lab.name}*.csv"))
    if here or published:
        return (published[:1] + here)[-1]
    raise Problem(f"There are no measurements of {lab.name} yet.", [f"`./warpbook bench {lab.number}` makes them."])


def bench_options(arguments) -> list[str]:
    options = []
    for name in ("size", "repetitions", "rounds", "seed", "precision", "function", "device"):
        value = getattr(arguments, name)
        if value is not None:
            options += [f"--{name}", str(value)]
    if arguments.input is not None:  # the bench runs in another folder
        if not os.path.isfile(arguments.input):
            raise Problem(f"There is no file {arguments.input}.")
        options += ["--input", os.path.abspath(arguments.input)]
    return options


def start(workbook: Workbook, wanted: str | None, labs: list[Lab]) -> tuple[Build, Backend, str]:
    """What builds and measures on this machine, and the backend: the `wanted` one, or the GPU if there is one."""
    chosen: Backend = choose()
    backend = wanted or chosen.backends()[-1]
    if backend == "cuda" and chosen.preset != "cuda":
        raise Problem("There is no GPU to measure on here: " + chosen.reason)
    build = build_choice.chosen(workbook, chosen, labs)
    changed = [lab.name for lab in labs if (lab.folder / "bench.cpp").exists() and not build.can_measure(lab)]
    if changed:
        raise Problem(f"The bench of {', '.join(changed)} is not the one that the programs here were made with, so it needs a build from source.",
                      ["`./warpbook test`, or cmake --preset sim, makes one."])
    return build, chosen, backend


def run_lab(workbook: Workbook, arguments) -> int:
    if arguments.publish is not None:
        raise Problem("--publish goes with `bench all`: a page of results is of one run of all labs.")
    lab = workbook.lab(arguments.lab)
    options = bench_options(arguments)
    build, _, backend = start(workbook, arguments.backend, [lab])
    own = arguments.own or not measured_modules(workbook, lab, backend)
    csv = pathlib.Path(arguments.out).resolve() if arguments.out else (
        default_csv(workbook, lab, backend, on_input=arguments.input is not None, own=own))
    with build.locked():
        measure(build, lab, backend, csv, options,
                on_line=lambda line: print(line, flush=True), own=own)
    rows = [line for line in csv.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    if own and len(rows) < 2:  # a header alone
        raise Problem(f"No function of {workbook.shown(lab.starter)} is right yet: there is nothing to measure.",
                      [f"./warpbook check {lab.number} says what is wrong."], NOT_YET)
    print_summary(workbook, lab, read_measurements(workbook, csv))
    print(f"Measurements: {workbook.shown(csv)}")
    if plot_script(lab) and arguments.input is None:
        named = f" {workbook.shown(csv)}" if arguments.out else ""
        print(f"Draw them: ./warpbook plot {lab.number}{named}")
    return SUCCESS


def run_plot(workbook: Workbook, arguments) -> int:
    lab = workbook.lab(arguments.lab)
    setup = build_choice.set_up(workbook, "sim", [])
    if "matplotlib" not in probe.python_modules(setup["python"]):
        raise Problem("Pictures need matplotlib, which this Python lacks.", [f"{setup['python']} -m pip install matplotlib"])
    if arguments.csv and not os.path.isfile(arguments.csv):
        raise Problem(f"There is no file {arguments.csv}.")
    csv = pathlib.Path(arguments.csv).resolve() if arguments.csv else _newest_measurements(workbook, lab)
    picture = pathlib.Path(arguments.out).resolve() if arguments.out else (
        workbook.build_root / "plots" / f"{csv.stem if lab.topic in csv.stem else lab.name}.svg")
    read_measurements(workbook, csv)
    for path in draw(workbook, lab, setup["python"], csv, picture):
        print(workbook.shown(path))
    return SUCCESS
