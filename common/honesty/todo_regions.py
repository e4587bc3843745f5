"""Fails if a starter and its solution differ anywhere outside the marked TODO regions.

Usage: todo_regions.py STARTER.cu SOLUTION.cu

A region begins with a line `// TODO(1): what is to be done` and ends with `// END TODO(1)`; numbers count up
from 1. The marker lines belong to both files and must be the same in both.
"""

import re
import sys
from pathlib import Path

BEGIN = re.compile(r"^\s*// TODO\((\d+)\): \S")
END = re.compile(r"^\s*// END TODO\((\d+)\)\s*$")


class Malformed(Exception):
    """The markers of a file do not pair up."""


def outside_regions(text):
    """The lines of a file that lie outside its regions, markers included, as (line number, line); and the numbers."""
    lines = []
    numbers = []
    open_region = None
    for number, line in enumerate(text.splitlines(), 1):
        begin, end = BEGIN.match(line), END.match(line)
        if begin:
            if open_region is not None:
                raise Malformed(f"line {number}: TODO({begin[1]}) begins inside TODO({open_region})")
            open_region = int(begin[1])
            numbers.append(open_region)
            lines.append((number, line))
        elif end:
            if open_region != int(end[1]):
                raise Malformed(f"line {number}: END TODO({end[1]}) closes nothing")
            open_region = None
            lines.append((number, line))
        elif open_region is None:
            if "TODO" in line and re.search(r"TODO\(", line):
                raise Malformed(f"line {number}: a TODO marker that is not on a line of its own")
            lines.append((number, line))
    if open_region is not None:
        raise Malformed(f"TODO({open_region}) has no end")
    if numbers != list(range(1, len(numbers) + 1)) or not numbers:
        raise Malformed(f"the TODO regions are numbered {numbers}; 1, 2, 3 and so on are expected")
    return lines


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
