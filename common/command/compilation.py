"""Compiles submissions into modules: by one command for each backend, and again only when what a module was made from has changed.

Whatever compiles a submission does it here: check, watch, see, bench, demo, grade, and CTest's fixture NN.NAME.BACKEND:builds, which is

  python3 -m command.compilation --root WORKBOOK --build-dir DIR --lab LAB --name NAME --backend BACKEND --source FILE.cu

Who brings the programs makes no difference: one's own build, an installed wheel, or the build of another user.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable

from . import files, progress, student_file
from .language import _
from .problem import Problem
from .student_file import BuildFailure
from .workbook import Lab, Workbook

#: What CMake writes into a build folder: lists of words by backend (cuda_relocatable: for labs whose kernels launch kernels) with
#: @SOURCE@, @OUTPUT@, @DEPFILE@, @LAB_FOLDER@, @CONTRACT@, @PROGRAMS@, @PRECOMPILED@ and @COMPILER@ in them, and the `compiler`.
FILE = "submission-commands.json"
KINDS = {"starter": "starter", "solution": "solution"}  # every other submission is a hand-in
_GRAIN = 20_000_000  # ns by which a file system's clock may be behind

#: Runs a command: its status, and what it said.
Run = Callable[[list], "tuple[int, str]"]


@dataclasses.dataclass(frozen=True)
class Submission:
    """One file to grade: its name (starter, solution, check, handin-alice), and where it lies.

    `modules` is the folder of its modules BACKEND.so, if that is not the build's own; `called` is what readers call the file.
    `compiled` is what is compiled in its place, which was composed of `parts`.
    """

    lab: Lab
    name: str
    source: pathlib.Path
    modules: pathlib.Path | None = None
    called: str = ""
    compiled: pathlib.Path | None = None
    parts: tuple[pathlib.Path, ...] = ()

    @property
    def kind(self) -> str:
        return KINDS.get(self.name, "handin")

    def shown(self, workbook: Workbook) -> str:
        return self.called or workbook.shown(self.source)

    def module(self, build, backend: str) -> pathlib.Path:
        if self.modules:
            return self.modules / f"{backend}.so"
        return build.folder / "submissions" / self.lab.number / backend / f"{self.name}.so"


class Toolchain:
    """What compiles submissions: `programs` is the folder of simtcc; the `commands` are FILE; precompiled headers go into `folder`.
    `compiler` is the host compiler, if it is not the one that the commands were written for."""

    def __init__(self, commands: pathlib.Path, programs: pathlib.Path, folder: pathlib.Path, compiler: str = ""):
        self._commands, self._programs, self._folder, self._compiler = commands, programs, folder, compiler

    def is_there(self) -> bool:
        return (self._programs / "simtcc").exists() and self._commands.exists()

    @functools.cached_property
    def _known(self) -> dict:
        known = files.read_json(self._commands)
        if not isinstance(known, dict):
            raise Problem(f"{self._commands} cannot be read: it says how submissions are compiled.",
                          ["Configure the workbook again: delete the build folder and try again."])
        return known

    @property
    def compiler(self) -> str:
        return self._compiler or self._known.get("compiler", "c++")

    def template(self, backend: str, lab: Lab) -> list[str]:
        """The command's words, with placeholders."""
        name = "cuda_relocatable" if backend == "cuda" and lab.facts.relocatable else backend
        if not isinstance(self._known.get(name), list):
            raise Problem(f"{self._commands} does not say how a submission is compiled for {name}.")
        return self._known[name]

    def command(self, backend: str, submission: Submission, output: pathlib.Path) -> list[str]:
        """What makes the module `output`, and lists the files that it was made from in `output`.d."""
        lab = submission.lab
        values = {"@SOURCE@": submission.compiled or submission.source, "@OUTPUT@": output, "@DEPFILE@": f"{output}.d",
                  "@LAB_FOLDER@": lab.folder, "@CONTRACT@": lab.folder / "lab.hpp", "@PROGRAMS@": self._programs,
                  "@PRECOMPILED@": self._folder / "precompiled", "@COMPILER@": self.compiler}
        words = [re.sub("@[A-Z_]+@", lambda found: str(values[found[0]]), word) for word in self.template(backend, lab)]
        after = words.index("--submission") + 1 if submission.parts else 0
        return words[:after] + [word for part in submission.parts for word in ("--part", str(part))] + words[after:]


def replay_of(output: pathlib.Path) -> pathlib.Path:
    """The module for a second, slow run of what has failed in the module `output`; a grader has it made when it needs it."""
    return output.with_suffix(".replay.so")


def replay_build(build, submission: Submission) -> str:
    """How it is made, as a grader's --replay takes it."""
    module = replay_of(submission.module(build, "sim"))
    words = build.toolchain().command("sim", submission, module)
    after = words.index("--submission") + 1
    return json.dumps({"command": [*words[:after], "--replay", "--processor-seconds", "20", *words[after:]], "module": str(module)})


def compile_with(run: Run, command: list[str], submission: Submission, output: pathlib.Path, workbook: Workbook) -> BuildFailure | None:
    """Has the command make the module `output`. Returns why it did not, or None."""
    status, said = run(command)
    if status == 0 and output.exists():
        if said:
            files.write(said_of(output), said)
        return None
    shown = submission.shown(workbook)
    return student_file.failure_from(status, said.replace(str(submission.source), shown), shown, workbook.root)


class Compiling:
    """Compiles submissions beside each other.

    Within it the programs that compile are brought up to date, and finish() says what could not be compiled. Where they are there,
    compiling begins at once: what they made is made again if they turn out to have been old. `made` hears of each module that is
    there, from another thread.
    """

    def __init__(self, build, wanted: Iterable[tuple[Submission, str]], made: Callable[[Submission, str], None] = lambda submission, backend: None):
        self._build, self._wanted, self._made = build, list(wanted), made
        self._are_current = threading.Event()  # the programs
        self._running = progress.Running()
        self._pool = concurrent.futures.ThreadPoolExecutor(progress.processors())
        self._futures: list[concurrent.futures.Future] = []

    def __enter__(self) -> Compiling:
        if self._build.toolchain().is_there():
            self._begin()
        return self

    def __exit__(self, kind, *problem) -> None:
        if kind:
            self._running.end()
        self._are_current.set()
        self._pool.shutdown()

    def _begin(self) -> None:
        self._futures = [self._pool.submit(self._one, *pair) for pair in self._wanted]

    def finish(self, with_progress: bool) -> dict[tuple[Submission, str], BuildFailure]:
        """What could not be compiled. From now on the programs are as they are to be."""
        self._are_current.set()
        if not self._futures:
            self._begin()
        is_quick = all(future.done() for future in self._futures)
        shown = progress.Progress(_("Compiling") if with_progress and not is_quick else "")
        shown.step(0, len(self._futures))
        for done, future in enumerate(concurrent.futures.as_completed(self._futures), 1):
            future.result()
            shown.step(done, len(self._futures))
        shown.close()
        found = ((pair, future.result()) for pair, future in zip(self._wanted, self._futures))
        return {pair: failure for pair, failure in found if failure}

    def _one(self, submission: Submission, backend: str) -> BuildFailure | None:
        output = submission.module(self._build, backend)
        failure, made_by = None, None
        while made_by != (now := _made_by(self._build.toolchain().command(backend, submission, output))):
            made_by, begun = now, time.time_ns() - _GRAIN
            is_new = not is_current(output, made_by)
            failure = self._compile(made_by[0], submission, output) if is_new else None
            self._are_current.wait()
        if failure is None and not self._running.is_ended:
            self._made(submission, backend)
            if is_new:
                keep(output, made_by, begun)
        return failure

    def _compile(self, command: list[str], submission: Submission, output: pathlib.Path) -> BuildFailure | None:
        output.parent.mkdir(parents=True, exist_ok=True)
        replay = replay_of(output)
        for path in (record_of(output), said_of(output), replay, replay.with_name(f"{replay.name}.lock"), output):
            path.unlink(missing_ok=True)
        build = self._build
        return compile_with(lambda words: self._running.run(words, build.environment, build.folder), command, submission, output, build.workbook)


# ---- what a module was made from ---------------------------------------------------------------------------


def record_of(output: pathlib.Path) -> pathlib.Path:
    return output.with_suffix(".json")


def said_of(output: pathlib.Path) -> pathlib.Path:
    """The compiler's messages about a module that it has made."""
    return output.with_suffix(".said")


def warnings(build, submission: Submission, backends: Iterable[str]) -> list[student_file.Warned]:
    """What a compiler warned of in the file when its module was made: the first one that had something to say."""
    for backend in backends:
        said = said_of(submission.module(build, backend))
        if said.exists():
            return student_file.warnings_in(said.read_text(encoding="utf-8", errors="replace"), str(submission.compiled or submission.source))
    return []


def _made_by(command: list[str]) -> list:
    """The command, and simtcc and the compilers that it runs as they are now."""
    programs = [shutil.which(word) for before, word in zip(["--nvcc", *command], command) if before in ("--cxx", "--nvcc")]
    return [command, [[program, *files.stamp(os.path.realpath(program))] for program in programs if program]]


def is_current(output: pathlib.Path, made_by: list) -> bool:
    """Whether the module was made by the same command from files that say what they said."""
    try:
        kept = files.read_json(record_of(output))
        return (output.exists() and kept["by"] == made_by
                and all(files.stamp(name) == stamp or files.digest(name) == said for name, (stamp, said) in kept["files"].items()))
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def _names_in(depfile: str) -> list[str]:
    """The files of a depfile as simtcc writes it, with one rule, whose target has no colon in its name."""
    names = (line.strip().removesuffix("\\").strip() for line in depfile.split(":", 1)[1].split("\n"))
    return [name.replace("\\ ", " ").replace("\\#", "#").replace("$$", "$") for name in names if name]


def keep(output: pathlib.Path, made_by: list, begun: int) -> None:
    """Remembers what a module was made from. What was saved while it was compiled is compiled again the next time."""
    try:
        names = _names_in(pathlib.Path(f"{output}.d").read_text(encoding="utf-8", errors="surrogateescape"))
    except (OSError, IndexError):
        return
    made_from = {name: (files.stamp(name), files.digest(name)) for name in names}
    if all(stamp and stamp[0] < begun for stamp, _said in made_from.values()):
        files.write(record_of(output), json.dumps({"by": made_by, "files": made_from}))


# ---- for CTest ---------------------------------------------------------------------------------------------


def _of_build(root: pathlib.Path, folder: pathlib.Path, lab: str, name: str, source: pathlib.Path):
    """The build in the folder, and the file as its submission."""
    from .build import Build

    workbook = Workbook(root)
    build = Build(workbook, folder.name, {"compiler": "", "python": sys.executable})
    build.folder = folder
    return build, Submission(workbook.lab(lab[:2]), name, source)


def replay_option(root: pathlib.Path, folder: pathlib.Path, lab: str, name: str, source: pathlib.Path) -> str:
    """What a grader takes as --replay for a file that compiled() has compiled for the simulator."""
    build, submission = _of_build(root, folder, lab, name, source)
    return replay_build(build, submission)


def compiled(root: pathlib.Path, folder: pathlib.Path, lab: str, name: str, backend: str, source: pathlib.Path) -> BuildFailure | None:
    """Compiles a student's file with the programs in the build folder, into its folder of submissions; returns why it could not."""
    build, submission = _of_build(root, folder, lab, name, source)
    workbook = build.workbook
    fault = student_file.fault_of(source, submission.shown(workbook), lab, submission.kind == "starter")
    if fault:
        return fault
    with Compiling(build, [(submission, backend)]) as compiling:
        return compiling.finish(False).get((submission, backend))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("root", "build-dir", "lab", "name", "backend", "source"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args(arguments)
    failure = compiled(pathlib.Path(options.root), pathlib.Path(options.build_dir), options.lab, options.name, options.backend,
                       pathlib.Path(options.source))
    if failure is None:
        return 0
    print(failure.reason, *failure.details, f"{options.lab[:2]}.{options.name}.{options.backend} does not build ({failure.diagnosis})", sep="\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
