"""Whether the rows of common/command/kept.py cover what tests read: each test runs under strace, and every file of the tree
that it opens has to be one that its row lets it read.

    python3 common/tests/command/kept_audit.py BUILD [PATTERN...]

BUILD is a whole build, such as build/sim. The patterns are of tests' names; without one, the first test of each row runs. Exit
status: 0 all is covered, 1 not, 77 skipped, with the reason.
"""
from __future__ import annotations

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
from command.workbook import Workbook  # noqa: E402

#: A call that named a path and succeeded; with -y strace shows the folder that a relative one starts from.
_CALL = re.compile(r'^\d+ +(?:\w+)\((?:(?:AT_FDCWD|\d+)<(?P<at>[^>]*)>, )?"(?P<path>[^"]*)".* = [0-9]')


def opened(log: str) -> set[str]:
    """The paths that calls in strace's output have named."""
    found = set()
    for line in log.splitlines():
        call = _CALL.match(line)
        if call:
            found.add(os.path.normpath(os.path.join(call["at"] or "/", call["path"])))
    return found


def read_by(test: dict, files: Iterable[str]) -> tuple[set[str], bool]:
    """The files of the tree that the test opens, and whether it passed."""
    properties = kept.properties_of(test)
    variables = dict(each.partition("=")[::2] for each in properties.get("ENVIRONMENT", []))
    with tempfile.TemporaryDirectory() as scratch:
        log = pathlib.Path(scratch, "log")
        done = subprocess.run(["strace", "-f", "-y", "-qq", "-s", "4096", "-e", "trace=open,openat,execve", "-o", log, *test["command"]],
                              cwd=properties.get("WORKING_DIRECTORY"), env={**os.environ, "WARPBOOK_LANGUAGE": "en", **variables},
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        paths = opened(log.read_text(errors="replace"))
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
    rows: dict[str, dict] = {}
    for test in selftest.tests_of(build):
        row = next((pattern for pattern, _ in kept.READS if re.fullmatch(pattern, test["name"])), None)
        if row and (any(re.fullmatch(pattern, test["name"]) for pattern in patterns) if patterns else row not in rows):
            rows[test["name"] if patterns else row] = test
    missed = 0
    for test in rows.values():
        found, passed = read_by(test, files)
        uncovered = sorted(found - verdicts.files_read_by(test))
        missed += bool(uncovered)
        print(f"{test['name']}: {len(found)} files read{'' if passed else ', and it failed'}; not in its row: {', '.join(uncovered) or 'none'}", flush=True)
    return 1 if missed or not rows else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
