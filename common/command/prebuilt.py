"""A build whose programs are there already: those of an installed wheel, or of a checkout that several people use.

Of such a checkout one user has built the simulator, and others, who may not write there, name a build folder of their own
(WARPBOOK_BUILD or --build). What they compile and judge goes there.
"""
from __future__ import annotations

import pathlib

from . import compilation, grading
from .build import Build
from .problem import Problem
from .wheel import Wheel, hash_of_bench, sources_of_grader, sources_of_programs
from .workbook import Lab, Workbook

PRESET = "sim"  # a GPU's modules are compiled by what CMake has found out of this machine


class Prebuilt(Build):
    """`place` holds the programs' folder bin/, and the commands that compile submissions."""

    def __init__(self, workbook: Workbook, setup: dict, place: pathlib.Path, name: str):
        super().__init__(workbook, PRESET, setup)
        self.place = place
        self.folder = workbook.build_root / f"{PRESET}-{name}"

    def program(self, name: str) -> pathlib.Path:
        return self.place / "bin" / name

    def toolchain(self) -> compilation.Toolchain:
        return compilation.Toolchain(self.place / compilation.FILE, self.place / "bin", self.folder, self.compiler)

    def prepare(self) -> None:
        """There is nothing to configure."""

    def build(self, targets: list[str] | None = None, what: str = "Building") -> None:
        """There is nothing to build. Raises Problem where a program is missing."""
        for name in targets or []:
            if not self.program(name).exists():
                raise Problem(f"There is no program {name} in {self.place}, and none is built here.", ["Install the wheel again, or build from source."])

    def cached(self, name: str) -> str:
        return ""  # a prefix is the choice of whoever configured a folder for itself

    def contract_options(self, lab: Lab) -> list[str]:
        return ["--contract", str(lab.folder / "lab.hpp")]


class WheelBuild(Prebuilt):
    """With the programs of a wheel."""

    def __init__(self, workbook: Workbook, setup: dict, found: Wheel):
        super().__init__(workbook, setup, found.folder, "wheel")
        self._wheel = found

    def can_measure(self, lab: Lab) -> bool:
        return hash_of_bench(self.workbook.root, lab.folder) == self._wheel.said["benches"].get(lab.name)

    def resources(self) -> list[pathlib.Path]:
        return [self.place]


class SharedBuild(Prebuilt):
    """With the programs of the checkout's own build folder, and the compiler that they were built for."""

    def __init__(self, workbook: Workbook, setup: dict):
        super().__init__(workbook, {**setup, "compiler": ""}, workbook.root / "build" / PRESET, "shared")

    def is_current(self, lab: Lab) -> bool:
        """Whether the checkout's programs for `lab` are there and newer than what they are made from.

        Ninja could tell exactly, but not without writing.
        """
        try:
            built = max(self.program(name).stat().st_mtime_ns for name in grading.grading_targets(lab, [PRESET]))
        except OSError:
            return False
        sources = [*sources_of_programs(self.workbook.root), *sources_of_grader(lab.folder)]
        return self.toolchain().is_there() and all(path.stat().st_mtime_ns <= built for path in sources)
