"""Fails if a lab's item names are not unique, or hold what doctest's filters or CTest would misread.

Usage: item_names.py --grader GRADER

doctest matches names ignoring case, treats * and ? as wildcards and splits filters at commas; in a CMake list
a ; separates, and one unmatched [ joins everything after it.
"""

import argparse
import json
import subprocess
import sys

FORBIDDEN = '[];*?"\\,|'


def items_of(grader):
    """The rubric, as the grader lists it."""
    said = subprocess.run([grader, "--list-items"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [json.loads(line) for line in said.splitlines()]


def problems(names):
    """What is wrong with the item names, a sentence each; empty when nothing is."""
    found = []
    if not names:
        found.append("the lab has no items")
    seen = {}
    for name in names:
        bad = sorted({character for character in name if character in FORBIDDEN or not character.isprintable()})
        if bad:
            found.append(f"'{name}' holds {' '.join(bad)}")
        if name != name.strip() or not name:
            found.append(f"'{name}' is empty or begins or ends with a space")
        folded = name.casefold()
        if folded in seen:
            found.append(f"'{name}' and '{seen[folded]}' differ at most in case")
        seen[folded] = name
    return found


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--grader", required=True)
    options = parser.parse_args(arguments)
    items = items_of(options.grader)
    found = problems([item["item"] for item in items])
    print(*found, f"{len(items)} items, {len(found)} problems", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
