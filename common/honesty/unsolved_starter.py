"""Fails unless the starter, as it is handed out, earns nothing and reads its TODO for every item.

Usage: unsolved_starter.py --grader G --runner R --module M.so --source FILE.cu

Has the simulator's items judged in one grading run: each must fail with the diagnosis `unsolved`, no points, and a
sentence that names the item's TODO, or several of which the student is sent to one, and the line where that stands. Once you have begun to solve the lab this check fails
by its nature: it guards what is handed out.
"""

import argparse
import json
import subprocess
import sys

from item_names import items_of


def complaint(item, result):
    """What is wrong with one item's result, or None. item: its entry in the list; result: {} if it has none."""
    if result.get("status") != "failed" or result.get("points") != 0:
        return f"status {result.get('status')} with {result.get('points')} points; failed with 0 is expected"
    if "unsolved" not in result.get("diagnoses", []):
        return f"diagnoses {result.get('diagnoses')}; unsolved is expected: {result.get('reason')}"
    todo = result.get("todo") or {}
    if not todo.get("number") or not todo.get("line"):
        return f"the TODO given is {todo}; a number with its line is expected"
    for number in {item["todo"], todo["number"]}:
        if f"TODO({number})" not in result.get("reason", ""):
            return f"the reason does not name TODO({number}): {result.get('reason')}"
    return None


def problems(items, status, results):
    """What is wrong, a sentence each. items: the list of those to be judged; status: the grader's exit status; results:
    item -> result."""
    found = [] if status == 1 else [f"the grader ended with status {status}; 1 (failed) is expected"]
    for item in items:
        wrong = complaint(item, results.get(item["item"], {}))
        if wrong:
            found.append(f"{item['item']}: {wrong}")
    return found


def grade(options):
    """The grader's exit status, and the results in its stream: item -> result."""
    process = subprocess.run(
        [options.grader, "--json", "--submission", "starter", "--kind", "starter", "--backend", "sim", "--module",
         options.module, "--runner", options.runner, "--source", options.source],
        stdout=subprocess.PIPE, text=True, check=False)
    events = [json.loads(line) for line in process.stdout.splitlines()]
    results = [event["result"] for event in events if event["event"] == "result"]
    return process.returncode, {result["item"]: result for result in results}


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("grader", "runner", "module", "source"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args(arguments)
    items = [item for item in items_of(options.grader) if "sim" in item["backends"]]
    found = problems(items, *grade(options))
    print(*found, f"{len(items)} items, {len(found)} problems", sep="\n")
    if found:
        print("If you have begun to solve this lab, that is why: this check guards the starter as it is handed out. "
              "`./warpbook check` is the one for your work.")
    return 1 if found or not items else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
