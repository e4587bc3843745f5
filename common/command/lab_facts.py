"""The facts of a lab: what its labs/NN-name/lab.json says. Everything that lists labs reads them here. Standard library only.

CMake reads the same file (common/cmake/lab_facts.cmake); docs/adding-a-lab.md describes its keys.
"""
from __future__ import annotations

import dataclasses
import json
import pathlib
import re

FILE = "lab.json"
#: The pages of a lab that have sections. A reader starts with the first.
PAGES = ("README.md", "more.md")
#: The page that has the lab's table of points, and the section that begins with it.
POINTS_PAGE, POINTS_SECTION = "more.md", "How it is graded"


class Broken(Exception):
    """A sentence about what is wrong with a lab's file of facts."""


@dataclasses.dataclass(frozen=True)
class Facts:
    title: str    # of the handout, behind "Lab NN: "
    kernel: str   # the name of the student's file, without .cu
    about: str = ""  # the row of the README's table; a lab without it is not listed there yet
    relocatable: bool = False             # relocatable device code
    peer_libraries: tuple[str, ...] = ()  # what CMake links to peers
    rows: dict | None = None              # how long the rows of matrices are: {function: {array: argument or number}}
    results: dict | None = None           # the lab's part of the page of results, read by plots/comparison.py; None: it has none


def folders(labs: pathlib.Path) -> list[pathlib.Path]:
    """The labs' folders, in the order of their numbers."""
    return sorted(path.parent for path in labs.glob(f"[0-9][0-9]-*/{FILE}"))


def headings(page: str) -> list[str]:
    """The texts of a page's headings, without what only looks like one in a block of code."""
    return re.findall(r"^#{1,6} +(.*\S)", re.sub(r"^(```|~~~).*?^\1", "", page, flags=re.M | re.S), re.M)


def slug(heading: str) -> str:
    """A heading's anchor, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page_of_section(folder: pathlib.Path, section: str) -> pathlib.Path:
    """The lab's page that has a section with this heading: README.md if it has one or no page does, since a reader starts there."""
    for name in PAGES:
        path = folder / name
        if path.exists() and section in headings(path.read_text(encoding="utf-8")):
            return path
    return folder / "README.md"


def document(path: pathlib.Path) -> object:
    """What a file of a lab says as JSON. Raises Broken."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Broken(f"{path} cannot be read: {error.strerror if isinstance(error, OSError) else error}.") from None
    except ValueError as error:
        raise Broken(f"{path} is not JSON: {error}.") from None


def read(folder: pathlib.Path) -> Facts:
    """The facts of the lab in `folder`. Raises Broken."""
    path = folder / FILE
    said = document(path)
    if not isinstance(said, dict):
        raise Broken(f"{path} is not a JSON object.")
    return make(Facts, said, str(path))


def contract_functions(contract: str) -> set[str]:
    """The functions that the text of a lab.hpp declares."""
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", "", contract, flags=re.S)
    return set(re.findall(r"^[A-Za-z_][\w:<>*& ]*?[ *&](\w+)\s*\([^;{}]*\)\s*;", plain, re.M))


#: What a field's type is in JSON: in words, and the test.
_KINDS = {
    "str": ("a text", lambda value: isinstance(value, str)),
    "bool": ("true or false", lambda value: isinstance(value, bool)),
    "int": ("a whole number", lambda value: type(value) is int),
    "float": ("a number", lambda value: type(value) in (int, float)),
    "dict": ("an object", lambda value: isinstance(value, dict)),
    "dict[str, str]": ("an object of texts", lambda value: isinstance(value, dict) and _are(str, value.values())),
    "list[dict]": ("a list of objects", lambda value: isinstance(value, list) and _are(dict, value)),
    "tuple[str, ...]": ("a list of texts", lambda value: isinstance(value, list) and _are(str, value)),
    "LabName": ("a lab", lambda value: type(value) in (str, int)),
    "tuple[LabName, ...]": ("a list of labs", lambda value: isinstance(value, list) and all(type(each) in (str, int) for each in value)),
}


def _are(kind: type, values) -> bool:
    return all(isinstance(value, kind) for value in values)


def make(kind: type, said: dict, where: str):
    """`said` as the dataclass `kind`: every key is one of its fields and has its type. Raises Broken with the place `where`."""
    fields = {field.name: field for field in dataclasses.fields(kind) if field.init}
    for key in said:
        if key not in fields:
            raise Broken(f"{where} has the key '{key}'; it can have {', '.join(fields)}.")
    values = {}
    for name, field in fields.items():
        if name in said:
            kinds = [_KINDS[kind] for kind in field.type.split(" | ") if kind != "None"]
            if not any(fits(said[name]) for _, fits in kinds):
                raise Broken(f"{where}: '{name}' is not {' or '.join(words for words, _ in kinds)}.")
            values[name] = tuple(said[name]) if field.type.startswith("tuple") else said[name]
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise Broken(f"{where} lacks '{name}'.")
    return kind(**values)
