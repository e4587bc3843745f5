"""Makes sure that the machine has what Warpbook needs; remembers that it has."""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import platform

from . import build_folder, files, install, probe, requirements
from .problem import Problem

_STAMP_FORMAT = [requirement.name for requirement in requirements.ALL]  # a survey for others is of no use
_WHEEL_FORMAT = [requirement.name for requirement in requirements.WITH_WHEEL]


def refuse_other_systems(system: str = "", machine: str = "") -> None:
    """Warpbook runs on Linux (WSL2 included) on x86-64 only."""
    system = system or platform.system()
    machine = machine or platform.machine()
    if system == "Linux" and machine.lower() in ("x86_64", "amd64"):
        return
    raise Problem(
        f"Warpbook runs on Linux and WSL2 on x86-64; this is {system or 'an unknown system'} on {machine}.",
        ["With Docker or Podman it runs in a container:", *install.CONTAINER])


def _environment() -> dict[str, str]:
    return {name: os.environ.get(name, "") for name in ("PATH", "CXX", "CMAKE_PREFIX_PATH", "CPLUS_INCLUDE_PATH")}


def read_stamp(path: pathlib.Path, with_wheel: bool = False) -> dict | None:
    """The last complete survey, if nothing that it saw has changed since. One for a build from source has all that a wheel needs."""
    stamp = files.read_json(path)
    known = (_STAMP_FORMAT, _WHEEL_FORMAT) if with_wheel else (_STAMP_FORMAT,)
    try:
        current = (stamp["format"] in known and stamp["environment"] == _environment()
                   and all(then and files.stamp(file) == then for file, then in stamp["watched"].items()))
    except (KeyError, TypeError, AttributeError):
        return None
    return stamp if current else None


def write_stamp(path: pathlib.Path, machine: probe.Machine, with_wheel: bool = False) -> None:
    watched = {file: files.stamp(file) for finding in machine.findings for file in finding.watched}
    stamp = {"format": _WHEEL_FORMAT if with_wheel else _STAMP_FORMAT, "environment": _environment(), "watched": watched,
             "compiler": machine.compiler, "python": machine.python}
    with contextlib.suppress(OSError):  # without a stamp the next survey takes half a second
        files.write(path, json.dumps(stamp, indent=1))


def use_virtual_environment(root: pathlib.Path) -> None:
    """Puts the programs of the build folder's virtual environment, if there is one, on PATH; and a compiler of conda-forge's there."""
    places = [os.path.join(build_folder.of(root), name, "bin") for name in ("venv", install.COMPILER_FOLDER)]
    programs = [place for place in places if os.path.isdir(place)]
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if path[:len(programs)] != programs:
        os.environ["PATH"] = os.pathsep.join([*programs, *path])


def typed_build_folder(root: pathlib.Path) -> str:
    """The build folder as a user would type it: `build` in the workbook's own folder."""
    folder = build_folder.of(root)
    return os.path.relpath(folder) if os.path.dirname(folder) == os.getcwd() else folder


def ensure(root: pathlib.Path, with_wheel: bool = False, why: str = "") -> dict:
    """Returns {"compiler": ..., "python": ...} once everything is there; installs what is missing where it may.

    `with_wheel`: a wheel's programs are used, so that nothing is needed that only a build needs. `why` is a sentence on why no
    wheel is, where one is installed.
    """
    refuse_other_systems()
    use_virtual_environment(root)
    path = pathlib.Path(build_folder.of(root)) / "setup.json"
    stamp = read_stamp(path, with_wheel)
    if stamp:
        return stamp
    machine = probe.survey(root, with_wheel)
    if machine.missing():
        try:
            install.install(machine.missing(), typed_build_folder(root))
        except Problem as problem:
            raise Problem(f"{why} {problem.sentence}" if why else problem.sentence, problem.details, problem.status) from None
        machine = probe.survey(root, with_wheel)
        if machine.missing():
            raise Problem("The packages are installed, but Warpbook still cannot use:",
                          [*install.describe(machine.missing()), "`./warpbook doctor` shows what was found where."])
        install.say("Everything is there now.")
    write_stamp(path, machine, with_wheel)
    return {"compiler": machine.compiler, "python": machine.python}
