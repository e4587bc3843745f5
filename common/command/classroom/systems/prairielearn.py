"""PrairieLearn: results.json of an external grader, a question, and the image that grades.

https://github.com/PrairieLearn/PrairieLearn/blob/master/docs/externalGrading.md (Grading results; Configuring and enabling),
apps/prairielearn/src/schemas/schemas/infoQuestion.json
"""
from __future__ import annotations

import json
import uuid

from ...files import Tree
from ...results import number
from ..model import total
from . import cases, package

NAME = "PrairieLearn"
MOST_BYTES = 1_000_000  # of results.json
_ENTRY = "/warpbook-grade"


def results(graded) -> str:
    """A file that cannot be built, and a defect here, are "not gradable": they cost the student no attempt."""
    points, most = total(graded.marks)
    found = [case for case in cases.of_all(graded) if case.status != "skipped"]
    broken = [mark for mark in graded.marks if mark.verdict is None or mark.verdict.build_failure]
    document: dict = {"gradable": not broken and not cases.undecided(graded)}
    if document["gradable"]:
        document["score"] = points / most if most else 0.0
    else:
        errors = [case.text or case.reason for case in found if case.max_points == 0 or case.diagnosis == "missing-file"]
        document["format_errors"] = errors[:5] or cases.summary(graded)
    document |= {"message": f"{points} of {most} points.", "output": "\n".join(cases.summary(graded)),
                 "tests": [{"name": case.name, "description": "", "points": number(case.points), "max_points": number(case.max_points),
                            "message": case.reason, "output": case.text} for case in found if case.max_points]}
    text = json.dumps(document) + "\n"
    if len(text.encode()) > MOST_BYTES:
        for test in document["tests"]:
            test["output"] = ""
        text = json.dumps(document) + "\n"
    return text


def info(lab, image: str) -> dict:
    """The question's info.json."""
    return {"uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"warpbook/{lab.name}")), "title": f"Lab {lab.number}: {lab.facts.title}",
            "topic": "CUDA", "tags": ["code"], "type": "v3", "singleVariant": True, "gradingMethod": "External",
            "externalGradingOptions": {"enabled": True, "image": image, "entrypoint": _ENTRY, "timeout": 300,
                                       "environment": {"WARPBOOK_LAB": lab.number}}}


def _question(lab) -> str:
    return f"""<pl-question-panel>
  <p>Complete the TODOs of <code>{lab.starter.name}</code>, as the handout of lab {lab.number} says, and hand the file in.</p>
  <pl-file-upload file-names="{lab.starter.name}"></pl-file-upload>
</pl-question-panel>
<pl-submission-panel>
  <pl-external-grader-results></pl-external-grader-results>
  <pl-file-preview></pl-file-preview>
</pl-submission-panel>
"""


def files(options: package.Options) -> Tree:
    made: Tree = {}
    for lab in options.labs:
        folder = f"questions/warpbook-{lab.number}"
        made[f"{folder}/info.json"] = package.text(json.dumps(info(lab, options.image), indent=2) + "\n")
        made[f"{folder}/question.html"] = package.text(_question(lab))
    entry = f"""#!/bin/bash
# PrairieLearn runs this in the container; the submitted files are in /grade/student, and the question says which lab they are for.
mkdir -p /grade/results
exec bash {package.IMAGE_TREE}/{package.RUN} prairielearn /grade/student /grade/results/results.json
"""
    image = package.image(options, "warpbook.tar", [f"COPY warpbook-grade {_ENTRY}", f"ENTRYPOINT [\"{_ENTRY}\"]"])
    return {**made, **{f"image/{name}": content for name, content in image.items()}, "image/warpbook-grade": package.script(entry),
            "image/warpbook.tar": package.packed(package.tree(options, package.TREE), gzip=False)}


def how_to(options: package.Options) -> list[str]:
    return [f"docker build -t {options.image} image && docker push {options.image}: the grader needs no network, and is built into it.",
            "questions/ goes into your course's folder of the same name."]
