"""Configures and builds one preset, and runs its tests."""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import sys

from . import build_folder, compilation, lock, progress
from .language import _
from .problem import Problem, disk_is_full
from .workbook import Lab, Workbook

MOST_TESTS = 16  # beside each other; further ones gain little, and need memory
HANGS = 900  # seconds after which a test is held to hang: no verdict depends on how fast the machine is


class Build:
    """<preset> in a workbook's build folder. `setup` is what machine_setup.ensure found."""

    def __init__(self, workbook: Workbook, preset: str, setup: dict, nvcc: str = ""):
        self.workbook = workbook
        self.preset = preset
        self.folder = workbook.build_root / preset
        self.compiler = setup["compiler"]
        self.python = setup["python"]
        self.why = ""  # a sentence on why this is built, although programs are there that could have been used
        self.environment = dict(os.environ)
        # The build folder is the command's matter, and the tools' output is read, searched and shown without colours.
        for name in (build_folder.VARIABLE, "CLICOLOR_FORCE", "CMAKE_COLOR_DIAGNOSTICS"):
            self.environment.pop(name, None)
        if self.compiler:
            self.environment.setdefault("CXX", self.compiler)
        if nvcc:
            self.environment.setdefault("CUDACXX", nvcc)
        self.environment.setdefault("CTEST_OUTPUT_ON_FAILURE", "1")
        self.options: list[str] = []  # further ones for CMake

    def locked(self) -> contextlib.AbstractContextManager[None]:
        """Keeps two commands out of one build folder: ninja in the same folder twice breaks both."""
        return lock.held(self.workbook, self.folder, ".warpbook-lock")

    def log(self, name: str) -> pathlib.Path:
        return self.folder / "log" / f"{name}.log"

    def _marker(self) -> pathlib.Path:
        return self.folder / ".warpbook-configured"

    def needs_configuring(self) -> bool:
        """Whether CMake has to run first. Later changes of CMakeLists.txt are ninja's to notice."""
        try:
            configured = self._marker().stat().st_mtime_ns
            presets = (self.workbook.root / "CMakePresets.json").stat().st_mtime_ns
            moved = self._marker().read_text() != str(self.workbook.root)
        except OSError:
            return True
        return moved or presets > configured or not (self.folder / "build.ninja").exists()

    def configure(self) -> None:
        """Runs CMake."""
        command = ["cmake", "--preset", self.preset, "-B", str(self.folder), f"-DPython3_EXECUTABLE={self.python}", *self.options]
        cache = self.folder / "CMakeCache.txt"
        home = f"CMAKE_HOME_DIRECTORY:INTERNAL={self.workbook.root}\n"
        if cache.exists() and home not in cache.read_text(errors="replace"):
            command.append("--fresh")  # the workbook was moved or copied with its build folder
        outcome = progress.run(command, self.log("configure"), env=self.environment, cwd=self.workbook.root)
        if outcome.status != 0:
            raise disk_is_full(outcome.lines, self.workbook.shown(self.folder)) or Problem(f"CMake could not configure the preset {self.preset}:",
                          [*progress.relevant(outcome.lines), self._see("configure")])
        self._marker().write_text(str(self.workbook.root))

    def prepare(self) -> None:
        """Configures, if that is needed."""
        if self.needs_configuring():
            is_first = not (self.folder / "build.ninja").exists()
            shown = self.workbook.shown(self.folder)
            if self.why:
                print(self.why, file=sys.stderr, flush=True)
            print(_("Configuring {folder}; the first build takes some minutes, the next ones seconds (none with a wheel: docs/wheel.md)", folder=shown) if is_first else
                  _("Configuring {folder}", folder=shown), file=sys.stderr, flush=True)
            self.configure()

    def build(self, targets: list[str] | None = None, what: str = "Building") -> None:
        """Configures if needed, then builds `targets` (by default what the preset names): parts of the workbook, and never a
        student's file (compilation.py)."""
        self.prepare()
        command = ["ninja", "-C", str(self.folder), "-j", str(progress.processors()), *(targets or self._preset("build").get("targets", []))]
        outcome = progress.run(command, self.log("build"), what, self.environment, self.workbook.root)
        if outcome.status != 0:
            raise disk_is_full(outcome.lines, self.workbook.shown(self.folder)) or Problem(
                "The workbook itself could not be built:", [*progress.relevant(outcome.lines), self._see("build")])

    def cached(self, name: str) -> str:
        """The value of a variable of CMake's cache, or an empty string."""
        try:
            text = (self.folder / "CMakeCache.txt").read_text(errors="replace")
        except OSError:
            return ""
        found = re.search(rf"^{re.escape(name)}:\w+=(.*)$", text, re.M)
        return found.group(1) if found else ""

    # `cmake --build --preset` and `ctest --preset` work in build/ beside the workbook and nowhere else.
    def _preset(self, kind: str) -> dict:
        """The build or test preset, with what it inherits."""
        presets = json.loads((self.workbook.root / "CMakePresets.json").read_text(encoding="utf-8"))
        named = {preset["name"]: preset for preset in presets[f"{kind}Presets"]}
        own = named.get(self.preset, {})
        return {**named.get(own.get("inherits"), {}), **own}

    def jobs_of_tests(self) -> list[str]:
        """How many tests run at a time, as ctest's options. Where they may run beside each other, the machine's size matters, too."""
        jobs = self._preset("test").get("execution", {}).get("jobs", 1)
        if jobs > 1:
            jobs = min(progress.processors(), MOST_TESTS) + 1  # some of them wait most of the time
        return ["--parallel", str(jobs)]

    def test_labels(self) -> dict[str, str]:
        """The patterns of labels by which the test preset includes and excludes tests."""
        filters = self._preset("test").get("filter", {})
        return {part: filters[part]["label"] for part in ("include", "exclude") if filters.get(part, {}).get("label")}

    def ctest(self, arguments: list[str], log: str, what: str = "") -> progress.Outcome:
        """Runs ctest in the build folder with `arguments`."""
        command = ["ctest", "--test-dir", str(self.folder), "--no-tests=error", "--timeout", str(HANGS), *arguments]
        return progress.run(command, self.log(log), what, self.environment, self.workbook.root)

    def program(self, name: str) -> pathlib.Path:
        return self.folder / "bin" / name

    def toolchain(self) -> compilation.Toolchain:
        """What compiles submissions, as it is now."""
        return compilation.Toolchain(self.folder / compilation.FILE, self.folder / "bin", self.folder)

    def contract_options(self, lab: Lab) -> list[str]:
        """Says to graders and benches in which workbook the lab lies, where that is not the one that they were built in."""
        return []

    def can_measure(self, lab: Lab) -> bool:
        """Whether the lab's bench can be built here."""
        return True

    def resources(self) -> list[pathlib.Path]:
        """What the programs that compile and run submissions read besides, for sandboxes: the lab's files excepted."""
        common = self.workbook.root / "common"
        return [self.program("simtcc"), common / "simt", common / "cmake"]

    def _see(self, log: str) -> str:
        return f"All of it: {self.workbook.shown(self.log(log))}"
