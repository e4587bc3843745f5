"""./warpbook list and doctor: what is solved, and what this machine has."""
from __future__ import annotations

import os

from . import ask, build_choice, course, grading, language, machine_setup, probe, progress, record, regions, results
from .backend import Backend, choose
from .language import N_, _
from .install import instructions, package_manager
from .problem import SETUP, SUCCESS, Problem
from .workbook import Lab, Workbook


def columns(rows: list[list[str]]) -> str:
    """Plain text in columns: these verbs have to work before rich is installed."""
    widths = [max(language.width_of(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell + " " * (width - language.width_of(cell)) for cell, width in zip(row, widths)).rstrip() for row in rows)


def _most_points(workbook: Workbook, lab: Lab) -> float:
    """The points that the simulator's items are worth; 0 where no grader is built that could say."""
    return results.total(item["points"] for item in course.points(workbook)(lab, build_choice.items_of(workbook, lab)) if "sim" in item["backends"])


#: How list shows what a TODO's items came to.
_STATES = {N_("solved"): "✓", N_("in work"): "~", N_("not begun"): "·", N_("not judged"): "?"}
#: How it shows what a question's last answer came to.
_ANSWERS = {N_("answered"): "✓", N_("not right yet"): "~", N_("not answered"): "·"}
#: What a record says of a whole file besides.
_OF_FILES = (N_("does not compile"), N_("started"), N_("unsolved"))


def _without_what_was_reset(last: dict, lab: Lab) -> dict:
    """The last check without the TODOs that are the starter's again, and were not then."""
    emptied = {str(number) for number in grading.untouched_todos(grading.Submission(lab, "starter", lab.starter))
               if number in record.changed(last, record.text(lab.starter))} & {*last["tasks"]}
    if not emptied:
        return last
    tasks = {name: [0, task[1], "not begun"] if name in emptied else task for name, task in last["tasks"].items()}
    points = results.total([last["points"], *(-last["tasks"][name][0] for name in emptied)])
    parts = {**last["parts"], **{name: part for name, part in regions.fingerprints(record.text(lab.starter)).items() if name in emptied}}
    return {**last, "tasks": tasks, "points": points, "state": "started" if points else "unsolved", "before": None, "parts": parts}


def _edited(last: dict, lab: Lab) -> str:
    """What of the file is no longer what was checked, or ""."""
    if not last["parts"]:
        return _("edited since the last check") if record.edited(lab) != last["edited"] else ""
    changed = record.changed(last, record.text(lab.starter))
    if not changed:
        return ""
    if 0 in changed:
        return _("edited since the last check")
    return _("{todos} edited since the last check", todos=", ".join(f"TODO({number})" for number in changed))


def _lab_row(workbook: Workbook, lab: Lab, noted: record.Record) -> tuple[list[str], float, float]:
    if not lab.starter.exists():
        return [lab.name, "-", "", "", _("{file} is missing", file=workbook.shown(lab.starter))], 0, 0
    last = noted.of(lab)
    if last is None:
        most = _most_points(workbook, lab)
        return [lab.name, f"0/{results.number(most)}" if most else "-", "", "", _("not checked yet")], 0, most
    last = _without_what_was_reset(last, lab)
    got, most, before = last["points"], last["max_points"], last["before"]
    states = [_(last["state"])]
    if before is not None and got != before:
        states.append(_("{points} since the check before", points=f"{'+' if got > before else '-'}{results.number(abs(got - before))}"))
    states += filter(None, [_edited(last, lab)])
    todos = " ".join(f"{number}{_STATES.get(task[2], '?')}" for number, task in sorted(last["tasks"].items(), key=lambda each: int(each[0])))
    best = "" if last["best"] is None else results.number(last["best"])
    return [lab.name, f"{results.number(got)}/{results.number(most)}", str(best), todos, ", ".join(states)], got, most


def _questions(lab: Lab, noted: record.Record) -> str:
    """A mark for each of the lab's questions, in their order; "" where none has an answer."""
    try:
        known = ask.questions_of(lab)
    except Problem:
        return ""  # it has none, or check --questions says what is wrong
    given = [bool(noted.answers(lab, each.id)) for each in known]
    states = ["answered" if ask.is_answered(noted, lab, each) else "not right yet" if any_ else "not answered" for each, any_ in zip(known, given)]
    return "".join(_ANSWERS[state] for state in states) if any(given) else ""


def _legend(title: str, marks: dict[str, str], cells: list[str]) -> str:
    """What the marks in these cells mean."""
    spoken = language.current()
    return title + spoken.colon + spoken.comma.join(f"{mark} {_(state)}" for state, mark in marks.items() if any(mark in cell for cell in cells))


def run_list(workbook: Workbook, arguments) -> int:
    labs = workbook.labs()
    if not labs:
        raise Problem(_("labs/ holds no lab."))
    noted = record.Record(workbook)
    rows, got, most = [[_("Lab"), _("Points"), _("Best"), _("TODOs"), _("At the last check")]], 0.0, 0.0
    for lab in labs:
        row, points, maximum = _lab_row(workbook, lab, noted)
        rows.append(row)
        got, most = got + points, most + maximum
    rows.append([_("total"), f"{results.number(got)}/{results.number(most)}" if most else "-", "", "", ""])
    todos, answers = [row[3] for row in rows[1:]], [_questions(lab, noted) for lab in labs]
    if any(answers):
        for row, cell in zip(rows, [_("Questions"), *answers, ""]):
            row.insert(4, cell)
    print(columns(rows))
    legends = [_legend(title, marks, cells) for title, marks, cells in ((_("TODOs"), _STATES, todos), (_("Questions"), _ANSWERS, answers)) if any(cells)]
    if legends:
        print("", *legends, sep="\n")
    print("\n" + _("Grade one: {command}", command="./warpbook check LAB"))
    return SUCCESS


def _backend_lines() -> list[str]:
    try:
        backend: Backend = choose(details=True)
    except Problem as problem:
        return [problem.sentence]
    lines = [f"backend  {backend.preset}" + (" (simulator and GPU)" if backend.preset == "cuda" else " (simulator)"),
             f"         {backend.reason}"]
    lines += [f"GPU      {gpu}" for gpu in backend.gpus]
    lines.append(f"nvcc     {backend.nvcc_version} {backend.nvcc}" if backend.nvcc
                 else "nvcc     not found (only the GPU backend needs it)")
    return lines


def run_doctor(workbook: Workbook, arguments) -> int:
    machine_setup.refuse_other_systems()
    machine_setup.use_virtual_environment(workbook.root)
    found, why = build_choice.fitting(workbook, workbook.labs())
    machine = probe.survey(workbook.root, with_wheel=found is not None)
    rows = [["Needed", "State", "Version", "Where"]]
    for finding in machine.findings:
        rows.append([finding.requirement.name, finding.problem or "ok", finding.version, finding.path])
    state = "ok" if machine.python else "none has both modules" if found is None else "none has the module"
    rows.append(["Python with both" if found is None else "Python with it", state, "", machine.python])
    print(columns(rows))
    if found:
        print(f"The wheel warpbook {found.version} in {found.folder} has the programs of this workbook: nothing has to be built.")
    elif why:
        print(why)
    print()
    print("\n".join(_backend_lines()))
    try:
        system = next(line.split("=", 1)[1].strip().strip('"') for line in open("/etc/os-release", encoding="utf-8")
                      if line.startswith("PRETTY_NAME="))
    except (OSError, StopIteration):
        system = "Linux"
    print(f"system   {system}, {progress.processors()} processors, kernel {os.uname().release}")
    if not machine.missing():
        print("\nEverything that is needed is here. Start with: ./warpbook check 01")
        return SUCCESS
    print()
    print("\n".join(instructions(machine.missing(), package_manager(), machine_setup.typed_build_folder(workbook.root))))
    return SETUP
