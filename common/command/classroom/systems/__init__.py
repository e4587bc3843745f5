"""Results for the systems that run a class, and the packages that make Warpbook their autograder.

Each module of a system has NAME, and `results(graded)`: the text of the file that the system reads after one hand-in was graded.
Those that run an autograder have `package(...)` too. Where a format is specified stands in the module.
"""
from __future__ import annotations

import importlib
import pathlib

from ...problem import Problem
from ..model import Class, Graded

_MODULES = {"gradescope": "gradescope", "github-classroom": "github_classroom", "classroom50": "classroom50", "autolab": "autolab",
            "prairielearn": "prairielearn", "codegrade": "codegrade", "nbgrader": "nbgrader", "junit": "junit_results"}
OF_A_CLASS = ("nbgrader", "junit")  # whose files may hold several students


def with_package() -> list[str]:
    """Those that run an autograder."""
    return [name for name in _MODULES if name not in OF_A_CLASS]


def module(system: str):
    if system not in _MODULES:
        raise Problem(f"There is no system '{system}'.", ["The systems are: " + ", ".join(_MODULES)])
    return importlib.import_module(f".{_MODULES[system]}", __name__)


def wanted(text: str) -> tuple[str, pathlib.Path]:
    """The system and the file of an option SYSTEM=FILE. Raises Problem."""
    system, equals, name = text.partition("=")
    module(system)
    if not equals or not name:
        raise Problem(f"--results takes SYSTEM=FILE, and not '{text}'.", [f"For example: --results {system}=results.json"])
    return system, pathlib.Path(name).absolute()


def refuse(system: str, class_: Class) -> None:
    """Raises Problem where the results are of several people, and the system reads those of one."""
    if system not in OF_A_CLASS and len(class_.people) != 1:
        raise Problem(f"The results for {system} are those of one person, and {class_.source} holds {len(class_.people)}.")


def write(system: str, graded: Graded, path: pathlib.Path) -> None:
    """Writes the results as `system` reads them."""
    made = module(system)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(made.results(graded), encoding="utf-8")
