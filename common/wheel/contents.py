"""Writes what a wheel holds besides programs and headers: contents.py VERSION FOLDER makes FOLDER/wheel.json and FOLDER/workbook.tar.gz.

wheel.json says what the programs were made from (common/command/wheel.py). The archive is the workbook without solutions and
tests, for `warpbook give-out` where there is no clone. Standard library only.
"""
from __future__ import annotations

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "common"))

from command import give_out, lab_facts, wheel
from command.classroom.systems import package


def write(version: str, folder: pathlib.Path) -> None:
    said = wheel.described(ROOT, version, lab_facts.folders(ROOT / "labs"))
    (folder / wheel.FILE).write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    tree = give_out.from_folder(ROOT)  # as it is hashed and built, whatever git's index has
    for lab in (path for path in tree if path.endswith(".cu.starter")):
        own = lab.removesuffix(".starter")
        if own in tree:  # whatever has been made of it here
            tree[own] = give_out.File(tree[lab].data)
    (folder / wheel.ARCHIVE).write_bytes(package.packed(tree).data)


if __name__ == "__main__":
    write(sys.argv[1], pathlib.Path(sys.argv[2]))
