"""Which build a lab is checked with: one's own, the programs of an installed wheel, another user's build, or one from source.

A wheel's programs are used where they are made from the same files as this workbook would make them from; a hash says so.
"""
from __future__ import annotations

from collections.abc import Iterable

from . import grading, machine_setup, wheel
from .backend import Backend
from .build import Build
from .language import _
from .prebuilt import PRESET, SharedBuild, WheelBuild
from .workbook import Lab, Workbook


def fitting(workbook: Workbook, labs: Iterable[Lab]) -> tuple[wheel.Wheel | None, str]:
    """The installed wheel whose programs are those of this workbook and of `labs`; or None, and a sentence about the nearest one,
    if there is one."""
    why = ""
    for found in wheel.installed(workbook.root):
        said = unlike(found, workbook, labs)
        if not said:
            return found, ""
        why = why or said
    return None, why


def unlike(found: wheel.Wheel, workbook: Workbook, labs: Iterable[Lab]) -> str:
    """Why the programs of a wheel, which need not be installed, are not those of this workbook and of `labs`; "" if they are."""
    if found.said["programs"] != wheel.hash_of_programs(workbook.root):
        return _("The installed wheel warpbook {version} was made from another simulator or grader than this workbook has, so everything is built from source.",
                 version=found.version)
    for lab in labs:
        if lab.name not in found.said["labs"]:
            return _("The installed wheel warpbook {version} has no grader of {lab}, so that is built from source.", version=found.version, lab=lab.name)
        if found.said["labs"][lab.name] != wheel.hash_of_lab(lab.folder):
            return _("The rubric, contract or messages of {lab} are not those of the installed wheel warpbook {version}, so its grader is built from source.",
                     lab=lab.name, version=found.version)
    return ""


def _is_built_here(workbook: Workbook, preset: str, labs: Iterable[Lab]) -> bool:
    """Whether there is a build of one's own, which goes first. One that was interrupted before it could grade is none."""
    folder = workbook.build_root / preset
    programs = ["simtcc", *(f"grade-{lab.number}" for lab in labs)]
    return (folder / "build.ninja").exists() and all((folder / "bin" / name).exists() for name in programs)


def _wheel_for(workbook: Workbook, preset: str, labs: list[Lab]) -> tuple[wheel.Wheel | None, str]:
    return (None, "") if preset != PRESET or _is_built_here(workbook, preset, labs) else fitting(workbook, labs)


def set_up(workbook: Workbook, preset: str, labs: list[Lab]) -> dict:
    """machine_setup.ensure for the build that `labs` are graded with: with a wheel that fits, a compiler is enough."""
    found, why = _wheel_for(workbook, preset, labs)
    return machine_setup.ensure(workbook.root, with_wheel=found is not None, why=why)


def chosen(workbook: Workbook, backend: Backend, labs: list[Lab], may_share: bool = False, setup: dict | None = None) -> Build:
    """The build that `labs` are graded with, on a machine that has all that it needs, or as `setup` says. `may_share`: nothing is compiled
    but the student's own file, so another user's build will do."""
    found, why = _wheel_for(workbook, backend.preset, labs)
    setup = setup or machine_setup.ensure(workbook.root, with_wheel=found is not None, why=why)
    if found:
        return WheelBuild(workbook, setup, found)
    own = Build(workbook, backend.preset, setup, backend.nvcc)
    own.why = why
    if not may_share or backend.preset != PRESET or workbook.build_root == workbook.root / "build" or not own.needs_configuring():
        return own
    shared = SharedBuild(workbook, setup)
    return shared if all(shared.is_current(lab) for lab in labs) else own


def items_of(workbook: Workbook, lab: Lab) -> list[dict]:
    """The lab's rubric as a grader lists it that is there already; [] if none is."""
    nothing = {"compiler": "", "python": ""}
    for preset in (PRESET, "cuda"):
        items = grading.items_of(Build(workbook, preset, nothing), lab)
        if items:
            return items
    found, _why = fitting(workbook, [lab])
    return grading.items_of(WheelBuild(workbook, nothing, found), lab) if found else []
