"""The verdicts as JUnit XML: a suite for each student and lab, a case for each item.

It keeps to both schemas that are in use: Jenkins' (junit-10.xsd of jenkinsci/xunit-plugin) and Ant's (JUnit.xsd by Windy Road),
which is the stricter one: a sequence of properties, cases, system-out and system-err, and names without spaces at their ends.
"""
from __future__ import annotations

import datetime
import xml.etree.ElementTree as ElementTree

from .. import language
from ..results import ItemResult
from .feedback import MOST_DETAILS, told
from .model import Graded, Mark
from .texts import flat, xml


def text(graded: Graded, with_properties: bool = True) -> str:
    """The document. Without properties, which Ant's schema wants, it is what CodeGrade reads."""
    root = ElementTree.Element("testsuites")  # to which Ant's schema allows no attribute
    for place, mark in enumerate(graded.marks):
        root.append(suite(graded, mark, place, with_properties))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def suite(graded: Graded, mark: Mark, place: int, with_properties: bool) -> ElementTree.Element:
    name = f"{mark.lab.name}.{mark.person.id}"
    made = ElementTree.Element("testsuite", name=name, package=mark.lab.name, id=str(place), hostname="localhost",
                               timestamp=datetime.datetime.now().strftime("%Y-%m-%dT%H:%M:%S"))
    if with_properties:
        properties = ElementTree.SubElement(made, "properties")
        for key, value in properties_of(graded, mark).items():
            ElementTree.SubElement(properties, "property", name=key, value=flat(value))
    for result, case_name in cases(graded, mark):
        case = ElementTree.SubElement(made, "testcase", name=flat(case_name), classname=name, time=f"{result.seconds or 0:.3f}")
        reason = told(result.reason, mark.hand_in)
        if result.status == "skipped":
            ElementTree.SubElement(case, "skipped").text = xml(reason)
        elif result.status != "passed":
            broken = bool(mark.verdict and mark.verdict.build_failure)
            is_error = result.status == "undecided" or not (result.graded or broken)
            kind = result.diagnoses[0] if result.diagnoses else "not-judged" if is_error else "not-run"
            element = ElementTree.SubElement(case, "error" if is_error else "failure", message=flat(reason), type=kind)
            element.text = xml("\n".join([reason, *(told(line, mark.hand_in) for line in result.lines[:MOST_DETAILS]),
                                          *(language.read_on(mark.lab.name, section) for section in result.sections)]))
    for kind in ("system-out", "system-err"):
        ElementTree.SubElement(made, kind).text = ""
    found = list(made.iter("testcase"))
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        made.set(key, str(sum(case.find(tag) is not None for case in found)))
    made.set("tests", str(len(found)))
    made.set("time", f"{sum(float(case.get('time', '0')) for case in found):.3f}")
    return made


def cases(graded: Graded, mark: Mark) -> list[tuple[ItemResult, str]]:
    """The results of a suite with their names: items, and first the build where that failed."""
    if mark.hand_in is None or mark.is_open:
        name = "a file was handed in" if mark.hand_in is None or mark.excused else "it is decided which file counts"
        return [(ItemResult(name, "", "skipped", reason=mark.missing), name)]
    if mark.verdict is None:
        fault = mark.hand_in.fault
        return [(ItemResult("builds", "", "failed", reason=fault.sentence if fault else "It was not judged.",
                            diagnoses=[fault.id] if fault else [], graded=fault is not None), "builds")]
    verdict = mark.verdict
    several = len({result.backend for result in verdict.results}) > 1
    found = [*([verdict.build_failure] if verdict.build_failure else []), *verdict.results]
    return [(result, f"{result.item} ({result.backend})" if several else result.item) for result in found]


def properties_of(graded: Graded, mark: Mark) -> dict[str, str]:
    found = {"student": mark.person.name, "lab": mark.lab.name, "points": "" if mark.is_open else str(mark.points), "max_points": str(mark.max_points)}
    if mark.is_open:
        found |= {"state": "excused" if mark.excused else "not decided"}
    else:
        found |= {"rubric_points": str(mark.raw), "rubric_max_points": str(mark.raw_max)}
    if mark.hand_in and not mark.is_open:
        found |= {"file": mark.hand_in.shown, "sha256": mark.hand_in.sha256, "late": "yes" if graded.rules.is_late(mark) else "no"}
        if mark.hand_in.submitted:
            found["submitted"] = mark.hand_in.submitted.isoformat()
    return found | {f"note_{place}": note for place, note in enumerate(mark.notes, 1)}
