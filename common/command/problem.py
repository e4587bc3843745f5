"""The one way in which a verb gives up: a sentence for the reader and an exit status."""
from __future__ import annotations

import errno
import os

#: Exit statuses of every verb.
SUCCESS = 0
NOT_YET = 1  # points are missing, or a test failed
SETUP = 2  # usage, set-up or a broken workbook: nothing was graded


_FULL = ("No space left on device", "Disk quota exceeded", "File size limit exceeded", "File too large")


class Problem(Exception):
    """Ends the command with `sentence` on stderr, `details` under it, and `status`."""

    def __init__(self, sentence: str, details: list[str] | None = None, status: int = SETUP):
        super().__init__(sentence)
        self.sentence = sentence
        self.details = details or []
        self.status = status


def disk_is_full(lines: list[str], where: object) -> Problem | None:
    """The Problem that a tool's output tells of, if it is that it could not write any more."""
    said = next((line.strip() for line in lines if any(words in line for words in _FULL)), None)
    if said is None:
        return None
    return Problem(f"There is no room left to write under {where}.",
                   ["  " + said[:300], "Make room (`df -h .` and `du -sh build` show where it went), and try again. "
                    "Your own files are as they were."])


def from_os_error(error: OSError) -> Problem:
    """What a failed file operation means for the reader."""
    what = f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return disk_is_full([what if any(w in what for w in _FULL) else _FULL[0]], error.filename or os.getcwd())
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return Problem(f"{what}.", ["Warpbook builds into build/ beside itself. Name a folder that you may write to, as in "
                                    "./warpbook --build ~/warpbook-build check 01, or run it from a copy of your own."])
    return Problem(f"{what}.", ["WARPBOOK_DEBUG=1 shows where that happened."])
