"""Fails if a starter and its solution differ anywhere outside the marked TODO regions.

Usage: todo_regions.py STARTER.cu SOLUTION.cu

A region begins with a line `// TODO(1): what is to be done` and ends with `// END TODO(1)`; numbers count up
from 1. The marker lines belong to both files and must be the same in both.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from command.regions import Malformed, regions  # noqa: E402


def outside_regions(text):
    """The lines of a file that lie outside its regions, markers included, as (line number, line). Raises Malformed, also if
    the regions are not numbered 1, 2, 3 and so on."""
    found = regions(text)
    numbers = [region.number for region in found]
    if numbers != list(range(1, len(numbers) + 1)) or not numbers:
        raise Malformed(f"the TODO regions are numbered {numbers}; 1, 2, 3 and so on are expected")
    lines = text.splitlines()
    markers = {index for region in found for index in (region.first - 1, region.last)}
    inside = {index for region in found for index in range(region.first, region.last)}
    for index, line in enumerate(lines):
        if index not in markers | inside and re.search(r"TODO\(", line):
            raise Malformed(f"line {index + 1}: a TODO marker that is not on a line of its own")
    return [(index + 1, line) for index, line in enumerate(lines) if index not in inside]


def differences(starter, solution):
    """The first difference outside the regions as a sentence, or None; and whether the regions differ at all."""
    ours, theirs = outside_regions(starter), outside_regions(solution)
    for (a_number, a_line), (b_number, b_line) in zip(ours, theirs):
        if a_line != b_line:
            return f"starter line {a_number}: {a_line!r}\nsolution line {b_number}: {b_line!r}"
    if len(ours) != len(theirs):
        return f"outside the regions the starter has {len(ours)} lines, the solution {len(theirs)}"
    if starter == solution:
        return "the starter is the solution"
    return None


def main(arguments):
    if len(arguments) != 2:
        print(__doc__)
        return 2
    texts = []
    for name in arguments:
        try:
            texts.append(Path(name).read_text())
            outside_regions(texts[-1])
        except (OSError, UnicodeDecodeError, Malformed) as error:
            print(f"{name}: {error}")
            return 1
    difference = differences(*texts)
    if difference:
        print(f"{arguments[0]} and {arguments[1]} differ outside the TODO regions:\n{difference}")
        return 1
    print("starter and solution differ only inside TODO regions")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
