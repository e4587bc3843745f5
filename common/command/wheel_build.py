"""A build without CMake and Ninja: the programs are those of an installed wheel, and simtcc is called directly."""
from __future__ import annotations

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import threading
import time

from . import depfile, grading, progress
from .build import Build
from .language import _
from .problem import Problem
from .wheel import Prints, Wheel
from .workbook import Lab, Workbook

PRESET = "sim"
_GRAIN = 20_000_000  # ns by which a file system's clock may be behind
_CAUGHT_UP = "ninja: no work to do."


@dataclasses.dataclass(frozen=True)
class _Module:
    """A module to be made: `name` is its path below the build folder."""

    lab: Lab
    name: str
    source: pathlib.Path
    is_slot: bool


class WheelBuild(Build):
    """Compiles modules into a folder of its own with the programs of a wheel, which are there already."""

    def __init__(self, workbook: Workbook, setup: dict, wheel: Wheel, prints: Prints):
        super().__init__(workbook, PRESET, setup)
        self.wheel, self._prints = wheel, prints
        self.folder = workbook.build_root / f"{PRESET}-wheel"

    def program(self, name: str) -> pathlib.Path:
        return self.wheel.program(name)

    def prepare(self) -> None:
        """Writes how a submission is compiled, for those who do it themselves (classroom/engine.py)."""
        words = self._command("@SOURCE@", "@OUTPUT@", "@LAB_FOLDER@", "@CONTRACT@", "@OUTPUT@", "@DEPFILE@", False)
        text = json.dumps({PRESET: words}) + "\n"
        path = self.folder / "submission-commands.json"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def cached(self, name: str) -> str:
        if name != "WARPBOOK_SIM_COMPILER":
            return ""  # a prefix is the choice of whoever configured a folder for itself
        if not self.compiler:  # a part of a class is graded: with the compiler that prepare() has written down
            try:
                words = json.loads((self.folder / "submission-commands.json").read_text(encoding="utf-8"))[PRESET]
                return words[words.index("--cxx") + 1]
            except (OSError, ValueError, KeyError, IndexError):
                return ""
        return self.compiler

    def contract_options(self, lab: Lab) -> list[str]:
        return ["--contract", str(lab.folder / "lab.hpp")]

    def can_measure(self, lab: Lab) -> bool:
        return self._prints.bench(lab.folder) == self.wheel.said["benches"].get(lab.name)

    def resources(self) -> list[pathlib.Path]:
        return [self.wheel.folder]

    def build(self, targets: list[str] | None = None, what: str = "Building") -> None:
        outcome = self.ninja(targets or [], what)
        if outcome.status != 0:
            raise self.broken(outcome.lines)

    def ninja(self, targets: list[str], what: str = "", on_line=None) -> progress.Outcome:
        """Builds those of `targets` that are modules and not up to date. The outcome reads as Ninja's does: its lines begin with
        [1/2], and a command that failed with FAILED: and the module's path."""
        self.prepare()
        since = time.monotonic()
        lines: list[str] = []
        says = threading.Lock()
        stale = [module for module in map(self._module, targets) if module and not self._is_current(module)]
        shown = progress.Progress(_("Compiling")) if what else None  # nothing else is there to be built
        compiling = _Compiling()
        done = failed = 0

        def say(said: list[str]) -> None:
            for line in said:
                lines.append(line)
                if on_line:
                    on_line(line)

        def one(module: _Module) -> None:
            nonlocal done, failed
            command, status, said = self._compile(module, compiling)
            with says:
                done += 1
                failed += status != 0
                say([f"[{done}/{len(stale)}] simtcc {module.name}"])
                say([f"FAILED: {module.name}", shlex.join(command)] if status != 0 else [])
                say(said.splitlines())
                if shown:
                    shown.step(done, len(stale))

        try:
            with concurrent.futures.ThreadPoolExecutor(max(1, progress.processors())) as pool:
                try:
                    for future in [pool.submit(one, module) for module in stale]:
                        future.result()
                except BaseException:
                    compiling.end()
                    raise
        finally:
            if shown:
                shown.close()
        say([] if stale else [_CAUGHT_UP])
        log = self.log("build")
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("\n".join([f"$ simtcc of {self.wheel.folder}", *lines, ""]), encoding="utf-8")
        return progress.Outcome(1 if failed else 0, lines, time.monotonic() - since)

    def _module(self, target: str) -> _Module | None:
        """The module that a target of CMake's is, such as 01.starter.sim; None for a program, which is there."""
        number, _, name = target.removesuffix(f".{PRESET}").partition(".")
        if not name:
            if not self.program(target).exists():
                raise Problem(f"The wheel in {self.wheel.folder} has no program {target}.", ["Install it again."])
            return None
        lab = self.workbook.lab(number)
        kind, _, rest = name.partition("-")
        solutions = self.workbook.root / "solutions" / lab.name
        source = {"starter": lab.starter, "solution": self.workbook.solution(lab), "step": solutions / "steps" / f"{rest}.cu",
                  grading.SLOT: self.folder / "check" / f"{number}.cu"}.get(kind)
        if source is None:
            raise Problem(f"{target} is built from source alone, and not with a wheel's programs.")
        return _Module(lab, f"modules/{number}/{PRESET}/{name}.so", source, kind == grading.SLOT)

    def _command(self, source: str, output: str, folder: str, contract: str, target: str, listed: str, is_slot: bool) -> list[str]:
        """As warpbook_sim_command() in common/cmake/Warpbook.cmake has it."""
        return [str(self.program("simtcc")), "--submission", *(["--slot"] if is_slot else []), "--cxx", self.compiler, "--precompiled",
                str(self.folder / "precompiled"), "-I", folder, "-include", contract, "-MF", listed, "-MT", target, "-o", output, source]

    def _command_of(self, module: _Module) -> list[str]:
        output = str(self.folder / module.name)
        return self._command(str(module.source), output, str(module.lab.folder), str(module.lab.folder / "lab.hpp"), "module",
                             f"{output}.d", module.is_slot)

    def _made_by(self, module: _Module) -> list:
        """The command, and the programs that it runs as they are now."""
        compiler = shutil.which(self.compiler) or self.compiler
        return [self._command_of(module), _stamp(str(self.program("simtcc"))), _stamp(os.path.realpath(compiler))]

    def _is_current(self, module: _Module) -> bool:
        """Whether the module was made by the same command from files that are as they were."""
        try:
            kept = json.loads((self.folder / f"{module.name}.json").read_text(encoding="utf-8"))
            return ((self.folder / module.name).exists() and kept["by"] == self._made_by(module)
                    and all(_stamp(name) == then for name, then in kept["files"].items()))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return False

    def _compile(self, module: _Module, compiling: _Compiling) -> tuple[list[str], int, str]:
        """Makes a module: the command, its status, and what it said."""
        output = self.folder / module.name
        output.parent.mkdir(parents=True, exist_ok=True)
        kept = self.folder / f"{module.name}.json"
        kept.unlink(missing_ok=True)
        output.unlink(missing_ok=True)
        command, by, begun = self._command_of(module), self._made_by(module), time.time_ns() - _GRAIN
        status, said = compiling.run(command, self.environment, self.folder)
        if status == 0:
            files = {name: _stamp(name) for name in depfile.names(pathlib.Path(f"{output}.d").read_text(encoding="utf-8"))}
            # What was saved while it was compiled is compiled again the next time.
            if all(stamp and stamp[0] < begun for stamp in files.values()):
                kept.write_text(json.dumps({"by": by, "files": files}), encoding="utf-8")
        return command, status, said


class _Compiling:
    """The compilers at work, which end together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen] = set()
        self._ended = False

    def run(self, command: list[str], environment: dict[str, str], folder: pathlib.Path) -> tuple[int, str]:
        with self._lock:
            if self._ended:
                return 130, ""
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                       errors="replace", env=environment, cwd=folder, start_new_session=True)
            self._running.add(process)
        try:
            said, _ = process.communicate()
        finally:
            with self._lock:
                self._running.discard(process)
        return process.returncode, said

    def end(self) -> None:
        with self._lock:
            self._ended = True
            running = list(self._running)
        for process in running:
            progress.end_session(process)


def _stamp(path: str) -> list[int]:
    """When a file was changed, and its size; [] if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return []
    return [status.st_mtime_ns, status.st_size]
