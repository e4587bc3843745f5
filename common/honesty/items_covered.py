"""Fails if an item of a lab is named by no mutant, or a mutant names an item that does not exist.

Usage: items_covered.py ITEMS.jsonl MUTANTS_DIR [--least N]

That the mutant really fails the item that it names, with the diagnosis that it names, is tested mutant by mutant
(`NN.mutant-NAME.BACKEND:is caught`); this closes the gap: an item that nothing fails proves nothing.
A header also says what the mistake is and what to read. --least N asks for at least N mutants.
"""

import argparse
import json
import re
import sys
from pathlib import Path

FIELDS = ("mutant", "item", "The mistake", "Read")


def header(text):
    """The fields of a mutant's header comment: name -> list of values."""
    fields = {}
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        match = re.match(r"^// ([A-Za-z ]+(?:\[[a-z]+\])?): *(.+)$", line)
        if match:
            fields.setdefault(match[1], []).append(match[2].strip())
    return fields


def problems(items, mutants):
    """What is wrong, a sentence each. items: names; mutants: file name -> text."""
    found = []
    failed_by = {item: [] for item in items}
    for name, text in sorted(mutants.items()):
        fields = header(text)
        for field in FIELDS:
            if len(fields.get(field, [])) != 1:
                found.append(f"{name}: the header needs one line '// {field}: …'")
        if not any(key.startswith("diagnosis") for key in fields):
            found.append(f"{name}: the header names no diagnosis")
        for item in fields.get("item", []):
            if item in failed_by:
                failed_by[item].append(name)
            else:
                found.append(f"{name}: there is no item '{item}'")
    for item, names in failed_by.items():
        if not names:
            found.append(f"no mutant fails '{item}'")
    return found


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("items", type=Path)
    parser.add_argument("mutants", type=Path)
    parser.add_argument("--least", type=int, default=4)
    options = parser.parse_args(arguments)
    items = [json.loads(line)["item"] for line in options.items.read_text().splitlines() if line.strip()]
    mutants = {path.name: path.read_text() for path in options.mutants.glob("*.cu")}
    found = problems(items, mutants)
    if len(mutants) < options.least:
        found.append(f"{len(mutants)} mutants; at least {options.least} are wanted")
    for problem in found:
        print(problem)
    print(f"{len(items)} items, {len(mutants)} mutants, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
