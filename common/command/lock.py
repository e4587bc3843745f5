"""One command at a time where two would spoil each other's files."""
from __future__ import annotations

import contextlib
import fcntl
import pathlib
import sys
from collections.abc import Iterator

from .language import _
from .workbook import Workbook


@contextlib.contextmanager
def held(workbook: Workbook, folder: pathlib.Path, name: str) -> Iterator[None]:
    """Holds the file `name` in `folder` locked, after whoever else does. Ends with the process at the latest."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / name, "w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print(_("Another ./warpbook is at work in {folder}; waiting for it.", folder=workbook.shown(folder)), file=sys.stderr, flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)  # closing is not enough where a fork has the file, too
