"""Fails where files include each other in a circle, be it by several steps. A header and the source of the same name
count as one.

Usage: include_circles.py ROOT
"""

import re
import sys
from pathlib import Path

FOLDERS = ["common", "labs"]
SEARCHED = ["common", "common/simt/include"]  # by the compiler, after the folder of the file itself
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def includes_of(root):
    """For each unit (a path without its suffix) the units that its files include."""
    includes = {}
    for file in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.[ch]pp")):
        unit = includes.setdefault(file.with_suffix(""), set())
        for name in INCLUDE.findall(file.read_text(encoding="utf-8")):
            places = (folder / name for folder in (file.parent, *(root / folder for folder in SEARCHED)))
            found = next((place for place in places if place.exists()), None)
            if found:
                unit.add(found.resolve().with_suffix(""))
        unit.discard(file.with_suffix(""))
    return includes


def circles(includes):
    """Each circle that a walk through the units comes upon, as a list that ends where it begins."""
    found, done, way = [], set(), []

    def visit(unit):
        if unit in way:
            found.append([*way[way.index(unit):], unit])
        elif unit not in done:
            way.append(unit)
            for other in sorted(includes.get(unit, ())):
                visit(other)
            done.add(way.pop())
    for unit in includes:
        visit(unit)
    return found


def main(arguments):
    root = Path(arguments[0]).resolve()
    includes = includes_of(root)
    found = circles(includes)
    for circle in found:
        print(" -> ".join(str(unit.relative_to(root)) for unit in circle))
    print(f"{len(includes)} units, {len(found)} circles")
    return 1 if found or not includes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
