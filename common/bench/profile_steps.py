"""Asks Nsight Compute about each lab's last step: throughput, occupancy, conflicts. For the page of results.

Usage: profile_steps.py --build-dir build/cuda [--ncu ncu] [--lab 02-shared-memory]... [--out plots/data/ncu-h200.csv]

Needs a GPU whose counters may be read, ncu, and the preset cuda built (`./warpbook bench all` builds what is needed). Each
lab's bench runs the last step alone under ncu, with a filter for the step's own kernels; of each kernel the launch that the
page's main task is about is kept. The file has one row for each metric: lab, step, kernel, metric, value (in ncu's base units:
nanoseconds, percent, counts). With --lab the rows of other labs stay.
"""
from __future__ import annotations

import argparse
import csv
import dataclasses
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "plots"))
import comparison  # noqa: E402  (the labs)
import profiles  # noqa: E402  (the metrics, and the reader of the file)
from comparison import lab_facts  # noqa: E402
from measurements import BrokenFile  # noqa: E402
from measure_ratios import Broken, provenance_of, write  # noqa: E402

LIMIT = 300  # seconds for one lab
DURATION = profiles.METRICS["duration"]


@dataclasses.dataclass(frozen=True)
class Choice:
    """What of a lab is profiled, as "profile" in its lab.json says it."""

    steps: str     # the last of the steps whose names begin so
    options: tuple[str, ...]  # the bench's: one function only, for under the profiler every launch is repeated several times
    launch: str    # which launch of a kernel is the main task's: the "longest", or the "shortest"
    kernel: str = ""  # what the name of its kernel contains, if the step has others for other points of the sweep

    @property
    def choose(self):
        return {"longest": max, "shortest": min}[self.launch]


def choices() -> dict[str, Choice]:
    """By the names of the labs that have one. Raises lab_facts.Broken."""
    return {lab.name: lab_facts.make(Choice, lab.results.profile, f"{lab.folder / lab_facts.FILE}, profile")
            for lab in comparison.labs() if lab.results.profile}


def last_step(folder: pathlib.Path, prefix: str) -> pathlib.Path | None:
    """The source of the step with the highest number among PREFIX0_….cu, PREFIX1_….cu, …"""
    numbered = [(int(found[1]), found[2], path) for path in folder.glob("*.cu")
                if (found := re.match(rf"{prefix}(\d+)([a-z]?)_", path.name))]
    return max(numbered, default=(0, "", None))[2]


def kernels_of(source: str) -> list[str]:
    """The names of the kernels that CUDA source defines or declares, in their order."""
    source = re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.S)
    names = []
    for part in source.split("__global__")[1:]:
        part = re.sub(r"__(launch_bounds|cluster_dims|maxnreg|block_size|attribute)__\s*\((?:[^()]|\([^()]*\))*\)", " ", part)
        found = re.search(r"(\w+)\s*\(", part)
        if found:
            names.append(found[1])
    return list(dict.fromkeys(names))


def parse_ncu(text: str, choose) -> dict[str, dict[str, float]]:
    """{kernel: {metric: value}} from ncu's CSV (page raw), of each kernel the launch that `choose` takes by its duration."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    launches: dict[str, list[dict[str, float]]] = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        if not row.get("ID"):  # the row of units
            continue
        numbers = {}
        for metric in profiles.METRICS.values():
            try:
                numbers[metric] = float((row.get(metric) or "").replace(",", ""))
            except ValueError:
                continue  # a metric that this chip does not have
        if DURATION in numbers:
            launches.setdefault(row["Kernel Name"].strip(), []).append(numbers)
    return {kernel: choose(own, key=lambda numbers: numbers[DURATION]) for kernel, own in launches.items()}


def profile(lab: str, build: pathlib.Path, ncu: str) -> tuple[str, dict[str, dict[str, float]]]:
    """The lab's last step and what ncu says of its kernels."""
    choice = choices().get(lab)
    if choice is None:
        raise Broken(f"{lab}: no lab.json says what of such a lab is profiled.")
    number = lab[:2]
    source = last_step(ROOT / "solutions" / lab / "steps", choice.steps)
    if source is None:
        raise Broken(f"solutions/{lab}/steps holds no step {choice.steps}0_….cu.")
    step = f"step-{source.stem}"
    module = build / "modules" / number / "cuda" / f"{step}.so"
    bench, runner = build / "bin" / f"bench-{number}", build / "bin" / "warpbook-runner-cuda"
    for path in (module, bench, runner):
        if not path.exists():
            raise Broken(f"{path} is not built; `./warpbook bench {number}` builds it.")
    kernels = kernels_of(source.read_text(encoding="utf-8"))
    if not kernels:
        raise Broken(f"{source} defines no kernel.")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "modules").mkdir()
        (folder / "modules" / module.name).symlink_to(module.resolve())
        log = folder / "ncu.csv"
        command = [ncu, "--target-processes", "all", "--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base",
                   "function", "--clock-control", "none", "--cache-control", "none", "--kernel-name",
                   f"regex:^({'|'.join(kernels)})$", "--metrics", ",".join(profiles.METRICS.values()), "--log-file", str(log),
                   str(bench), "--backend", "cuda", "--runner", str(runner), "--modules", str(folder / "modules"), "--out",
                   str(folder / "bench.csv"), "--repetitions", "1", "--rounds", "1", *choice.options]
        # ncu follows the bench into its runners by variables, connections and code of its own, of which the confinement of a
        # submission leaves little. It is the workbook's own step that runs here.
        environment = {**os.environ, "WARPBOOK_UNCONFINED": "1"}
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT, env=environment)
        except subprocess.TimeoutExpired:
            raise Broken(f"{lab}: the bench under {ncu} took longer than {LIMIT} s.") from None
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        found = parse_ncu(text, choice.choose)
        if not found:
            said = [line for line in (text + done.stdout + done.stderr).splitlines() if line.strip()][-20:]
            raise Broken("\n  ".join([f"{lab}: ncu reported no kernel of {source.name}:", *said]))
    wanted = {kernel: numbers for kernel, numbers in found.items() if choice.kernel in kernel}
    return step, wanted or found


def rows_of(labs: dict[str, tuple[str, dict[str, dict[str, float]]]]) -> list[tuple]:
    return [(lab, step, kernel, metric, f"{value:.6g}") for lab, (step, kernels) in sorted(labs.items())
            for kernel, numbers in kernels.items() for metric, value in numbers.items()]


def kept(path: pathlib.Path, measured: set[str]) -> list[tuple]:
    """The rows of an older file of labs that were not measured now."""
    old = profiles.read(path)
    return [] if old is None else [(lab, step, kernel, metric, f"{value:.6g}") for (lab, step), kernels in old.kernels.items()
                                   if lab not in measured for kernel, numbers in kernels.items()
                                   for metric, value in numbers.items()]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build-dir", type=pathlib.Path, default=pathlib.Path(os.environ.get("WARPBOOK_BUILD") or ROOT / "build") / "cuda", help="where the preset cuda was built")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--lab", action="append", help="this lab only; may be repeated (default: all)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "plots" / "data" / "ncu-h200.csv", metavar="CSV")
    options = parser.parse_args(arguments)
    measured, broken = {}, []
    try:
        runner = options.build_dir / "bin" / "warpbook-runner-cuda"
        provenance = provenance_of(runner)
        version = subprocess.run([options.ncu, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")
        provenance += [["profiler", next((line for line in reversed(version) if line), "unknown")], ["command", "profile_steps.py"]]
        for lab in options.lab or choices():
            try:
                begin = time.monotonic()
                measured[lab] = profile(lab, options.build_dir, options.ncu)
                print(f"{lab}: {measured[lab][0]}, {len(measured[lab][1])} kernels, {time.monotonic() - begin:.0f} s", flush=True)
            except Broken as problem:  # the others are still worth having
                broken.append(str(problem))
                continue
            write(options.out, provenance, [profiles.COLUMNS, *sorted(kept(options.out, set(measured)) + rows_of(measured))])  # who is stopped keeps it
        if measured:
            print(f"{options.out}")
    except (Broken, BrokenFile, lab_facts.Broken) as problem:
        broken.append(str(problem))
    except OSError as error:
        broken.append(f"{error.filename or options.ncu} cannot be used: {error.strerror}.")
    print(*broken, sep="\n", end="\n" if broken else "", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
