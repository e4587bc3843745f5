"""Measures how fast the readable solution is, for the thresholds of a lab's speed items.

Usage: measure_ratios.py --build-dir build/cuda --lab 01-coalescing --out plots/data/01-coalescing-ratios-h200.csv
                         [--runs 20]

Grades every item labelled `speed` on the solution, --runs times, each time in processes of their own, and writes
the first attempt of each run: its ratio to the yardstick, and both bandwidths. At the end it prints, for each item,
the worst ratio and 95% of it, rounded down: the largest threshold that the rubric may ask for.
"""
from __future__ import annotations

import argparse
import csv
import io
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from command import files  # noqa: E402

COLUMNS = ("item", "run", "ratio", "gigabytes_per_second", "yardstick")


class Broken(Exception):
    """A sentence about what cannot be measured."""


def speed_items(grader: pathlib.Path) -> list[str]:
    done = subprocess.run([str(grader), "--list-items"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Broken(f"{grader.name} does not list its items: {done.stderr.strip()}")
    items = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    return [item["item"] for item in items if "speed" in item["labels"]]


def measure(command: list[str], item: str, folder: str) -> dict:
    """The first attempt of one run of `item`. A run that is too slow is a measurement too; a wrong result is none."""
    result_file = pathlib.Path(folder) / "result.json"
    result_file.unlink(missing_ok=True)
    done = subprocess.run([*command, "--item", item, "--result", str(result_file)], capture_output=True, text=True,
                          check=False)
    result = json.loads(result_file.read_text()) if result_file.exists() else {}
    if not result.get("speeds"):
        raise Broken(f"'{item}' was not timed: {result.get('reason') or done.stdout + done.stderr}")
    return result["speeds"][0]


def threshold(ratios: list[float]) -> float:
    """95% of the worst, rounded down to two digits."""
    return math.floor(min(ratios) * 95) / 100


def provenance_of(runner: pathlib.Path) -> list[list[str]]:
    said = subprocess.run([str(runner), "--provenance"], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise Broken(f"There is no GPU to measure on: {said.stderr.strip()}")
    return json.loads(said.stdout)


def write(path: pathlib.Path, provenance: list[list[str]], rows: list[tuple]) -> None:
    """Writes a table with its headings, whole or not at all, below what it came from."""
    text = io.StringIO("".join(f"# {key}: {value}\n" for key, value in provenance))
    text.seek(0, io.SEEK_END)
    csv.writer(text, lineterminator="\n").writerows(rows)
    try:
        files.write(path, text.getvalue())
    except OSError as error:
        raise Broken(f"{path} cannot be written: {error.strerror}.") from error


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build-dir", type=pathlib.Path, required=True, help="where the preset cuda was built")
    parser.add_argument("--lab", required=True, help="for example 01-coalescing")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="CSV")
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args(arguments)
    number = options.lab[:2]
    root = pathlib.Path(__file__).resolve().parents[2]
    runner = options.build_dir / "bin" / "warpbook-runner-cuda"
    grader = options.build_dir / "bin" / f"grade-{number}"
    source = next(iter(sorted((root / "solutions" / options.lab).glob("*.cu"))), None)
    try:
        for path in (runner, grader):
            if not path.exists():
                raise Broken(f"{path} is not built; `cmake --build --preset cuda` builds it.")
        if source is None or options.runs < 1:
            raise Broken(f"solutions/{options.lab} holds no solution." if source is None else "--runs is at least 1.")
        items = speed_items(grader)
        if not items:
            raise Broken(f"{options.lab} has no item with the label speed.")
        provenance = provenance_of(runner) + [["command", f"measure_ratios.py --lab {options.lab} --runs {options.runs}"]]
        command = [str(grader), "--submission", "solution", "--kind", "solution", "--backend", "cuda", "--runner",
                   str(runner), "--module", str(options.build_dir / "modules" / number / "cuda" / "solution.so"),
                   "--source", str(source)]
        rows: list[tuple] = [COLUMNS]
        with tempfile.TemporaryDirectory() as folder:
            for item in items:
                ratios = []
                for run in range(1, options.runs + 1):
                    speed = measure(command, item, folder)
                    ratios.append(speed["ratio"])
                    rows.append((item, run, f"{speed['ratio']:.4f}", f"{speed['gigabytes_per_second']:.1f}", f"{speed['yardstick']:.1f}"))
                print(f"{item}: worst {min(ratios):.4f}, best {max(ratios):.4f} of {len(ratios)} runs; "
                      f"ask for at most {threshold(ratios):.2f}", flush=True)
        write(options.out, provenance, [COLUMNS, *rows])
    except Broken as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
