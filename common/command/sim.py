"""./warpbook sim FILE... [-- ARGUMENT...]: builds a whole CUDA program, once, and runs it on the simulator."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import shutil
import site
import subprocess
import sys
import time

from . import build_choice, compilation, files
from .backend import Backend
from .build import Build
from .problem import NOT_YET, SETUP, Problem
from .workbook import Workbook

#: simtcc's options whose value is the next word.
_BUILD_VALUES = ("--cccl", "-I", "-D", "-U", "-L", "-l", "-isystem", "-include", "-std", "--std", "-gencode", "--generate-code",
                 "-arch", "--gpu-architecture", "-code", "--gpu-code", "-ccbin", "--compiler-bindir", "-maxrregcount",
                 "--maxrregcount", "-x", "-Xptxas", "--ptxas-options", "-Xcompiler", "--compiler-options")
_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c++", ".C", ".c")
_KEPT_PROGRAMS = 64  # builds in the cache; the least recently used ones go


@dataclasses.dataclass
class Request:
    """What the command line asks for."""

    files: list[str] = dataclasses.field(default_factory=list)
    arguments: list[str] = dataclasses.field(default_factory=list)
    build_options: list[str] = dataclasses.field(default_factory=list)
    run_options: list[str] = dataclasses.field(default_factory=list)
    json: bool = False
    only_build: bool = False


def cccl_folder() -> str | None:
    """NVIDIA's libcu++ where pip has put it, for this Python: the folder that holds cuda/std."""
    for base in [*site.getsitepackages(), site.getusersitepackages()]:
        for folder in sorted(pathlib.Path(base).glob("nvidia/cu*/include/cccl"), reverse=True) + [
                pathlib.Path(base) / "nvidia" / "cuda_cccl" / "include"]:
            if (folder / "cuda" / "std" / "detail" / "__config").exists():
                return str(folder)
    return None


def request(parsed) -> Request:
    """What the command's parser has read (cli.py), with the words that it left sorted into files and simtcc's options."""
    asked = Request(arguments=parsed.arguments, json=parsed.json, only_build=parsed.no_run)
    asked.run_options = [f"--{name.replace('_', '-')}" for name in ("json", "no_counters", "no_lines", "every_launch")
                         if getattr(parsed, name)]
    asked.run_options += [f"--{name}={value}" for name in ("schedule", "seed", "steps", "limit", "memory") if (value := getattr(parsed, name)) is not None]
    words = list(parsed.words)
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            asked.files.append(word)
            continue
        asked.build_options.append(word)
        if word in _BUILD_VALUES and words:
            asked.build_options.append(words.pop(0))
    if "--cccl" not in asked.build_options and (folder := cccl_folder()):
        asked.build_options += ["--cccl", folder]
    return asked


def require_files(files: list[str]) -> None:
    if not files:
        raise Problem("./warpbook sim needs the program's source files.", ["./warpbook sim --help shows how they are named."])
    for name in files:
        path = pathlib.Path(name)
        if not path.exists():
            raise Problem(f"There is no file {name}.", ["What the program itself is to get stands behind --, as in: "
                                                        "./warpbook sim program.cu -- 1024"])
        if not path.is_file():
            raise Problem(f"{name} is not a file; sim takes the program's source files, one by one.")
        if path.suffix in (".cuh", ".h", ".hpp"):
            raise Problem(f"{name} is a header; name the source files, and they find it beside them.")
        if path.suffix not in _SOURCES:
            raise Problem(f"{name} is no CUDA, C++ or C source: its name does not end in .cu, .cpp, .cc or .c.")


def tree_state(folder: pathlib.Path) -> str:
    """Changes whenever a file below `folder` does. Looks at times and sizes, not into the files."""
    places = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    return files.digest_of(sorted([path, files.stamp(path)] for path in places))


class Simulator:
    """simtcc and simtrun, built if they are missing or older than the simulator's sources; and the programs that were built with them, by
    what they were built from: the command, simtcc, and the contents of every file involved."""

    def __init__(self, build: Build):
        self.build = build
        self.compiler = self.build.program("simtcc")
        self.runner = self.build.program("simtrun")
        self.folder = self.build.folder / "programs"
        self._stamp = self.folder / "tools.json"

    def bring_up_to_date(self) -> None:
        state = {"tree": tree_state(self.build.workbook.root / "common" / "simt"), "root": str(self.build.workbook.root), "tools": self._tools()}
        if all(state["tools"]) and files.read_json(self._stamp) == state:
            return
        with self.build.locked():
            self.build.build(["simtcc", "simtrun"], "Building the simulator")
        files.write(self._stamp, json.dumps({**state, "tools": self._tools()}))

    def _tools(self) -> list[list[int]]:
        return [files.stamp(path) for path in (self.compiler, self.runner)]

    def program(self, request: Request) -> pathlib.Path:
        """The module of the program, built now if it has to be."""
        host = self.build.compiler
        by = [os.getcwd(), host, files.stamp(host), request.build_options, request.files, files.digest(self.compiler)]
        module = self.folder / files.digest_of(by)[:24] / "program.so"
        if not compilation.is_current(module, by):
            self._build(request, module, by)
        os.utime(module.parent)
        return module

    def _build(self, request: Request, module: pathlib.Path, by: list) -> None:
        begun = time.time_ns()
        with files.replacing(module) as draft, files.replacing(module.with_name("program.so.d")) as listed:
            self._forget_old()
            command = [*self._command(request), "-MF", str(listed), "-MT", "program", "-o", str(draft), *request.files]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr if request.json else None,
                                  check=False)
            if done.returncode != 0:
                names = " ".join(request.files)
                raise Problem(f"{names} could not be built for the simulator.", [],
                              NOT_YET if done.returncode == 1 else SETUP)
            for old in (compilation.record_of(module), compilation.replay_of(module)):
                old.unlink(missing_ok=True)
        compilation.keep(module, by, begun)

    def _command(self, request: Request) -> list[str]:
        return [str(self.compiler), "--program", "--cxx", self.build.compiler, *request.build_options,
                "--precompiled", str(self.build.folder / "precompiled")]

    def second_run(self, request: Request, module: pathlib.Path) -> pathlib.Path:
        """A file that tells simtrun how the program is built to be run again, if there are findings."""
        replay = compilation.replay_of(module)
        told = {"build": [*self._command(request), "--replay", "-w", "-o", str(replay), *request.files], "module": str(replay)}
        path = module.with_suffix(".second.json")
        files.write(path, json.dumps(told))
        return path

    def _forget_old(self) -> None:
        entries = [path for path in self.folder.iterdir() if path.is_dir()]
        entries.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for path in entries[_KEPT_PROGRAMS:]:
            shutil.rmtree(path, ignore_errors=True)


def _built(workbook: Workbook, asked: Request) -> tuple[Simulator, pathlib.Path]:
    """What runs programs on the simulator, and the module of the one that is asked for."""
    simulator = Simulator(build_choice.chosen(workbook, Backend("sim", ""), []))
    simulator.bring_up_to_date()
    return simulator, simulator.program(asked)


def run(workbook: Workbook, parsed) -> int:
    asked = request(parsed)
    require_files(asked.files)
    simulator, module = _built(workbook, asked)
    if asked.only_build:
        print(workbook.shown(module))
        return 0
    name = "./" + pathlib.Path(asked.files[0]).stem
    again = [] if parsed.run_once else [f"--replay={simulator.second_run(asked, module)}"]
    command = [str(simulator.runner), *asked.run_options, *again, f"--name={name}", str(module), *asked.arguments]
    sys.stdout.flush()
    sys.stderr.flush()
    if not parsed.see:
        os.execv(command[0], command)
    return see(workbook, command, pathlib.Path(asked.files[0]).stem)


def traced(workbook: Workbook, parsed, trace: pathlib.Path) -> list[str]:
    """Builds and runs a program that `sim` was asked for, without showing its output, and has its accesses written to `trace`. Returns the
    last lines that it said."""
    asked = request(parsed)
    simulator, module = _built(workbook, asked)
    trace.parent.mkdir(parents=True, exist_ok=True)
    trace.unlink(missing_ok=True)
    command = [str(simulator.runner), f"--trace={trace}", f"--name=./{pathlib.Path(asked.files[0]).stem}", str(module)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.stdout.splitlines()[-20:]


def see(workbook: Workbook, command: list[str], name: str) -> int:
    """Runs the program, and makes a page of what its kernels did with memory. The status is the program's own."""
    from . import see as pages

    trace = workbook.build_root / "see" / f"{name}.jsonl"
    trace.parent.mkdir(parents=True, exist_ok=True)
    trace.unlink(missing_ok=True)
    done = subprocess.run([command[0], f"--trace={trace}", *command[1:]], check=False)
    if not pages.has_accesses(trace):
        print("No kernel has accessed memory, so that there is nothing to draw.", file=sys.stderr)
    else:
        page = trace.with_suffix(".html")
        pages.write_page(workbook, [trace], page)
        print(f"The page: {workbook.shown(page)}, which opens in any browser.", file=sys.stderr)
    return done.returncode if done.returncode >= 0 else 128 - done.returncode
