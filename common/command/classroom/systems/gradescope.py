"""Gradescope: results.json, and an autograder as a zip with setup.sh and run_autograder.

https://gradescope-autograders.readthedocs.io/en/latest/specs/ (also docs/specs.md of github.com/gradescope/autograder_samples)
"""
from __future__ import annotations

import json
import pathlib

from ...files import Tree
from ...results import number
from .. import naming
from ..model import total
from . import cases, package

NAME = "Gradescope"


def results(graded) -> str:
    points, most = total(graded.marks)
    tests = []
    for place, case in enumerate(cases.of_all(graded), 1):
        test = {"name": case.name, "number": str(place), "score": number(case.points), "max_score": number(case.max_points),
                "visibility": "visible", "output": case.text, "output_format": "text"}
        if case.status in ("passed", "failed"):
            test["status"] = case.status
        if case.diagnosis:
            test["tags"] = [case.diagnosis]
        tests.append(test)
    said = [f"{number(points)} of {number(most)} points.", *cases.summary(graded)]
    files = {mark.lab.name: mark.hand_in.sha256 for mark in graded.marks if mark.hand_in}
    document = {"score": points, "execution_time": round(sum(case.seconds for case in cases.of_all(graded))), "output": "\n".join(said),
                "output_format": "text", "test_output_format": "text", "test_name_format": "text", "visibility": "visible",
                "stdout_visibility": "hidden", "extra_data": {"max_score": most, "sha256": files}, "tests": tests}
    return json.dumps(document, indent=1) + "\n"


def handed_in(submission: pathlib.Path) -> dict[str, str]:
    """Whose hand-in it is and when it came, as columns of a roster: Gradescope's word, in a file beside the student's folder.

    https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/
    """
    try:
        said = json.loads((submission.absolute().parent / "submission_metadata.json").read_text(encoding="utf-8"))
        time = naming.aware(said["created_at"])
        return {"submitted": time.isoformat() if time else "", **{key: said["users"][0][key] for key in ("name", "email")}}
    except (OSError, ValueError, LookupError, TypeError):
        return {}


def _setup(options: package.Options) -> str:
    return f"""#!/bin/bash
# Gradescope runs this once, as root, when it builds the image of the assignment.
set -e
cd /autograder/source/{package.TREE}
{package.prepare_lines(wheel=options.wheel)}
"""


def _run() -> str:
    return f"""#!/bin/bash
# Gradescope runs this for each submission. What is printed here only instructors see.
cd /autograder/source
exec bash {package.TREE}/{package.RUN} gradescope /autograder/submission /autograder/results/results.json
"""


def files(options: package.Options) -> Tree:
    """The zip's files; those in its root are the ones that Gradescope asks for."""
    return {"setup.sh": package.script(_setup(options)), "run_autograder": package.script(_run()), **package.tree(options, package.TREE)}


def how_to(options: package.Options) -> list[str]:
    images = "Ubuntu 24.04" if options.wheel else "Ubuntu 24.04 or 22.04"  # a wheel needs their C library to be as new as Debian 12's
    return [f"In Gradescope: a Programming Assignment, Configure Autograder, Zip file upload; base image {images}.",
            f"Autograder points: {package.most_points(options)}. Container size: at least 1 CPU and 2 GB of memory."]
