"""CodeGrade, AutoTest V2: JSON messages on file descriptor 3, from a Custom Test; and JUnit for the Unit Test step.

https://codegrade.com/blog/how-to-use-custom-test-blocks: {"tag": "points", "points": "3/5"} to structured output, file descriptor 3;
the message unit-test: CodeGrade's own https://pypi.org/project/cg-pytest-reporter (plugin.py: UnitTestMessage, TestCaseResult);
JUnit, without properties, at $CG_JUNIT_XML_LOCATION: https://help.codegrade.com/user-reference/autotest-general/unit-test
"""
from __future__ import annotations

import fractions
import json

from ...files import Tree
from ..model import total
from . import cases, package

NAME = "CodeGrade"
_STATUS = {"passed": "success", "failed": "failure", "undecided": "failure", "skipped": "skipped"}


def results(graded) -> str:
    """Two messages, a line each: the items, and the points as a fraction of those that are possible."""
    points, most = total(graded.marks)
    suites: dict[str, list[dict]] = {}
    for mark in graded.marks:
        for case in cases.of_mark(graded, mark):
            weight = fractions.Fraction(case.max_points).limit_denominator(100)
            said = {"name": case.name, "status": _STATUS[case.status], "weight": str(weight)}
            if case.text:
                said["reason"] = case.text
            suites.setdefault(mark.lab.name, []).append(said)
    share = fractions.Fraction(round(100 * points), round(100 * most)) if most else fractions.Fraction(0)
    messages = [{"tag": "unit-test", "results": [{"id": name, "name": name, "testCases": found} for name, found in suites.items()]},
                {"tag": "points", "points": str(share)}]
    return "".join(json.dumps(message, ensure_ascii=True, separators=(",", ":")) + "\n" for message in messages)


def files(options: package.Options) -> Tree:
    setup = f"""#!/bin/bash
# A Script block of the Setup tab; warpbook.tar.gz is among its Upload Files.
set -e
mkdir -p "$HOME/warpbook" && tar -xzf "$UPLOADED_FILES/warpbook.tar.gz" -C "$HOME/warpbook" --strip-components 1
cd "$HOME/warpbook"
{package.prepare_lines('sudo ', options.wheel)}
"""
    test = f"""#!/bin/bash
# A Custom Test block of the Tests tab, with Internet off. It runs in the folder of the student's files.
bash "$HOME/warpbook/{package.RUN}" codegrade "$PWD" /tmp/warpbook-result.jsonl || exit 1
if command -v cg > /dev/null; then cg truncate < /tmp/warpbook-result.jsonl; else cat /tmp/warpbook-result.jsonl >&3; fi
"""
    return {"setup.sh": package.script(setup), "test.sh": package.script(test),
            "warpbook.tar.gz": package.packed(package.tree(options, package.TREE))}


def how_to(options: package.Options) -> list[str]:
    return ["In CodeGrade's AutoTest V2: Setup tab, Upload Files warpbook.tar.gz, then a Script block with setup.sh.",
            "Tests tab: a Connect Rubric block, in it a Custom Test block with test.sh. The points are a share of the rubric's."]
