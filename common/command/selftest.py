"""./warpbook test: the workbook's own tests, all of them, as CI runs them."""
from __future__ import annotations

import collections
import dataclasses
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

from . import kept, machine_setup, progress, times
from .backend import choose, find_nvcc
from .build import Build
from .problem import NOT_YET, SUCCESS, Problem
from .probe import output_of
from .workbook import Workbook

OUTPUT_LINES = 40  # of one failed test
SHOWN_FAILURES = 20
LAUNCHER = "WARPBOOK_TEST_LAUNCHER"  # common/tests/environment.cmake puts its words in front of each test
SKIPPED = "skipped: "  # begins a line that says why
PASSED_OUTPUT = 1 << 16  # bytes that CTest keeps of a test that passes: it can have skipped parts


@dataclasses.dataclass
class TestRun:
    name: str
    status: str  # passed, failed or skipped
    seconds: float
    output: str
    is_kept: bool = False  # passed in an earlier run, and nothing that it depends on has changed


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


def tests_of(build: Build) -> list[dict]:
    """All tests that CTest knows, in its order, as `ctest --show-only=json-v1` describes them."""
    # CTest shows no command whose program is not built yet. It shows the one that a launcher is in front of.
    launcher = sys.executable
    said = output_of(["ctest", "--test-dir", str(build.folder), "--show-only=json-v1"], 120, {**build.environment, LAUNCHER: launcher}) or "{}"
    try:
        tests = json.loads(said[said.index("{"):]).get("tests", [])
    except ValueError:
        return []
    for test in tests:
        if test.get("command", [])[:2] == [launcher, test["name"]]:
            test["command"] = test["command"][2:]
    return tests


def labels_of(test: dict) -> list[str]:
    return kept.properties_of(test).get("LABELS", [])


def chosen_by(filters: dict[str, str], tests: list[dict]) -> set[str]:
    """The names of the tests that a test preset's filters choose by their labels, and of those that set up what they require."""
    def has(test: dict, pattern: str) -> bool:
        return any(re.search(pattern, label) for label in labels_of(test))

    include, exclude = filters.get("include"), filters.get("exclude")
    chosen = {test["name"] for test in tests if (not include or has(test, include)) and not (exclude and has(test, exclude))}
    return kept.with_fixtures(tests, chosen)


def needed_for(tests: list[dict], build: Build) -> list[str]:
    """What Ninja has to make before the tests can run: the files that their commands, variables and REQUIRED_FILES name.

    A test that names the build folder as a whole, and no REQUIRED_FILES, needs everything. One that holds the lock `build` makes
    its modules itself, and needs the programs that it names.
    """
    folder = str(build.folder)
    known = set(re.findall(r"^(.+?): ", output_of(["ninja", "-C", folder, "-t", "targets", "all"], 60) or "", re.MULTILINE))
    targets = {"lists", "wheel"}  # CTest's lists of tests; the programs, which no test may break
    for test in tests:
        properties = kept.properties_of(test)
        required = properties.get("REQUIRED_FILES", [])
        words = [*test.get("command", []), *required, *(value.partition("=")[2] for value in properties.get("ENVIRONMENT", []))]
        named = {word[len(folder) + 1:] for word in words if word.startswith(folder + "/")} & known
        if "build" in properties.get("RESOURCE_LOCK", []):
            named = {name for name in named if name.startswith("bin/")}
        elif folder in words and not required:
            return ["all"]
        targets |= named
    return sorted(targets)


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
    found = sum(run.is_kept for run in runs)
    of_them = f" ({found} of them kept)" if found else ""
    return f"{count['passed']} passed, {count['failed']} failed{skipped}{of_them}"


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


def verdicts_kept(build: Build, store: pathlib.Path) -> kept.Kept:
    cache = (build.folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
    return kept.Kept(store, build.workbook.root, build.folder, {**kept.options_of(cache), "preset": build.preset},
                     kept.environment(build.compiler, build.python))


def is_keepable(test: dict) -> bool:
    """Whether what a test found holds until something changes: a GPU is another one tomorrow."""
    return "gpu" not in labels_of(test)


def run_tests(build: Build, store: pathlib.Path, fresh: bool) -> tuple[list[TestRun], dict[str, list[str]], progress.Outcome]:
    """Builds what is needed and runs the tests of the preset. Returns what came of each, their labels, and how ctest ended."""
    build.prepare()
    verdicts = verdicts_kept(build, store)
    tests = verdicts.tests() if not fresh else None
    if tests is None:
        build.build(["lists"])
        tests = tests_of(build)
    labels = {test["name"]: labels_of(test) for test in tests}
    chosen = chosen_by(build.test_labels(), tests)
    keys = {test["name"]: verdicts.key(test) for test in tests if test["name"] in chosen and is_keepable(test)}
    entries = {} if fresh else {name: entry for name, key in keys.items() if (entry := verdicts.passed(key))}
    runs = [TestRun(name, "passed", entry.seconds, entry.output, True) for name, entry in entries.items()]
    left = [test for test in tests if test["name"] in chosen - set(entries)]
    if not left and runs:
        return runs, labels, progress.Outcome(0, [], 0)

    build.build(needed_for(left, build) if entries else None)
    numbers = {test["name"]: number for number, test in enumerate(tests_of(build), 1)}
    listed = build.folder / "tests-to-run.txt"
    listed.write_text(",".join(["0", "0", "0", *(str(numbers[test["name"]]) for test in left if test["name"] in numbers)]) + "\n")
    junit = junit_of(build)
    junit.unlink(missing_ok=True)
    outcome = build.ctest([*build.jobs_of_tests(), "-I", str(listed), "--test-output-size-passed", str(PASSED_OUTPUT), "--output-junit", str(junit)], "test", "Testing")
    run_now = read_junit(junit)
    if verdicts.is_as_it_was():  # else it is not clear which files they were about
        for each in run_now:
            if each.status == "passed" and each.name in keys:
                verdicts.keep(keys[each.name], each.name, each.seconds, "\n".join(SKIPPED + reason for reason in reasons(each)))
        if numbers and set(numbers) == set(labels):
            verdicts.keep_tests(tests)
        verdicts.clear_up()
    names = {each.name for each in run_now}
    return [*(each for each in runs if each.name not in names), *run_now], labels, outcome


def junit_of(build: Build) -> pathlib.Path:
    return build.folder / "junit.xml"


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
    store = kept.folder(workbook.build_root)
    build.environment.update(kept.compiler_cache(store, workbook.root))
    measured = times.Measured(build) if arguments.times else None
    with build.locked():
        try:
            runs, labels, outcome = run_tests(build, store, arguments.fresh or bool(measured))
        except Problem as problem:
            problem.status = NOT_YET  # here the workbook is what is tested
            raise
    if not runs:
        raise Problem("No test ran:", outcome.lines[-12:], NOT_YET)
    if measured:
        measured.print_table()
    render.print_table(count_by_label(runs, labels), "Tests by label (a test can have several)",
                       ["Label", "Passed", "Failed", "Skipped"], right=("Passed", "Failed", "Skipped"))
    print_skips(runs)
    print_failures(runs)
    failed = any(run.status == "failed" for run in runs)
    passed = any(run.status == "passed" for run in runs)
    if outcome.status != 0 and not failed:
        print(f"ctest ended with status {outcome.status}; its last lines:", *outcome.lines[-8:], sep="\n  ")
    print(f"Total time {outcome.seconds:.1f} s; JUnit report: {workbook.shown(junit_of(build))}")
    print(summary_line(runs), flush=True)
    # Without a GPU the tests of cuda-ci all skip, and that it compiled is what was tested.
    enough = passed or preset_name == "cuda-ci"
    return SUCCESS if outcome.status == 0 and enough and not failed else NOT_YET
