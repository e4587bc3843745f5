"""A part of a class's hand-ins, in a file: what another process, on another machine or in a container, is to grade."""
from __future__ import annotations

import dataclasses
import json
import pathlib

from .. import files
from ..problem import Problem
from ..workbook import Workbook
from .engine import Engine, Plan
from .model import HandIn, Person
from .sandbox import Sandbox

FORMAT = 2


@dataclasses.dataclass(frozen=True)
class Task:
    """`compiler` is the host compiler that a wheel's programs compile with. `keys` are what the verdicts depend on, by lab: whoever grades with other programs is not to write a verdict."""

    preset: str
    compiler: str
    plan: Plan
    keys: dict[str, dict]
    hand_ins: list[HandIn]


def write(path: pathlib.Path, engine: Engine, plan: Plan, hand_ins: list[HandIn]) -> None:
    """Writes the task of grading `hand_ins` by `plan`. Raises OSError."""
    labs = {hand_in.lab.name: hand_in.lab for hand_in in hand_ins}
    document = {
        "format": FORMAT, "preset": engine.build.preset, "compiler": engine.build.compiler, "out": str(plan.out), "backends": plan.backends, "seed": plan.seed,
        "jobs": plan.jobs, "sandbox": dataclasses.asdict(plan.sandbox),
        "keys": {name: engine.keys.of_lab(lab) for name, lab in labs.items()},
        "hand_ins": [{"person": {"id": hand_in.person.id, "name": hand_in.person.name}, "lab": hand_in.lab.name,
                      "file": str(hand_in.file), "shown": hand_in.shown, "sha256": hand_in.sha256, "version": hand_in.version}
                     for hand_in in hand_ins]}
    files.write(path, json.dumps(document), lasting=True)


def read(path: pathlib.Path, workbook: Workbook) -> Task:
    """The task that write() has written. Raises Problem if it cannot be read."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        if said["format"] != FORMAT:
            raise ValueError("another version of the workbook has written it")
        plan = Plan(pathlib.Path(said["out"]), tuple(said["backends"]), said["seed"], said["jobs"], Sandbox(**said["sandbox"]))
        hand_ins = [HandIn(Person(**each["person"]), workbook.lab(each["lab"]), pathlib.Path(each["file"]), each["shown"], each["sha256"],
                           version=each["version"]) for each in said["hand_ins"]]
        return Task(said["preset"], said["compiler"], plan, said["keys"], hand_ins)
    except OSError as error:
        raise Problem(f"The task {path} cannot be read: {error.strerror}.",
                      ["The class's folder has to lie on a disk that all machines share, under the same path."]) from None
    except (ValueError, KeyError, TypeError) as error:
        raise Problem(f"{path} is no task: {error}.") from None


def require_same(task: Task, engine: Engine) -> None:
    """Raises Problem where this machine's programs are not those that the task was written with."""
    for hand_in in task.hand_ins:
        own, wanted = json.loads(json.dumps(engine.keys.of_lab(hand_in.lab))), task.keys[hand_in.lab.name]
        if own != wanted:
            parts = sorted(name for name in own.keys() | wanted.keys() if own.get(name) != wanted.get(name))
            raise Problem(f"This machine would grade {hand_in.lab.name} otherwise than the one that gave the task: "
                          f"different {', '.join(parts)}.",
                          [f"  {name}: {own.get(name)} here, {wanted.get(name)} there" for name in parts])
