"""./warpbook list and doctor: what is solved, and what this machine has."""
from __future__ import annotations

import os

from . import grading, machine_setup, probe, progress, results
from .backend import Backend, choose
from .install import instructions, package_manager
from .problem import SETUP, SUCCESS, Problem
from .workbook import Lab, Workbook


def columns(rows: list[list[str]]) -> str:
    """Plain text in columns: these verbs have to work before rich is installed."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def _lab_row(workbook: Workbook, lab: Lab) -> tuple[list[str], float, float]:
    if not lab.starter.exists():
        return [lab.name, "-", f"{workbook.shown(lab.starter)} is missing"], 0, 0
    newest = (None, 0.0, [])
    rubric: list[dict] = []
    for preset in ("sim", "cuda"):
        folder = workbook.build_root / preset
        items = results.read_items(folder / "labs" / lab.number / "items.jsonl")
        rubric = items or rubric
        verdict, written = grading.last_results(folder, lab, ["sim", "cuda"] if preset == "cuda" else ["sim"])
        if verdict and written > newest[1]:
            newest = (verdict, written, items)
    verdict, written, _ = newest
    if verdict is None:
        sim_points = sum(item.get("points", 0) for item in rubric if "sim" in (item.get("backends") or ["sim"]))
        most = f"0/{results.number(sim_points)}" if rubric else "-"
        return [lab.name, most, "not checked yet"], 0, sim_points
    if verdict.build_failure:
        state = "does not compile"
    elif verdict.complete:
        state = "solved"
    else:
        state = "started" if verdict.points else "unsolved"
    if lab.starter.stat().st_mtime > written:
        state += ", edited since the last check"
    got, most = verdict.points, verdict.max_points
    return [lab.name, f"{results.number(got)}/{results.number(most)}", state], got, most


def run_list(workbook: Workbook, arguments) -> int:
    labs = workbook.labs()
    if not labs:
        raise Problem("labs/ holds no lab.")
    rows, got, most = [["Lab", "Points", "State"]], 0.0, 0.0
    for lab in labs:
        row, points, maximum = _lab_row(workbook, lab)
        rows.append(row)
        got, most = got + points, most + maximum
    rows.append(["total", f"{results.number(got)}/{results.number(most)}" if most else "-", ""])
    print(columns(rows))
    print("\nGrade one: ./warpbook check LAB")
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
    machine = probe.survey(workbook.root)
    rows = [["Needed", "State", "Version", "Where"]]
    for finding in machine.findings:
        rows.append([finding.requirement.name, finding.problem or "ok", finding.version, finding.path])
    state = "ok" if machine.python else "none has both modules"
    rows.append(["Python with both", state, "", machine.python])
    print(columns(rows))
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
