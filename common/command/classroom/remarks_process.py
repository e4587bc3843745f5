"""Looks at a class's hand-ins for remarks in a process of its own, which the system ends where a file takes too much: what a student
wrote cannot keep a class from its marks. What was found is kept in the class's journal.

As a program it reads from stdin {"seconds": …, "memory": …, "files": [[lab's folder, file, {backend: module}]]}, and writes a line of
JSON for each file to stdout.
"""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading

from .. import files, interruption
from ..workbook import Lab
from . import remarks
from .journal import Journal
from .model import HandIn, Person, Remark

SECONDS = 10         # of processor time for one file; the largest that intake takes needs 4
MEMORY = 1 << 30     # bytes
PATIENCE = 300       # seconds on the clock: a net, for a machine that gives the process hardly any time
_OUT_OF_MEMORY = 70  # the program's exit status

_HERE = pathlib.Path(__file__).parent
_CODE = [_HERE / name for name in ("remarks.py", "remarks_process.py", "remarkable.py", "cpp_tokens.py", "module_symbols.py", "usual.json")]

Asked = tuple[HandIn, dict[str, pathlib.Path]]


def of_class(asked: list[Asked], journal: Journal) -> list[Remark]:
    """The remarks on hand-ins with their built modules by backend, in this order."""
    code = files.digest_below(_HERE, _CODE)
    keys = {hand_in.id: {"code": code, "file": files.digest(hand_in.file), "contract": files.digest(hand_in.lab.folder / "lab.hpp"),
                         "modules": {backend: files.digest(module) for backend, module in modules.items()}} for hand_in, modules in asked}
    found = {hand_in.id: journal.kept_remarks(hand_in.id, keys[hand_in.id]) for hand_in, _ in asked}
    missing = [each for each in asked if found[each[0].id] is None]
    while missing:
        said, status = _looked(missing)
        for (hand_in, _), told in zip(missing, said):
            found[hand_in.id] = told
            journal.keep_remarks(hand_in.id, keys[hand_in.id], told)
        if len(said) < len(missing):
            hand_in = missing[len(said)][0]
            why = {-signal.SIGPROF: f"that takes more than {SECONDS} s of processor time, as no student's file does",
                   _OUT_OF_MEMORY: f"that takes more than {MEMORY >> 20} MiB of memory, as no student's file does"}.get(status)
            found[hand_in.id] = [["not-looked-at", 0, f"The file was not looked at to its end: {why or 'the process was ended'}. Please read it "
                                                      "yourself."]]
            if why:
                journal.keep_remarks(hand_in.id, keys[hand_in.id], found[hand_in.id])
        missing = missing[len(said) + 1:]
    return [Remark(hand_in.id, kind, sentence, line) for hand_in, _ in asked for kind, line, sentence in found[hand_in.id]]


def _looked(asked: list[Asked]) -> tuple[list[list], int]:
    """What the program says of the hand-ins, up to one at which it was ended, and its status."""
    said: list[list] = []
    with tempfile.TemporaryFile() as question:
        these = [[str(hand_in.lab.folder), str(hand_in.file), {backend: str(module) for backend, module in modules.items()}]
                 for hand_in, modules in asked]
        question.write(json.dumps({"seconds": SECONDS, "memory": MEMORY, "files": these}).encode())
        question.seek(0)
        with interruption.held():
            process = subprocess.Popen([sys.executable, "-B", "-m", __name__], stdin=question, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, cwd=_HERE.parents[1], start_new_session=True)
    try:
        while True:
            watch = threading.Timer(PATIENCE, _kill, [process])
            watch.start()
            try:
                line = process.stdout.readline()
            finally:
                watch.cancel()
            if not line.endswith(b"\n"):
                break
            said.append(json.loads(line))
    finally:
        _kill(process)
        process.stdout.close()
        process.wait()
    return said, process.returncode


def _kill(process: subprocess.Popen) -> None:
    """Ends the process and all that it may have started."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)


def main() -> None:
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (asked["memory"], asked["memory"]))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for folder, file, modules in asked["files"]:
        signal.setitimer(signal.ITIMER_PROF, asked["seconds"])
        hand_in = HandIn(Person("", ""), Lab(pathlib.Path(folder)), pathlib.Path(file), "")
        try:
            found = remarks.remarks_of(hand_in, {backend: pathlib.Path(module) for backend, module in modules.items()})
        except MemoryError:
            os._exit(_OUT_OF_MEMORY)
        print(json.dumps([[remark.kind, remark.line, remark.sentence] for remark in found]), flush=True)


if __name__ == "__main__":
    main()
