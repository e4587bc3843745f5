"""Grades one submission of one lab through CTest."""
from __future__ import annotations

import pathlib
import re
import shutil
import time

from . import results
from .build import Build
from .problem import Problem, disk_is_full
from .progress import processors
from .results import Verdict
from .workbook import Lab


def grading_targets(lab: Lab, backends: list[str]) -> list[str]:
    """What has to be built before a student's file can be graded; the file itself is CTest's to build."""
    return ["simtcc", f"grade-{lab.number}", *(f"warpbook-runner-{backend}" for backend in backends)]


def items_of(build: Build, lab: Lab) -> list[dict]:
    return results.read_items(build.folder / "labs" / lab.number / "items.jsonl")


def fill_slot(build: Build, lab: Lab, file: pathlib.Path) -> None:
    """Points the lab's check slot at `file`. The file stays where it is, and is never copied."""
    path = str(file.resolve())
    if re.search(r'["\\;\x00-\x1f]', path) or path.count("[") != path.count("]"):
        raise Problem(f"The path {path!r} cannot be built: it holds a quote, a backslash, a semicolon, a bracket alone "
                      "or a control character.", ["Rename the file or the folder, and check it again."])
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        raise Problem(f"The path {path!a} is not UTF-8, which CMake needs.",
                      ["Rename the file or the folder, and check it again."]) from None
    slot = build.folder / "check" / f"{lab.number}.cu"
    content = f'#include "{path}"\n'
    if not slot.exists() or slot.read_text(encoding="utf-8") != content:
        slot.parent.mkdir(parents=True, exist_ok=True)
        slot.write_text(content, encoding="utf-8")


def grade(build: Build, lab: Lab, submission: str, source: pathlib.Path, backends: list[str],
          what: str = "") -> Verdict:
    """Runs every item of `submission` (starter, check or solution) and collects the verdict.

    The grader and runners have to be built already.
    """
    begun = time.monotonic()
    name = f"{lab.number}.{submission}"
    for backend in backends:
        shutil.rmtree(build.folder / "results" / f"{name}.{backend}", ignore_errors=True)
    outcome = build.ctest(["-R", f"^{re.escape(name)}\\.", "-j", str(max(2, min(8, processors())))],
                          f"check-{name}", what)
    found, build_failure = results.collect(build.folder / "results", name, backends, items_of(build, lab))
    full = None if all(result.graded for result in found) else disk_is_full(
        outcome.lines, build.workbook.shown(build.folder))
    if full:
        raise full
    if not found or all(not result.graded for result in found) and build_failure is None:
        raise Problem(f"Nothing of {lab.name} was graded:",
                      [*("  " + line for line in outcome.lines[-12:] if line.strip()),
                       f"All of it: {build.workbook.shown(build.log(f'check-{name}'))}"])
    for result in found:
        if result.todo:
            result.todo["file"] = build.workbook.shown(result.todo.get("file", source))
    return Verdict(lab.name, submission, build.workbook.shown(source), found, build_failure,
                   time.monotonic() - begun)


def last_results(build_folder: pathlib.Path, lab: Lab, backends: list[str]) -> tuple[Verdict | None, float]:
    """The starter's results of the last check, if there are any, and when the newest was written."""
    name = f"{lab.number}.starter"
    written = [path for backend in backends
               for path in (build_folder / "results" / f"{name}.{backend}").glob("*.json")]
    if not written:
        return None, 0
    items = results.read_items(build_folder / "labs" / lab.number / "items.jsonl")
    present = [backend for backend in backends if (build_folder / "results" / f"{name}.{backend}").is_dir()]
    found, failure = results.collect(build_folder / "results", name, present, items)
    return (Verdict(lab.name, "starter", "", found, failure),
            max(path.stat().st_mtime for path in written))
