"""Whether the rows of common/command/kept.py cover what tests read: each test runs under strace, and every file of the tree
that it opens has to be one that its row lets it read, as does each source of the files of the build that it opens. Not seen are
files whose names or times alone count: those in listed folders, and those that git compares with its index.

    python3 common/tests/command/kept_audit.py BUILD [PATTERN...]

BUILD is a whole build, such as build/sim. The patterns are of tests' names; without one, the first test of each row runs, and each
of the command's. Exit status: 0 all is covered, 1 not, 77 skipped, with the reason.
"""
from __future__ import annotations

import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "common"))

from command import kept, selftest  # noqa: E402
from command.build import Build  # noqa: E402
from command.probe import output_of  # noqa: E402
from command.workbook import Workbook  # noqa: E402

#: A call that named a path and succeeded; with -y strace shows the folder that a relative one starts from, and what was opened.
_CALL = re.compile(r'^\d+ +(?:\w+)\((?:(?:AT_FDCWD|\d+)<(?P<at>[^>]*)>, )?"(?P<path>[^"]*)".* = \d+(?:<(?P<opened>.*)>)?$')
#: Python's bytecode stands for its source.
_BYTECODE = re.compile(r"(?:.*/pycache)?(?P<folder>/.*?)(?:/__pycache__)?/(?P<name>[^/]+)\.cpython-\d+\.pyc")
#: Tests that copy the tree, and run a part of the copy: that they open a file says nothing.
_COPYING = r"unit\.(wheel|documents)"


def opened(log: str) -> set[str]:
    """The paths that calls in strace's output have named."""
    found = set()
    for line in log.splitlines():
        call = _CALL.match(line)
        if call:
            path = call["opened"] or os.path.normpath(os.path.join(call["at"] or "/", call["path"]))
            bytecode = _BYTECODE.fullmatch(path)
            found.add(f"{bytecode['folder']}/{bytecode['name']}.py" if bytecode else path)
    return found


@functools.lru_cache(maxsize=None)
def sources_of(folder: pathlib.Path, path: str) -> set[str]:
    """Of a file that Ninja makes, the sources, without headers. Translations are left out, as tests speak English, and other mutants:
    those of a lab are composed in one go."""
    said = output_of(["ninja", "-C", str(folder), "-t", "inputs", os.path.relpath(path, folder)], 60, stderr=subprocess.DEVNULL) or ""
    name = pathlib.Path(path).stem.removeprefix("mutant-")
    return {os.path.normpath(folder / line) for line in said.splitlines()
            if not line.endswith(".po") and ("/mutants/" not in line or pathlib.Path(line).stem == name)}


def read_by(test: dict, folder: pathlib.Path, files: Iterable[str]) -> tuple[set[str], bool]:
    """The files of the tree that the test opens, and those of which a file is made that it opens in the build; whether it passed."""
    properties = kept.properties_of(test)
    variables = dict(each.partition("=")[::2] for each in properties.get("ENVIRONMENT", []))
    with tempfile.TemporaryDirectory() as scratch:
        log = pathlib.Path(scratch, "log")
        done = subprocess.run(["strace", "-f", "--seccomp-bpf", "-y", "-qq", "-s", "4096", "-e", "trace=open,openat,execve", "-o", log, *test["command"]],
                              cwd=properties.get("WORKING_DIRECTORY"), env={**os.environ, "WARPBOOK_LANGUAGE": "en", **variables},
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        paths = opened(log.read_text(errors="replace"))
    paths = paths.union(*(sources_of(folder, path) for path in paths if path.startswith(f"{folder}/")))
    inside = {os.path.relpath(path, ROOT) for path in paths if path.startswith(f"{ROOT}/")}
    return inside & set(files), done.returncode == 0


def main(folder: str, *patterns: str) -> int:
    if not shutil.which("strace"):
        print("Skipped: strace is not installed.")
        return 77
    build = Build(Workbook(ROOT), pathlib.Path(folder).name, {"compiler": "", "python": sys.executable})
    build.folder = pathlib.Path(folder).resolve()
    verdicts = kept.Kept(pathlib.Path(os.devnull), ROOT, build.folder, {}, {})
    files = kept.files_of(ROOT)
    rows: set[str] = set()
    chosen = []
    for test in selftest.tests_of(build):
        row = next((pattern for pattern, _ in kept.READS if re.fullmatch(pattern, test["name"])), None)
        if not row or re.fullmatch(_COPYING, test["name"]):
            continue
        if any(re.fullmatch(pattern, test["name"]) for pattern in patterns) if patterns else row not in rows or re.match(r"unit\.command-", test["name"]):
            rows.add(row)
            chosen.append(test)
    missed = 0
    for test in chosen:
        found, passed = read_by(test, build.folder, files)
        uncovered = sorted(found - verdicts.files_read_by(test))
        missed += bool(uncovered)
        print(f"{test['name']}: {len(found)} files read{'' if passed else ', and it failed'}; not in its row: {', '.join(uncovered) or 'none'}", flush=True)
    return 1 if missed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
