"""How much memory the hand-ins at work use together, and what is done before it is too much.

A submission's runner may use 1 GiB (the simulator's device memory, and its own), and few do. So hand-ins are started without a
reserve for that; the hungriest is ended where they use too much together, and graded again when nothing else is at work.
"""
from __future__ import annotations

import os
import pathlib
import time

FOR_A_JOB = 512 << 20
LEAST = 1 << 30  # bytes: with these, and with the growth between two looks, two processors stay below 1.5 GiB
_PAGE = os.sysconf("SC_PAGE_SIZE")


def allowed(jobs: int) -> int:
    """How many bytes so many jobs may use together."""
    return max(LEAST, (jobs - 1) * FOR_A_JOB)


def used_by(process: int) -> int:
    """Resident bytes of a process and of all that it has started; memory that two of them share counts twice."""
    try:
        own = int(pathlib.Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * _PAGE
        threads = os.listdir(f"/proc/{process}/task")
    except (OSError, IndexError, ValueError):
        return 0
    for thread in threads:
        try:
            children = pathlib.Path(f"/proc/{process}/task/{thread}/children").read_text(encoding="ascii").split()
        except OSError:
            continue
        own += sum(used_by(int(child)) for child in children)
    return own


class Watch:
    """Keeps jobs below so many bytes together, without looking at every process each time: the system's memory says first
    whether something has grown."""

    STEP = 128 << 20  # bytes that the system has less, and that are a reason to look
    SELDOM = 0.5  # seconds between two looks at most

    def __init__(self, most: int):
        self._most = most
        self._available, self._looked = 0, 0.0

    def look(self, jobs: list) -> None:
        """Ends the hungriest of several jobs until those that are left do not use too much together."""
        available, now = _available(), time.monotonic()
        self._available = max(self._available, available)
        if len(jobs) < 2 or (available > self._available - self.STEP and now - self._looked < self.SELDOM):
            return
        self._available, self._looked = available, now
        used = {job: sum(map(used_by, job.processes())) for job in jobs}
        while len(used) > 1 and sum(used.values()) > self._most:
            hungriest = max(used, key=used.get)
            hungriest.end_for("memory")
            del used[hungriest]


def _available() -> int:
    """Bytes that the system could give without swapping; 0 where it does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            return next((int(line.split()[1]) << 10 for line in file if line.startswith("MemAvailable:")), 0)
    except (OSError, ValueError, IndexError):
        return 0
