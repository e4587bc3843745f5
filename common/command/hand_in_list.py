"""Lists the hand-ins of a folder for CMake: a line `LAB|ID|FILE` for each, with the copies of the files in another folder.

  PYTHONPATH=common python3 -m command.hand_in_list FOLDER COPIES

They are those that ./warpbook grade would grade. What it would leave aside is said on stderr. Status 2: there is no such list.
"""
from __future__ import annotations

import pathlib
import shutil
import sys

from .classroom import intake
from .classroom.texts import flat
from .problem import SETUP, SUCCESS, Problem
from .workbook import Workbook


def main(folder: str, copies: str) -> int:
    workbook = Workbook(pathlib.Path(__file__).resolve().parents[2])
    shutil.rmtree(copies, ignore_errors=True)
    try:
        class_ = intake.take_in(pathlib.Path(folder), workbook.labs(), pathlib.Path(copies))
    except Problem as problem:
        print(problem.sentence, file=sys.stderr)
        return SETUP
    for hand_in in class_.hand_ins:
        if hand_in.fault:
            print(f"{flat(hand_in.shown)}: {flat(hand_in.fault.sentence)}", file=sys.stderr)
        else:
            print(f"{hand_in.lab.name}|{hand_in.person.id}|{hand_in.file}")
    for seen in class_.others:
        if seen.is_left_over:
            print(f"{flat(seen.shown)}: {flat(seen.why)}", file=sys.stderr)
    return SUCCESS


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
