"""Classroom 50: result.json, and an autograder.py with the workbook beside it.

https://github.com/foundation50/classroom50/wiki/Advanced-Autograding (Contract; The result.json contract),
https://raw.githubusercontent.com/foundation50/classroom50/main/schemas/result-v1.schema.json
"""
from __future__ import annotations

import datetime
import json
import os

from ...files import Tree
from ...problem import Problem
from ..model import total
from . import cases, package

NAME = "Classroom 50"
IS_PUBLIC = True  # a bundle is published by GitHub Pages
_VARIABLES = {"classroom": "CLASSROOM", "assignment": "ASSIGNMENT", "submission": "SUBMISSION_TAG", "commit": "COMMIT_URL",
              "release": "RELEASE_URL"}


def results(graded) -> str:
    """Scores are whole numbers there, so that others are rounded. What the hand-in is called, its runner says in the environment."""
    missing = [variable for variable in _VARIABLES.values() if not os.environ.get(variable)]
    if missing:
        raise Problem(f"Classroom 50's runner sets {', '.join(missing)}, and here they are not set.",
                      ["Results for it can be written there alone."])
    points, most = total(graded.marks)
    environment = os.environ
    document = {"schema": "classroom50/result/v1", **{key: environment[variable] for key, variable in _VARIABLES.items()},
                "assignment_type": environment.get("ASSIGNMENT_TYPE") or "individual",
                "owner": environment.get("OWNER") or environment.get("USERNAME") or "unknown",
                "review": environment.get("REVIEW_URL") or environment["COMMIT_URL"],
                "datetime": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "score": min(round(points), round(most)), "max-score": round(most), "tests": []}
    for case in cases.of_all(graded):
        if case.status == "skipped":
            continue
        document["tests"].append({"test-name": case.name, "passed": case.status == "passed", "score": round(case.points),
                                  "max-score": round(case.max_points), "message": case.text, "diagnosis": case.diagnosis})
    return json.dumps(document, indent=1) + "\n"


_AUTOGRADER = '''"""Grades a submission with Warpbook: unpacks the workbook, which lies beside this file, and has it write ./result.json."""
import pathlib
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SUBMISSION = pathlib.Path.cwd()

with tempfile.TemporaryDirectory() as folder:
    with tarfile.open(HERE / "warpbook.tar.gz") as packed:
        packed.extractall(folder)
    tree = pathlib.Path(folder) / "@TREE@"
    done = subprocess.run(["bash", str(tree / "@RUN@"), "classroom50", str(SUBMISSION), str(SUBMISSION / "result.json")], check=False)
sys.exit(done.returncode)
'''


def files(options: package.Options) -> Tree:
    """The bundle of an assignment: CLASSROOM/autograders/ASSIGNMENT/."""
    runtime = {"runs-on": "ubuntu-24.04", "python": "3.12", "apt": package.wheel_packages() if options.wheel else package.apt_packages()}
    return {"autograder.py": package.text(_AUTOGRADER.replace("@TREE@", package.TREE).replace("@RUN@", package.RUN)),
            "warpbook.tar.gz": package.packed(package.tree(options, package.TREE)),
            "runtime.json": package.text(json.dumps(runtime, indent=2) + "\n")}


def how_to(options: package.Options) -> list[str]:
    return ["In your classroom50 repository: autograder.py and warpbook.tar.gz into CLASSROOM/autograders/ASSIGNMENT/.",
            "gh teacher assignment add ORG CLASSROOM ASSIGNMENT … --runtime runtime.json names the packages that the runner installs.",
            *([] if options.wheel else ["Each hand-in builds its grader first, which takes minutes. With --wheel FILE there is nothing to build."]),
            "Bundles are published by GitHub Pages: anyone can read them. There is nothing secret in this one."]
