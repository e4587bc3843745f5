"""./warpbook test: the workbook's own tests, all of them, as CI runs them."""
from __future__ import annotations

import collections
import dataclasses
import json
import pathlib
import xml.etree.ElementTree as ElementTree

from . import machine_setup
from .backend import choose, find_nvcc
from .build import Build
from .problem import NOT_YET, SUCCESS, Problem
from .probe import output_of
from .workbook import Workbook

OUTPUT_LINES = 40  # of one failed test
SHOWN_FAILURES = 20
SKIPPED = "skipped: "  # begins a line that says why
PASSED_OUTPUT = 1 << 16  # bytes that CTest keeps of a test that passes: it can have skipped parts


@dataclasses.dataclass
class TestRun:
    name: str
    status: str  # passed, failed or skipped
    seconds: float
    output: str


def read_junit(path: pathlib.Path) -> list[TestRun]:
    """CTest's JUnit file. A test that did not run counts as skipped only if it said so itself."""
    try:
        suite = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return []
    runs = []
    for case in suite.iter("testcase"):
        skipped = case.find("skipped")
        status = {"run": "passed", "fail": "failed", "disabled": "skipped"}.get(case.get("status", ""), "failed")
        output = case.findtext("system-out") or ""
        if skipped is not None:
            message = skipped.get("message", "")
            status = "skipped" if message.startswith(("SKIP_", "Disabled")) else "failed"
            output = output or message
        runs.append(TestRun(case.get("name", ""), status, float(case.get("time") or 0), output))
    return runs


def labels_of(build: Build, arguments: list[str]) -> dict[str, list[str]]:
    """Which labels each test has; CTest's JUnit file does not tell."""
    said = output_of(["ctest", "--test-dir", str(build.folder), "--show-only=json-v1", *arguments], 60) or "{}"
    try:
        tests = json.loads(said[said.index("{"):]).get("tests", [])
    except ValueError:
        return {}
    return {test["name"]: next((p["value"] for p in test.get("properties", []) if p["name"] == "LABELS"), [])
            for test in tests}


def count_by_label(runs: list[TestRun], labels: dict[str, list[str]]) -> list[list[str]]:
    counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for run in runs:
        for label in labels.get(run.name) or ["(no label)"]:
            counts[label][run.status] += 1
    return [[label, *(str(count[status]) for status in ("passed", "failed", "skipped"))]
            for label, count in sorted(counts.items())]


def summary_line(runs: list[TestRun]) -> str:
    """`N passed, N failed`, and the skipped ones if there are any: the line that machines read."""
    count = collections.Counter(run.status for run in runs)
    skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
    return f"{count['passed']} passed, {count['failed']} failed{skipped}"


def print_failures(runs: list[TestRun]) -> None:
    failed = [run for run in runs if run.status == "failed"]
    for run in failed[:SHOWN_FAILURES]:
        print(f"FAILED {run.name}")
        lines = run.output.strip().splitlines()
        if len(lines) > OUTPUT_LINES:
            print(f"    … {len(lines) - OUTPUT_LINES} lines before this")
        for line in lines[-OUTPUT_LINES:]:
            print("    " + line)
    for run in failed[SHOWN_FAILURES:]:
        print(f"FAILED {run.name}")


def reasons(run: TestRun) -> list[str]:
    """Why a test was skipped, or parts of it."""
    lines = run.output.strip().splitlines()
    said = [line[len(SKIPPED):] for line in lines if line.lower().startswith(SKIPPED)]
    return said or (lines[-1:] or ["it does not say why"] if run.status == "skipped" else [])


def print_skips(runs: list[TestRun]) -> None:
    for run in runs:
        for reason in reasons(run):
            print(f"SKIPPED {run.name}: {reason}")


def run(workbook: Workbook, arguments) -> int:
    from . import render

    if not (workbook.root / "common/tests/unit_test_main.cpp").exists():
        raise Problem("This copy of the workbook has no tests of its own.", ["./warpbook check LAB checks your file."])
    setup = machine_setup.ensure(workbook.root)
    backend = choose()
    preset_name = arguments.preset or backend.preset
    print(f"Preset {preset_name}. {'' if arguments.preset else backend.reason}".rstrip(), flush=True)
    nvcc = find_nvcc()[0] if preset_name.startswith("cuda") else ""
    build = Build(workbook, preset_name, setup, nvcc)
    junit = build.folder / "junit.xml"
    with build.locked():
        try:
            build.build()
        except Problem as problem:
            problem.status = NOT_YET  # here the workbook is what is tested
            raise
        junit.unlink(missing_ok=True)
        preset = build.test_arguments()
        outcome = build.ctest([*preset, "--test-output-size-passed", str(PASSED_OUTPUT), "--output-junit", str(junit)], "test", "Testing")
        labels = labels_of(build, preset)
    runs = read_junit(junit)
    if not runs:
        raise Problem("No test ran:", outcome.lines[-12:], NOT_YET)
    render.print_table(count_by_label(runs, labels), "Tests by label (a test can have several)",
                       ["Label", "Passed", "Failed", "Skipped"], right=("Passed", "Failed", "Skipped"))
    print_skips(runs)
    print_failures(runs)
    failed = any(run.status == "failed" for run in runs)
    passed = any(run.status == "passed" for run in runs)
    if outcome.status != 0 and not failed:
        print(f"ctest ended with status {outcome.status}; its last lines:", *outcome.lines[-8:], sep="\n  ")
    print(f"Total time {outcome.seconds:.1f} s; JUnit report: {workbook.shown(junit)}")
    print(summary_line(runs), flush=True)
    # Without a GPU the tests of cuda-ci all skip, and that it compiled is what was tested.
    enough = passed or preset_name == "cuda-ci"
    return SUCCESS if outcome.status == 0 and enough and not failed else NOT_YET
