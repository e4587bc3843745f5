"""./warpbook grade DIR [--lab LAB] [--csv FILE]: a class's hand-ins through CTest, and their points as a table."""
from __future__ import annotations

import csv
import dataclasses
import json
import pathlib
import re
import shutil

from . import grading, machine_setup, results
from .backend import choose
from .build import Build
from .probe import output_of
from .problem import NOT_YET, SUCCESS, Problem, disk_is_full
from .progress import processors
from .results import Verdict
from .workbook import Lab, Workbook

_TEST = re.compile(r"^(\d\d)\.(handin-[A-Za-z0-9_-]+)\.(sim|cuda):")
COLUMNS = ["name", "lab", "item", "points", "max_points", "status", "reason", "file"]


@dataclasses.dataclass
class HandIn:
    """One person's file for one lab. `name` is what its path says; `file` is where it lies."""

    name: str
    lab: Lab
    file: str
    verdict: Verdict

    @property
    def undecided(self) -> bool:
        """Whether an item was not judged although the file was built: a defect here, not in the hand-in."""
        return self.verdict.build_failure is None and any(not result.graded for result in self.verdict.results)


def hand_in_folder(name: str) -> pathlib.Path:
    """The folder to grade; what CMake could not even list is refused with the files' names."""
    folder = pathlib.Path(name)
    if not folder.is_dir():
        raise Problem(f"{name} is no folder." if folder.exists() else f"There is no folder {name}.",
                      ["grade takes the folder that holds the class's hand-ins."])
    folder = folder.resolve()
    files = sorted(folder.rglob("*.cu"))
    if not files:
        raise Problem(f"{name} holds no .cu file.",
                      ["A hand-in is NAME/coalescing.cu, NAME/01-coalescing/coalescing.cu or 01-coalescing/NAME.cu."])
    bad = [str(file.relative_to(folder)) for file in files
           if re.search(r'[\[\]"\\;|$\x00-\x1f]', str(file)) or not _is_utf8(str(file))]
    if bad:
        raise Problem("CMake cannot build files with such names; rename them and grade again:",
                      [f"  {path!a}" if not _is_utf8(path) else f"  {path}" for path in bad])
    return folder


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def registered(build: Build, labs: list[Lab]) -> dict[tuple[str, str], str]:
    """(lab's number, submission's name) of every hand-in that CTest knows, and its file."""
    said = output_of(["ctest", "--test-dir", str(build.folder), "--show-only=json-v1", "-L", "^handin$"], 120) or "{}"
    found: dict[tuple[str, str], str] = {}
    for test in json.loads(said[said.index("{"):]).get("tests", []):
        match = _TEST.match(test["name"])
        source = next((word[len("-DSOURCE="):] for word in test.get("command", []) if word.startswith("-DSOURCE=")), "")
        if match and source and any(lab.number == match.group(1) for lab in labs):
            found[match.group(1), match.group(2)] = source
    return found


def grade_class(build: Build, labs: list[Lab], folder: pathlib.Path, backends: list[str]) -> list[HandIn]:
    """Registers the hand-ins of `folder`, builds and runs them all, and reads their results."""
    build.configure([f"-DWARPBOOK_HANDIN={folder}"])
    targets = [target for lab in labs for target in grading.grading_targets(lab, backends)]
    build.build(list(dict.fromkeys(targets)), "Building the graders")
    known = registered(build, labs)
    if not known:
        raise Problem(f"{folder} holds no hand-in for {', '.join(lab.name for lab in labs)}.",
                      ["A hand-in is NAME/coalescing.cu, NAME/01-coalescing/coalescing.cu or 01-coalescing/NAME.cu."])
    for number, name in known:
        for backend in backends:
            shutil.rmtree(build.folder / "results" / f"{number}.{name}.{backend}", ignore_errors=True)
    numbers = "|".join(lab.number for lab in labs)
    outcome = build.ctest(["-L", "^handin$", "-R", rf"^({numbers})\.handin-", "-j", str(processors()),
                           "--output-junit", str(build.folder / "handins.xml")], "handins", "Grading")
    graded = []
    for (number, name), source in sorted(known.items()):
        lab = next(lab for lab in labs if lab.number == number)
        found, failure = results.collect(build.folder / "results", f"{number}.{name}", backends,
                                         grading.items_of(build, lab))
        graded.append(HandIn(name[len("handin-"):], lab, source, Verdict(lab.name, name, source, found, failure)))
    full = disk_is_full(outcome.lines, build.workbook.shown(build.folder))
    if full and any(hand_in.undecided or hand_in.verdict.build_failure for hand_in in graded):
        raise full
    return graded


def rows_of(hand_in: HandIn, folder: pathlib.Path) -> list[list]:
    """One row an item, as COLUMNS says. A file that was not built has the reason in every row."""
    verdict = hand_in.verdict
    file = str(pathlib.Path(hand_in.file).relative_to(folder))
    rows = []
    for score in verdict.scores():
        failed = next((r for r in verdict.failures if r.item == score.item), None)
        reason = failed.reason if failed else ""
        if failed and not failed.graded and verdict.build_failure:
            reason = verdict.build_failure.reason
        rows.append([hand_in.name, hand_in.lab.name, score.item, results.number(score.points),
                     results.number(score.max_points), score.status, " ".join(reason.split()), file])
    return rows


def write_csv(path: pathlib.Path, graded: list[HandIn], folder: pathlib.Path) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for hand_in in graded:
            writer.writerows(rows_of(hand_in, folder))


def state_of(hand_in: HandIn) -> str:
    verdict = hand_in.verdict
    if verdict.build_failure:
        return " ".join(verdict.build_failure.reason.split())
    if hand_in.undecided:
        return "an item ended without a verdict; ctest -R shows why"
    lost = [score for score in verdict.scores() if score.status == "failed"]
    return "full points" if verdict.complete else f"{len(lost)} of {len(verdict.scores())} items failed"


def left_out(folder: pathlib.Path, graded: list[HandIn]) -> list[str]:
    """Files of the folder that no lab took for a hand-in."""
    taken = {pathlib.Path(hand_in.file).resolve() for hand_in in graded}
    return [str(path.relative_to(folder)) for path in sorted(folder.rglob("*.cu")) if path.resolve() not in taken]


def run(workbook: Workbook, arguments) -> int:
    folder = hand_in_folder(arguments.folder)
    target = pathlib.Path(arguments.csv).resolve() if arguments.csv else None
    if target and not target.parent.is_dir():
        raise Problem(f"There is no folder {target.parent} to write {target.name} into.")
    labs = [workbook.lab(arguments.lab)] if arguments.lab else workbook.labs()
    setup = machine_setup.ensure(workbook.root)
    backend = choose()
    build = Build(workbook, backend.preset, setup, backend.nvcc)
    with build.locked():
        graded = grade_class(build, labs, folder, backend.backends())
    from . import render

    rows = [[hand_in.name, hand_in.lab.name, render.points_text(hand_in.verdict.points, hand_in.verdict.max_points),
             state_of(hand_in)] for hand_in in graded]
    render.print_table(rows, f"Hand-ins in {folder}", ["Name", "Lab", "Points", "State"], right=("Points",))
    forgotten = left_out(folder, graded) if not arguments.lab else []
    if forgotten:
        print("No lab knows these files by their names, so they were not graded:", *forgotten, sep="\n  ")
    print(f"JUnit report: {workbook.shown(build.folder / 'handins.xml')}")
    if target:
        write_csv(target, graded, folder)
        print(f"Points, one row an item: {arguments.csv}")
    return NOT_YET if any(hand_in.undecided for hand_in in graded) or forgotten else SUCCESS
