"""Fails unless the starter, as it is handed out, earns nothing and is told its TODO for every item.

Usage: unsolved_starter.py --grader G --runner R --module M.so --source FILE.cu --items ITEMS.jsonl

Runs the grader on every item: each must fail with the diagnosis `unsolved`, no points, and a sentence that
names the item's TODO and the line where it stands. Once you have begun to solve the lab this check fails by
its nature: it guards what is handed out.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def complaint(item, status, result):
    """What is wrong with one item's result, or None. item: its entry in the list; status: the grader's exit status."""
    if status != 1:
        return f"the grader ended with status {status}; 1 (failed) is expected"
    if result.get("status") != "failed" or result.get("points") != 0:
        return f"status {result.get('status')} with {result.get('points')} points; failed with 0 is expected"
    if "unsolved" not in result.get("diagnoses", []):
        return f"diagnoses {result.get('diagnoses')}; unsolved is expected: {result.get('reason')}"
    todo = result.get("todo") or {}
    if todo.get("number") != item["todo"] or not todo.get("line"):
        return f"the TODO given is {todo}; number {item['todo']} with its line is expected"
    if f"TODO({item['todo']})" not in result.get("reason", ""):
        return f"the reason does not name TODO({item['todo']}): {result.get('reason')}"
    return None


def grade(options, item, folder):
    result_file = Path(folder) / "result.json"
    result_file.unlink(missing_ok=True)
    process = subprocess.run(
        [options.grader, "--submission", "starter", "--kind", "starter", "--backend", "sim", "--module", options.module,
         "--runner", options.runner, "--source", options.source, "--item", item["item"], "--result", str(result_file)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    result = json.loads(result_file.read_text()) if result_file.exists() else {}
    return process.returncode, result


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("grader", "runner", "module", "source", "items"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args(arguments)
    items = [json.loads(line) for line in Path(options.items).read_text().splitlines() if line.strip()]
    items = [item for item in items if "sim" in item["backends"]]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for item in items:
            problem = complaint(item, *grade(options, item, folder))
            if problem:
                wrong += 1
                print(f"{item['item']}: {problem}")
    print(f"{len(items)} items, {wrong} problems")
    if wrong:
        print("If you have begun to solve this lab, that is why: this check guards the starter as it is handed out. "
              "`./warpbook check` is the one for your work.")
    return 1 if wrong or not items else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
