"""An installed wheel `warpbook`: where it is, and whether its programs are those of this workbook. Standard library only.

The package warpbook (common/wheel) holds the programs that a build would make, and wheel.json, which says what they were made from.
"""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import sys
from collections.abc import Iterable

from . import build_folder, files

FILE = "wheel.json"  # in the package's folder; a program of a wheel finds what it needs by it, too (common/process/installed.hpp)
ARCHIVE = "workbook.tar.gz"  # beside it: the workbook as students get it
#: What the programs are made from, below common/; the labs' own files come on top of it.
FOLDERS = ("call", "cmake", "confine", "grader", "process", "runner", "simt", "text", "timing", "yardsticks")
_NO_SOURCES = (".md", ".pyc", ".bak", ".orig", ".rej", "~")  # texts, and what Python, editors and git leave behind
#: What a bench is made from besides, below common/ and in the folder of its lab.
_BENCH, _SWEEP = "bench", "bench.cpp"
#: Of a lab's own files, what its grader is made from: contract, messages and rubric (warpbook_add_lab() in common/cmake/Warpbook.cmake
#: has the same names), and the files beside them that these include. lab.json is none of it: a grader reads nothing there, the command
#: reads it in the workbook, and what CMake makes of it is about CUDA's compiler alone.
_GRADER = ("lab.hpp", "messages.md", "grade.cpp", "grade_*.cpp", "scenes.cpp")
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


# ---- what programs are made from ---------------------------------------------------------------------------


def _sources(folder: pathlib.Path) -> list[pathlib.Path]:
    return [path for path in folder.rglob("*") if not path.name.endswith(_NO_SOURCES) and not path.name.startswith(".") and path.is_file()]


def sources_of_programs(root: pathlib.Path) -> list[pathlib.Path]:
    """All files of the tree at `root` that simulator, compiler and the graders' library are made from."""
    return [path for name in FOLDERS for path in _sources(root / "common" / name)]


def hash_of_programs(root: pathlib.Path) -> str:
    return files.digest_below(root, sources_of_programs(root))


def _with_included(folder: pathlib.Path, sources: Iterable[pathlib.Path]) -> set[pathlib.Path]:
    """The files, and those of the folder that they include, however deep. A header that only a student's file includes is none."""
    reached, waiting = set(), list(sources)
    while waiting:
        path = waiting.pop()
        if path not in reached and path.is_file():
            reached.add(path)
            waiting += [folder / os.fsdecode(name) for name in _INCLUDE.findall(path.read_bytes())]
    return reached


def sources_of_grader(folder: pathlib.Path) -> set[pathlib.Path]:
    """The files of a lab that its grader is made from."""
    return _with_included(folder, [path for pattern in _GRADER for path in folder.glob(pattern)])


def hash_of_lab(folder: pathlib.Path) -> str:
    return files.digest_below(folder, sources_of_grader(folder))


def hash_of_bench(root: pathlib.Path, folder: pathlib.Path) -> str:
    """Of what a lab's bench is made from, besides the programs and the lab's grader."""
    return files.digest_below(root, [*_sources(root / "common" / _BENCH), *_with_included(folder, [folder / _SWEEP]) - sources_of_grader(folder)])


def described(root: pathlib.Path, version: str, labs: Iterable[pathlib.Path]) -> dict:
    """What wheel.json says of programs that are made from the tree at `root`."""
    labs = sorted(labs)
    return {"version": version, "programs": hash_of_programs(root), "labs": {lab.name: hash_of_lab(lab) for lab in labs},
            "benches": {lab.name: hash_of_bench(root, lab) for lab in labs if (lab / _SWEEP).exists()}}


# ---- the installed one -------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Wheel:
    """The package's folder, and what its wheel.json says."""

    folder: pathlib.Path
    said: dict

    @property
    def version(self) -> str:
        return str(self.said.get("version", "?"))


def read(folder: pathlib.Path) -> Wheel | None:
    """The wheel in a package's folder, or None."""
    said = files.read_json(folder / FILE)
    kinds = {"programs": str, "labs": dict, "benches": dict}
    fits = isinstance(said, dict) and all(isinstance(said.get(key), kind) for key, kind in kinds.items())
    return Wheel(folder, said) if fits else None


def _giver(root: pathlib.Path) -> pathlib.Path:
    return root / "build" / "given-out-by.json"  # not elsewhere: it is about this copy of the workbook


def remember_giver(root: pathlib.Path, found: Wheel | None) -> None:
    """Leaves in a workbook that was given out which wheel and Python did it, for when their environment is not active."""
    _giver(root).unlink(missing_ok=True)
    if found:
        _giver(root).parent.mkdir(exist_ok=True)
        _giver(root).write_text(json.dumps({"package": str(found.folder), "python": sys.executable}) + "\n", encoding="utf-8")


def giver(root: pathlib.Path) -> dict[str, str]:
    """What remember_giver() has left: the paths `package` and `python`; {} if nothing."""
    said = files.read_json(_giver(root))
    names = ("package", "python")
    return {name: said[name] for name in names} if isinstance(said, dict) and all(isinstance(said.get(name), str) for name in names) else {}


def places(root: pathlib.Path) -> list[pathlib.Path]:
    """Where the package may be: with the Python that runs, in the virtual environment that is active, in that of the build folder, where it
    was when this workbook was given out."""
    found = [pathlib.Path(folder) / "warpbook" for folder in sys.path if folder]
    for environment in (os.environ.get("VIRTUAL_ENV", ""), os.path.join(build_folder.of(root), "venv")):
        if environment:
            found += sorted(pathlib.Path(environment).glob("lib/python3*/site-packages/warpbook"))
    if by := giver(root):
        found.append(pathlib.Path(by["package"]))
    return list(dict.fromkeys(found))


def installed(root: pathlib.Path) -> list[Wheel]:
    """The wheels that are installed here, the nearest first."""
    return [found for place in places(root) if (found := read(place))]
