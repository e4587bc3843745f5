"""./warpbook bench all: every lab's sweep in one go, the pictures, and on a GPU a page of results; and ./warpbook results."""
from __future__ import annotations

import pathlib
import re
import shutil
import sys
import time

from . import bench, machine_setup, progress
from .build import Build
from .problem import NOT_YET, SUCCESS, Problem
from .workbook import Lab, Workbook

PUBLISHED = "h200"  # the machine of the committed measurements


class Labs:
    """Says on stderr which lab is being measured, and how long it has taken; on a terminal also what the bench said last."""

    def __init__(self, count: int):
        self.count = count
        self.begun = time.monotonic()
        self.terminal = progress.styled(sys.stderr)

    def begin(self, place: int, lab: Lab) -> None:
        self.text = f"[{place}/{self.count}] {lab.name}"
        self.lab_begun = time.monotonic()
        if not self.terminal:
            print(f"{self.text} …", file=sys.stderr, flush=True)

    def line(self, said: str) -> None:
        if self.terminal:
            width = shutil.get_terminal_size().columns - 1
            shown = f"{self.text}  {time.monotonic() - self.lab_begun:.0f} s  {' '.join(said.split())}"
            print(f"\r\033[K{shown[:width]}", end="", file=sys.stderr, flush=True)

    def end(self, what: str) -> None:
        now = time.monotonic()
        clear = "\r\033[K" if self.terminal else ""
        print(f"{clear}{self.text}  {what} in {now - self.lab_begun:.0f} s, {now - self.begun:.0f} s in all",
              file=sys.stderr, flush=True)


def results_script(workbook: Workbook, python: str, arguments: list[str]) -> list[str]:
    """Runs plots/results.py; returns what it printed. What it complains of is a Problem."""
    outcome = progress.run([python, "-B", str(workbook.root / "plots" / "results.py"), *arguments])
    if outcome.status != 0:
        said = [line for line in outcome.lines if line.strip()] or ["plots/results.py said nothing"]
        raise Problem(said[0], said[1:], NOT_YET if outcome.status == 1 else 2)
    return outcome.lines


def files_of(lab: Lab, folder: pathlib.Path, machine: str) -> list[pathlib.Path]:
    """The lab's measurements from `machine`: the table, and what its bench writes beside it."""
    names = rf"(collision-)?{re.escape(lab.name)}-{re.escape(machine)}(-picture)?\.(csv|json|pgm)"
    return sorted(path for path in folder.glob(f"*{lab.name}-{machine}*") if re.fullmatch(names, path.name))


def publish(workbook: Workbook, labs: list[Lab], machine: str) -> None:
    """Copies what was measured here last to plots/data, as measurements of `machine`. Pictures are drawn of PUBLISHED only."""
    target = workbook.root / "plots" / "data"
    target.mkdir(parents=True, exist_ok=True)
    for lab in labs:
        for path in files_of(lab, workbook.build_root / "bench", "cuda"):
            if machine != PUBLISHED and (path.suffix != ".csv" or path.name.startswith("collision-")):
                continue
            shutil.copyfile(path, target / path.name.replace(f"{lab.name}-cuda", f"{lab.name}-{machine}"))


def draw_all(workbook: Workbook, labs: list[Lab], python: str, csv_of, picture_of) -> None:
    for lab in labs:
        if bench.plot_script(lab):
            for path in bench.draw(workbook, lab, python, csv_of(lab), picture_of(lab)):
                print(f"Picture: {workbook.shown(path)}")


def measure_all(build: Build, labs: list[Lab], backend: str, options: list[str]) -> list[Problem]:
    """Runs the benches one after the other; one that fails does not keep the others from being measured."""
    shown = Labs(len(labs))
    problems = []
    for place, lab in enumerate(labs, 1):
        shown.begin(place, lab)
        csv = bench.default_csv(build.workbook, lab, backend)
        try:
            bench.measure(build, lab, backend, csv, options, on_line=shown.line)
            shown.end(f"{len(bench.read_measurements(build.workbook, csv).rows):,} rows")
            print(f"Measurements: {build.workbook.shown(csv)}", flush=True)
        except Problem as problem:
            shown.end("failed")
            problems.append(problem)
    return problems


def run_all(workbook: Workbook, arguments) -> int:
    for option in ("size", "function", "input", "out"):
        if getattr(arguments, option) is not None:
            raise Problem(f"`bench all` takes no --{option}: it means something else in every lab.")
    machine = arguments.publish
    if machine is not None and not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", machine):
        raise Problem(f"--publish takes a short name of the machine, such as {PUBLISHED}, in lower case, not '{machine}'.")
    build, chosen, backend = bench.start(workbook, arguments.backend, workbook.labs())
    if machine is not None and backend != "cuda":
        raise Problem("--publish is for times of a GPU, and there is none here: " + chosen.reason)
    labs = bench.measured_labs(workbook, backend)
    if not labs:
        raise Problem("There is no lab with a bench and a solution to measure.")
    with build.locked():
        bench.build_measured(build, {lab: bench.measured_modules(workbook, lab, backend) for lab in labs}, backend, "Building")
        problems = measure_all(build, labs, backend, bench.bench_options(arguments))
    if problems:  # a page with labs of different runs would compare what was never measured together
        for problem in problems:
            print(problem.sentence, *problem.details, sep="\n", file=sys.stderr)
        raise Problem(f"{len(problems)} of {len(labs)} labs could not be measured, so nothing is drawn or published.", [], NOT_YET)
    if machine is not None:
        publish(workbook, labs, machine)
        return write_results(workbook, PUBLISHED, build.python)
    draw_all(workbook, labs, build.python, lambda lab: bench.default_csv(workbook, lab, backend),
             lambda lab: workbook.build_root / "plots" / f"{lab.name}-{backend}.svg")
    if backend == "sim":
        print("The simulator counts and measures no time, so it writes no page of results; docs/results.md is of a GPU.")
        return SUCCESS
    page = workbook.build_root / "results.md"
    results_script(workbook, build.python, ["--data", str(workbook.build_root / "bench"), "--machine", "cuda", "--images",
                                            str(workbook.build_root / "plots"), "--out", str(page)])
    print(f"Results: {workbook.shown(page)}")
    return SUCCESS


def write_results(workbook: Workbook, machine: str, python: str) -> int:
    """Draws the pictures that are not of the committed measurements of `machine`; writes the page and the labs' tables of floors."""
    data = workbook.root / "plots" / "data"
    images = workbook.root / "docs" / "images"
    where = ["--data", str(data), "--machine", machine, "--images", str(images)]
    stale = results_script(workbook, python, ["--stale", *where])
    labs = [lab for lab in workbook.labs() if lab.name in stale]
    draw_all(workbook, labs, python, lambda lab: data / f"{lab.name}-{machine}.csv", lambda lab: images / f"{lab.name}-{machine}.svg")
    written = results_script(workbook, python, [*where, "--handouts", str(workbook.root / "labs")])
    print(*(f"Results: {workbook.shown(pathlib.Path(path))}" for path in written), sep="\n")
    return SUCCESS


def run_bench(workbook: Workbook, arguments) -> int:
    return (run_all if arguments.lab == bench.ALL else bench.run_lab)(workbook, arguments)


def run_results(workbook: Workbook, arguments) -> int:
    """./warpbook results [--check]."""
    if arguments.check:
        print(*results_script(workbook, sys.executable, ["--check", "--machine", arguments.machine, "--handouts",
                                                         str(workbook.root / "labs")]), sep="\n")
        return SUCCESS
    return write_results(workbook, arguments.machine, machine_setup.ensure(workbook.root)["python"])
