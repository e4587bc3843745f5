"""Which build a lab is checked with: one's own, the programs of an installed wheel, another user's build, or one from source.

A wheel's programs are used where they are made from the same files as this workbook would make them from; a hash says so.
"""
from __future__ import annotations

from collections.abc import Iterable

from . import grading, machine_setup, wheel
from .build import Build
from .language import _
from .prebuilt import PRESET, SharedBuild, WheelBuild
from .workbook import Lab, Workbook


def _prints(workbook: Workbook) -> wheel.Prints:
    return wheel.Prints(workbook.root, workbook.build_root / "wheel-hashes.json")


def fitting(workbook: Workbook, labs: Iterable[Lab]) -> tuple[wheel.Wheel | None, str]:
    """The installed wheel whose programs are those of this workbook and of `labs`; or None, and a sentence about the nearest one,
    if there is one."""
    why, prints = "", None
    for found in wheel.installed(workbook.root):
        prints = prints or _prints(workbook)
        said = _unlike(found, prints, labs)
        if not said:
            return found, ""
        why = why or said
    return None, why


def _unlike(found: wheel.Wheel, prints: wheel.Prints, labs: Iterable[Lab]) -> str:
    """Why the programs of a wheel are not those of this workbook; "" if they are."""
    if found.said["programs"] != prints.programs():
        return _("The installed wheel warpbook {version} was made from another simulator or grader than this workbook has, so everything is built from source.",
                 version=found.version)
    for lab in labs:
        if lab.name not in found.said["labs"]:
            return _("The installed wheel warpbook {version} has no grader of {lab}, so that is built from source.", version=found.version, lab=lab.name)
        if found.said["labs"][lab.name] != prints.lab(lab.folder):
            return _("The rubric, contract or messages of {lab} are not those of the installed wheel warpbook {version}, so its grader is built from source.",
                     lab=lab.name, version=found.version)
    return ""


def unlike(found: wheel.Wheel, workbook: Workbook, labs: Iterable[Lab]) -> str:
    """Why the programs of a wheel, which need not be installed, are not those of this workbook and of `labs`; "" if they are."""
    return _unlike(found, _prints(workbook), labs)


def _is_built_here(workbook: Workbook, preset: str, labs: Iterable[Lab]) -> bool:
    """Whether there is a build of one's own, which goes first. One that was interrupted before it could grade is none."""
    folder = workbook.build_root / preset
    programs = ["simtcc", *(f"grade-{lab.number}" for lab in labs)]
    return (folder / "build.ninja").exists() and all((folder / "bin" / name).exists() for name in programs)


def _wheel_for(workbook: Workbook, preset: str, labs: Iterable[Lab]) -> tuple[wheel.Wheel | None, str]:
    labs = list(labs)
    return (None, "") if preset != PRESET or _is_built_here(workbook, preset, labs) else fitting(workbook, labs)


def set_up(workbook: Workbook, preset: str, labs: Iterable[Lab]) -> dict:
    """machine_setup.ensure for what build_for() will choose: with a wheel that fits, a compiler is enough."""
    found, why = _wheel_for(workbook, preset, labs)
    return machine_setup.ensure(workbook.root, with_wheel=found is not None, why=why)


def build_for(workbook: Workbook, preset: str, setup: dict, nvcc: str, labs: Iterable[Lab], may_share: bool = False) -> Build:
    """The build that `labs` are graded with. `may_share`: nothing is compiled but the student's own file, so another user's build will do."""
    labs = list(labs)
    found, why = _wheel_for(workbook, preset, labs)
    if found:
        return WheelBuild(workbook, setup, found, _prints(workbook))
    own = Build(workbook, preset, setup, nvcc)
    own.why = why
    if not may_share or preset != PRESET or workbook.build_root == workbook.root / "build" or not own.needs_configuring():
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
    return grading.items_of(WheelBuild(workbook, nothing, found, _prints(workbook)), lab) if found else []
