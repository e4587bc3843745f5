"""./warpbook test --times: where the processor time of a build and its tests goes."""
from __future__ import annotations

import collections
import json
import re
import shutil

from .build import Build

#: Names that are one row, with the pattern's groups in the row's name.
_ROWS = [(r".*/modules/(\d\d)/(\w+)/(starter|check|solution|step|mutant|accepted|fault|peer)\b.*", "modules of lab {0}, {1}: {2}"),
         (r".*/?common/tests/(\w+)/.*-clang\.so", "modules of common/tests/{0}, clang++"),
         (r".*/?common/tests/(\w+)/.*\.so", "modules of common/tests/{0}"),
         (r"bin/(test-.*|\w+_test)", "programs of the tests, linked"),
         (r"(?:.*/)?common/tests/.*\.dir/.*", "programs of the tests, compiled"),
         (r"(?:.*/)?CMakeFiles/([\w.-]+)\.dir/.*", "{0}, compiled"),
         (r"bin/.*|.*\.a", "programs and libraries, linked"),
         (r"(\d\d)\.(starter|solution|step|mutant|accepted|fault)\b.*", "tests {0}.{1}*"),
         (r"(golden|program|fuzz)\..*", "tests {0}.*"),
         (r"(\d\d):.*", "tests {0}:*"),
         (r"unit\.(simt|simtcc)-.*-clang", "tests unit.{0}-*-clang"),
         (r"unit\.(simt|simtcc)-.*", "tests unit.{0}-*")]


def row_of(name: str) -> str:
    for pattern, row in _ROWS:
        found = re.fullmatch(pattern, name)
        if found:
            return row.format(*found.groups())
    return name


class Measured:
    """A build in a folder of its own, whose commands and tests are measured."""

    def __init__(self, build: Build):
        build.folder = build.folder.with_name(build.folder.name + "-times")
        shutil.rmtree(build.folder, ignore_errors=True)
        self._file = build.folder / "times.jsonl"
        launcher = build.workbook.root / "common/cmake/timed.py"
        build.options.append(f"-DWARPBOOK_TIMES={self._file}")
        build.environment["WARPBOOK_TEST_LAUNCHER"] = ";".join([build.python, "-B", str(launcher), str(self._file)])
        build.environment["CCACHE_DISABLE"] = "1"

    def rows(self) -> list[tuple[str, int, float]]:
        """Name, number of commands and processor seconds, the largest last."""
        seconds: collections.Counter = collections.Counter()
        number: collections.Counter = collections.Counter()
        for line in self._file.read_text(encoding="utf-8").splitlines():
            name, spent = json.loads(line)
            seconds[row_of(name)] += spent
            number[row_of(name)] += 1
        return [(row, number[row], spent) for row, spent in sorted(seconds.items(), key=lambda each: each[1])]

    def print_table(self) -> None:
        from . import render

        rows = self.rows()
        total = sum(spent for _, _, spent in rows) or 1
        render.print_table([[row, str(number), f"{spent:.1f}", f"{100 * spent / total:.1f}"] for row, number, spent in rows],
                           f"Processor seconds of the build and the tests: {total:.0f}", ["What", "Commands", "Seconds", "%"],
                           right=("Commands", "Seconds", "%"))
