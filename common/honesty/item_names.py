"""Fails if a lab's item names are not unique, or hold what doctest's filters or CTest would misread.

Usage: item_names.py ITEMS.jsonl      (the output of a grader's --list-items)

doctest matches names ignoring case, treats * and ? as wildcards and splits filters at commas; in a CMake list
a ; separates, and one unmatched [ joins everything after it.
"""

import json
import sys
from pathlib import Path

FORBIDDEN = '[];*?"\\,|'


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
    if len(arguments) != 1:
        print(__doc__)
        return 2
    items = [json.loads(line) for line in Path(arguments[0]).read_text().splitlines() if line.strip()]
    found = problems([item["item"] for item in items])
    for problem in found:
        print(problem)
    print(f"{len(items)} items, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
