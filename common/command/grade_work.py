"""./warpbook grade-work FILE: grades what a task file lists, for ./warpbook grade, which reads the verdicts in the journal."""
from __future__ import annotations

import pathlib
import sys

from . import build_choice
from .backend import Backend
from .classroom import task
from .classroom.engine import Engine
from .problem import SUCCESS
from .workbook import Workbook


def run(workbook: Workbook, arguments) -> int:
    asked = task.read(pathlib.Path(arguments.task), workbook)
    labs = list(dict.fromkeys(hand_in.lab for hand_in in asked.hand_ins))
    build = build_choice.chosen(workbook, Backend(asked.preset, ""), labs, setup={"compiler": asked.compiler, "python": sys.executable})
    engine = Engine(build, asked.plan)
    asked.plan.sandbox.require(engine.build)
    task.require_same(asked, engine)
    engine.grade(engine.missing(asked.hand_ins),
                 lambda at_work, done: done and print(f"{done.id} is graded.", flush=True))
    return SUCCESS
