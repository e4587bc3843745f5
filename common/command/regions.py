"""The TODO regions of a lab's file, as the command reads them; common/text/regions.hpp does it for graders and simtcc.

A region begins with a line `// TODO(1): what is to be done` and ends with `// END TODO(1)`. The marker lines belong to the
starter, and what is between them to the student.
"""
from __future__ import annotations

import dataclasses
import re

from . import files

BEGIN = re.compile(r"^\s*// TODO\((\d{1,9})\): (\S.*)")
END = re.compile(r"^\s*// END TODO\((\d{1,9})\)\s*$")


class Malformed(Exception):
    """The markers of a file do not pair up: says where and how."""


@dataclasses.dataclass(frozen=True)
class Region:
    number: int
    title: str
    first: int  # index of the line behind the marker
    last: int   # index of the marker that ends it


def regions(text: str) -> list[Region]:
    """The regions in their order. Raises Malformed."""
    found: list[Region] = []
    numbers: set[int] = set()
    opened: tuple[int, str, int] | None = None
    for index, line in enumerate(text.splitlines()):
        begin, end = BEGIN.match(line), END.match(line)
        if begin:
            if opened:
                raise Malformed(f"line {index + 1}: TODO({begin[1]}) begins inside TODO({opened[0]})")
            if int(begin[1]) in numbers:
                raise Malformed(f"line {index + 1}: there is another TODO({begin[1]}) above")
            opened = int(begin[1]), begin[2].strip(), index + 1
        elif end:
            if not opened or opened[0] != int(end[1]):
                raise Malformed(f"line {index + 1}: END TODO({end[1]}) closes nothing")
            found.append(Region(*opened, index))
            numbers.add(opened[0])
            opened = None
    if opened:
        raise Malformed(f"TODO({opened[0]}) has no end")
    return found


def with_region(text: str, number: int, source: str) -> str:
    """`text` with TODO(`number`) as it is in `source`, and with its own line ends. Raises Malformed, also where one of them
    has no such region."""
    places = []
    for each in (text, source):
        place = next((region for region in regions(each) if region.number == number), None)
        if place is None:
            raise Malformed(f"there is no TODO({number})")
        places.append(place)
    lines, given = text.splitlines(keepends=True), source.splitlines()
    own, theirs = places
    end = "\r\n" if lines[own.first - 1].endswith("\r\n") else "\n"
    return "".join([*lines[:own.first], *(line + end for line in given[theirs.first:theirs.last]), *lines[own.last:]])


def untouched(text: str, starter: str) -> set[int]:
    """The TODOs of `text` that are as the starter has them."""
    given = fingerprints(starter)
    return {int(name) for name, print_ in fingerprints(text).items() if name and given.get(name) == print_}


def well_formed(text: str) -> list[Region]:
    """The same, and none of a file whose markers do not pair up."""
    try:
        return regions(text)
    except Malformed:
        return []


def inside(text: str) -> set[int]:
    """The indexes of all lines that are in a TODO."""
    return {index for region in well_formed(text) for index in range(region.first, region.last)}


def fingerprints(text: str) -> dict[str, str]:
    """What tells whether a part of a file has changed: by the number of each TODO, and by "" for what is outside of them. A
    file whose markers do not pair up has "" alone."""
    lines, own = text.splitlines(), inside(text)
    parts = {str(region.number): lines[region.first:region.last] for region in well_formed(text)}
    parts[""] = [line for index, line in enumerate(lines) if index not in own]
    return {name: files.fingerprint("\n".join(part).encode()) for name, part in parts.items()}
