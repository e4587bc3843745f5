"""A built tree that several people use: its programs are the checkout's, and what is written lies in a folder of one's own.

One user has built the checkout for the simulator, and others, who may not write there, name a build folder of their own
(WARPBOOK_BUILD or --build). Their modules are compiled by the checkout's simtcc into that folder, and judged by its graders
and runners; only the first has to build those.
"""
from __future__ import annotations

import pathlib

from . import grading, progress
from .build import Build
from .workbook import Lab, Workbook

PRESET = "sim"  # a GPU's modules are built by CMake's own rules, in a folder that it has configured
#: What simtcc, the simulator's runner and the graders are made from: folders of common/, and kinds of files.
_SOURCES = ("call", "grader", "runner", "simt", "timing", "yardsticks")
_SUFFIXES = {".cpp", ".hpp", ".h"}


class SharedBuild(Build):
    """Compiles modules into a folder of the user's with the programs of the checkout's build."""

    def __init__(self, workbook: Workbook, setup: dict):
        super().__init__(workbook, PRESET, setup)
        self.programs = workbook.root / "build" / PRESET
        self.rule = self.programs / "simtcc.ninja"
        self.folder = workbook.build_root / f"{PRESET}-shared"

    def program(self, name: str) -> pathlib.Path:
        return self.programs / "bin" / name

    def is_current(self, lab: Lab) -> bool:
        """Whether the checkout's programs for `lab` are there and newer than what they are made from.

        Ninja could tell exactly, but not without writing.
        """
        try:
            built = max(self.program(name).stat().st_mtime_ns for name in grading.grading_targets(lab, [PRESET]))
            self.rule.stat()
        except OSError:
            return False
        folders = [lab.folder, *(self.workbook.root / "common" / name for name in _SOURCES)]
        sources = (path for folder in folders for path in folder.rglob("*") if path.suffix in _SUFFIXES)
        return all(path.stat().st_mtime_ns <= built for path in sources)

    def prepare(self) -> None:
        """There is nothing to configure: the rule for modules is the checkout's."""

    def build(self, targets: list[str] | None = None, what: str = "Building") -> None:
        """There is nothing to build: the programs are the checkout's and up to date. Modules are built by ninja()."""

    def ninja(self, targets: list[str], what: str = "", on_line=None) -> progress.Outcome:
        """Builds those of `targets` that are modules of the user's files; the programs are there."""
        lines = [f"include {_escaped(self.rule)}"]
        wanted = []
        for target in targets:
            number, _, name = target.removesuffix(f".{PRESET}").partition(".")
            if not name:
                continue
            lab = self.workbook.lab(number)
            source = self.folder / "check" / f"{number}.cu" if name == grading.SLOT else lab.starter
            contract = lab.folder / "lab.hpp"
            module = f"modules/{number}/{PRESET}/{name}.so"
            lines += [f"build {module}: simtcc {_escaped(source)} | {_escaped(self.program('simtcc'))} {_escaped(contract)}",
                      f"  flags = {'--slot ' if name == grading.SLOT else ''}-I '{lab.folder}' -include '{contract}'"]
            wanted.append(module)
        (self.folder / "build.ninja").write_text("\n".join([*lines, ""]), encoding="utf-8")
        return progress.run(["ninja", "-C", str(self.folder), "-k", "0", *wanted], self.log("build"), what, self.environment,
                            self.workbook.root, on_line)

    def contract_options(self, lab: Lab) -> list[str]:
        return ["--contract", str(lab.folder / "lab.hpp")]

    def cached(self, name: str) -> str:
        return ""  # a prefix is the choice of whoever configured a folder for itself


def _escaped(path: pathlib.Path) -> str:
    """`path` as Ninja's files want it."""
    return str(path).replace("$", "$$").replace(" ", "$ ").replace(":", "$:")
