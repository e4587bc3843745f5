"""GitHub Classroom: .github/workflows/classroom.yml, whose last step reports the points.

The reporter reads each runner's result as JSON in base 64 from the environment; the workflow is to be called Autograding Tests and to have
one job, run-autograding-tests: https://github.com/classroom-resources/autograding-grading-reporter (README.md, src/main.js,
src/notify-classroom.js); what a result holds: https://github.com/classroom-resources/autograding-io-grader (src/main.js).
The points that it reports are the sum of the tests' scores; its table in the log counts tests that have passed.
GitHub has ended the Classroom application (https://gh.io/classroom-sunset); the workflow runs without it, and shows the points in its log.
"""
from __future__ import annotations

import json

from ...files import Tree
from ...problem import Problem
from ...results import number
from ..model import total
from . import cases, package

NAME = "GitHub Classroom"
IS_PUBLIC = True  # students can read all that grades
_STATUS = {"passed": "pass", "failed": "fail", "undecided": "error"}

#: What grades in a copy of the workbook, as patterns of the expression hashFiles: all but the hand-ins and what students read.
_GRADES = ", ".join(f"'{name}'" for name in ("hand-in/common/**", "hand-in/labs/**", "!hand-in/labs/*/*.cu", "hand-in/CMake*", "hand-in/course.json",
                                             "hand-in/warpbook"))


def _test(name: str, status: str, message: str | None, score: float, seconds: float) -> dict:
    return {"name": name, "status": status, "message": message, "test_code": "", "filename": "", "line_no": 0,
            "duration": round(1000 * seconds), "score": number(score)}


def results(graded) -> str:
    points, most = total(graded.marks)
    found = [case for case in cases.of_all(graded) if case.status != "skipped"]
    tests = [_test(case.name, _STATUS[case.status], case.text or None, case.points, case.seconds) for case in found]
    rest = round(points - sum(case.points for case in found), 2)
    if rest:  # the reporter adds the tests' scores up
        tests.append(_test("The course's rules", "pass", "\n".join(cases.summary(graded)), rest, 0))
    status = "error" if cases.undecided(graded) else "fail" if any(case.status == "failed" for case in found) else "pass"
    return json.dumps({"version": 1, "status": status, "max_score": most, "tests": tests}) + "\n"


def workflow(options: package.Options) -> str:
    """The text of the workflow. The workbook that grades is `options.repository`, which students cannot write to; without one it is the
    student's own copy, in which a student could change the grader."""
    ids = [f"lab{lab.number}" for lab in options.labs]
    if options.repository:
        fetch = f"""      - name: The workbook that grades
        uses: actions/checkout@v4
        with:
          repository: {options.repository}
          path: workbook
      - name: The wheel of its release, with which there is nothing to build
        run: |
          gh release download --repo {options.repository} --pattern 'warpbook-*.whl' || exit 0
          python3 -m venv workbook/build/venv
          workbook/build/venv/bin/pip install --no-cache-dir warpbook-*.whl
        env:
          GH_TOKEN: ${{{{ github.token }}}}
"""
    else:
        fetch = f"""      # Students can change their own copy of the grader. Better: a public repository, which --repository names.
      - name: The workbook that grades, as an earlier push has built it
        uses: actions/cache@v4
        id: kept
        with:
          path: workbook
          key: workbook-${{{{ hashFiles({_GRADES}) }}}}
      - name: The same, where it is new
        if: steps.kept.outputs.cache-hit != 'true'
        run: rm -rf workbook && cp -r hand-in workbook
"""
    steps = "".join(f"""      - name: Lab {lab.number}
        id: {id_}
        run: |
          ./warpbook results-for github-classroom "$GITHUB_WORKSPACE/hand-in/labs/{lab.name}" "$RUNNER_TEMP/{id_}.json" --lab {lab.number}
          echo "result=$(base64 -w0 "$RUNNER_TEMP/{id_}.json")" >> "$GITHUB_OUTPUT"
        working-directory: workbook
""" for lab, id_ in zip(options.labs, ids))
    environment = "".join(f'          {id_.upper()}_RESULTS: "${{{{ steps.{id_}.outputs.result }}}}"\n' for id_ in ids)
    return f"""# Grades each push. The names of the workflow and of its job are those that GitHub Classroom looks for.
name: Autograding Tests
on:
  - push
  - workflow_dispatch
permissions:
  actions: read
  checks: write
  contents: read
jobs:
  run-autograding-tests:
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    if: github.actor != 'github-classroom[bot]'
    steps:
      - name: The hand-in
        uses: actions/checkout@v4
        with:
          path: hand-in
{fetch}{steps}      - name: Autograding Reporter
        uses: classroom-resources/autograding-grading-reporter@v1
        env:
{environment}        with:
          runners: {",".join(ids)}
"""


def files(options: package.Options) -> Tree:
    if options.wheel:
        raise Problem("A workflow holds no wheel.", ["Put it beside a release of the repository that --repository names: the workflow takes it from there."])
    return {".github/workflows/classroom.yml": package.text(workflow(options))}


def how_to(options: package.Options) -> list[str]:
    found = ["Put .github/workflows/classroom.yml into the repository that students get (./warpbook give-out makes one)."]
    if options.repository:
        found.append(f"Each push builds the grader first, which takes minutes, unless the latest release of {options.repository} has a wheel of the workbook.")
    else:
        found.append("Without --repository OWNER/NAME a student's own copy of the workbook grades, which a student can change.")
    return found
