"""Autolab: autograde-Makefile and autograde.tar; the last line that is printed says the scores.

https://github.com/autolab/Autolab/blob/master/docs/lab.md (Writing Autograders; Add the required autograding files),
https://github.com/autolab/Autolab/blob/master/docs/features/formatted-feedback.md (Semantic Feedback with Test Cases);
what an image of Tango has, and how a job begins: https://github.com/autolab/Tango (vmms/Dockerfile, vmms/localDocker.py, autodriver/autodriver.c)
"""
from __future__ import annotations

import json

from ...files import Tree
from ...problem import Problem
from . import cases, package

NAME = "Autolab"
STAGE = "Items"
#: A job begins in /home as the user autolab, whose autodriver runs make as autograde and ends it by pkill.
_TANGO = ["RUN apt-get update && apt-get install -y --no-install-recommends git libc6-dev make procps",
          f"RUN useradd autolab && useradd autograde && install -d -o autolab /home/autolab /home/output && install -d -o autograde /home/autograde && "
          f"chown -R autograde {package.IMAGE_TREE}",
          "RUN git clone --depth 1 https://github.com/autolab/Tango /tmp/tango && gcc -o /usr/bin/autodriver /tmp/tango/autodriver/autodriver.c && "
          "chmod u+s /usr/bin/autodriver && rm -rf /tmp/tango", "WORKDIR /home"]


def results(graded) -> str:
    """What `make` prints: the text for the student, the table of items, and the scores. A problem is called as its lab."""
    lines = cases.summary(graded)
    passed = {}
    for case in cases.of_all(graded):
        if case.status == "skipped":
            continue
        if case.status != "passed":
            lines += ["", f"{case.name}: {case.status}", *("  | " + line for line in case.text.splitlines())]
        passed[case.name] = {"passed": True} if case.status == "passed" else {"passed": False, "hint": case.reason}
    lines += ["", json.dumps({"_presentation": "semantic", "stages": [STAGE], STAGE: passed}),
              json.dumps({"scores": {mark.lab.name: mark.points for mark in graded.marks}})]
    return "\n".join(lines) + "\n"


def _makefile(options: package.Options) -> str:
    name = options.labs[0].starter.name
    return f"""# Autolab renames this to Makefile, puts the student's {name} and autograde.tar beside it, and runs make.
# An image with {package.IMAGE_TREE} (see Dockerfile) grades at once; without it each job builds the grader first.
all:
\t@mkdir -p hand-in && cp {name} hand-in/
\t@if [ ! -d {package.IMAGE_TREE} ]; then tar -xf autograde.tar; fi
\t@tree={package.IMAGE_TREE}; [ -d $$tree ] || tree={package.TREE}; \\
\t  bash $$tree/{package.RUN} autolab hand-in result.txt > log.txt 2>&1 || true
\t@cat result.txt || (tail -n 5 log.txt; echo '{{"scores": {{}}}}')
"""


def files(options: package.Options) -> Tree:
    """Autolab hands on a single file, so that a package is for one lab."""
    if len(options.labs) != 1:
        raise Problem("An assessment of Autolab takes one file, so that its autograder is for one lab.", ["For example: --lab 01"])
    return {"autograde-Makefile": package.text(_makefile(options)), **package.image(options, "autograde.tar", _TANGO),
            "autograde.tar": package.packed(package.tree(options, package.TREE), gzip=False)}


def how_to(options: package.Options) -> list[str]:
    problems = ", ".join(f"'{lab.name}'" for lab in options.labs)
    return [f"In Autolab: autograde-Makefile and autograde.tar into the lab's folder; handin file {options.labs[0].starter.name}.",
            f"Define the problem {problems}, with {package.most_points(options)} points.",
            "For Tango: docker build -t warpbook . in the unpacked zip, and name the image warpbook; 300 s are enough for a job."]
