"""Fails if an item of a lab is named by no mutant, or a mutant names an item that does not exist.

Usage: items_covered.py --grader GRADER MUTANTS_DIR [--least N]

That the mutant really fails the item that it names, with the diagnosis that it names, is tested mutant by mutant
(`NN.mutant-NAME.BACKEND:is caught`); this closes the gap: an item that nothing fails proves nothing.
A header also says what the mistake is and what to read. --least N asks for at least N mutants.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from item_names import items_of

FIELDS = ("mutant", "item", "The mistake", "Read")


def headers_of(grader, files):
    """The headers as the grader reads them: file name -> field -> list of values."""
    if not files:
        return {}
    said = subprocess.run([grader, "--list-headers", *map(str, files)], stdout=subprocess.PIPE, text=True, check=True).stdout
    headers = [json.loads(line) for line in said.splitlines()]
    return {Path(header["file"]).name: header["fields"] for header in headers}


def problems(items, mutants):
    """What is wrong, a sentence each. items: names; mutants: file name -> fields of its header."""
    found = []
    failed_by = {item: [] for item in items}
    for name, fields in sorted(mutants.items()):
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
    parser.add_argument("--grader", required=True)
    parser.add_argument("mutants", type=Path)
    parser.add_argument("--least", type=int, default=4)
    options = parser.parse_args(arguments)
    items = [item["item"] for item in items_of(options.grader)]
    files = sorted(options.mutants.glob("*.cu"))
    found = problems(items, headers_of(options.grader, files))
    if len(files) < options.least:
        found.append(f"{len(files)} mutants; at least {options.least} are wanted")
    print(*found, f"{len(items)} items, {len(files)} mutants, {len(found)} problems", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
