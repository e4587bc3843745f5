"""./warpbook grade DIR [--lab LAB] [--csv FILE]: a class's hand-ins, and their points as a table."""
from __future__ import annotations

import csv
import dataclasses
import pathlib
import re
import xml.etree.ElementTree as ElementTree

from . import grading, machine_setup, results
from .backend import choose
from .build import Build
from .problem import NOT_YET, SUCCESS, Problem
from .progress import Progress
from .results import Verdict
from .workbook import Lab, Workbook

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


def registered(build: Build, labs: list[Lab]) -> list[grading.Submission]:
    """The hand-ins that CMake has just found, as submissions called handin-NAME. To be read before any of them runs."""
    found: dict[tuple[str, str], grading.Submission] = {}
    for lab in labs:
        for line in (build.folder / "labs" / lab.number / "submissions.txt").read_text(encoding="utf-8").splitlines():
            name, kind, _, source = (line.split("|") + [""] * 4)[:4]
            if kind == "handin":
                found[lab.number, name] = grading.Submission(lab, name, pathlib.Path(source))
    return [found[key] for key in sorted(found)]


def grade_class(build: Build, labs: list[Lab], folder: pathlib.Path, backends: list[str]) -> list[HandIn]:
    """Registers the hand-ins of `folder`, builds them all, and has each judged in a grading run."""
    build.configure([f"-DWARPBOOK_HANDIN={folder}"])
    submissions = registered(build, labs)
    if not submissions:
        raise Problem(f"{folder} holds no hand-in for {', '.join(lab.name for lab in labs)}.",
                      ["A hand-in is NAME/coalescing.cu, NAME/01-coalescing/coalescing.cu or 01-coalescing/NAME.cu."])
    failures = grading.build_all(build, submissions, backends, "Building")
    graded = []
    shown = Progress("Grading")
    for place, submission in enumerate(submissions, 1):
        try:
            verdict = grading.judge_built(build, submission, backends, failures)
        except Problem as problem:  # one hand-in is not to keep the others from their verdicts
            verdict = grading.without_verdict(build, submission, backends, problem)
        graded.append(HandIn(submission.name[len("handin-"):], submission.lab, str(submission.source), verdict))
        shown.step(place, len(submissions))
    shown.close()
    write_junit(build.folder / "handins.xml", graded)
    return graded


def write_junit(path: pathlib.Path, graded: list[HandIn]) -> None:
    """The verdicts as JUnit XML, a test case for each item and backend, with the names that CTest gives them."""
    suite = ElementTree.Element("testsuite", name="hand-ins")
    count = {"failed": 0, "skipped": 0, "undecided": 0, "passed": 0}
    for hand_in in graded:
        failure = hand_in.verdict.build_failure
        for result in [*([failure] if failure else []), *hand_in.verdict.results]:
            name = f"{hand_in.lab.number}.{hand_in.verdict.submission}.{result.backend}:{result.item}"
            case = ElementTree.SubElement(suite, "testcase", name=_plain(name), classname=_plain(hand_in.name),
                                          time=f"{result.seconds or 0:.3f}")
            count[result.status] += 1
            if result.status == "failed":
                ElementTree.SubElement(case, "failure", message=_plain(result.reason)).text = _plain("\n".join(result.details))
            elif result.status != "passed":
                ElementTree.SubElement(case, "skipped", message=_plain(result.reason))
    suite.set("tests", str(sum(count.values())))
    suite.set("failures", str(count["failed"]))
    suite.set("skipped", str(count["skipped"] + count["undecided"]))
    ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def _plain(text: str) -> str:
    """`text` without the characters that XML does not allow."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)


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
        return "an item ended without a verdict; grade it again"
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
