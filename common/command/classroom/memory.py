"""How much memory the hand-ins at work use together, and what is done before it is too much.

A submission's runner may use 1 GiB (the simulator's device memory, and its own), and few do. So hand-ins are started without a
reserve for that; the hungriest is ended where they use too much together, and graded again when nothing else is at work.
"""
from __future__ import annotations

import os
import pathlib

#: Bytes for each job: with two of them, and with the growth between two looks, a class stays below 1.5 GiB.
FOR_A_JOB = 512 << 20
LEAST = 1 << 30
_PAGE = os.sysconf("SC_PAGE_SIZE")


def allowed(jobs: int) -> int:
    """How many bytes so many jobs may use together."""
    return max(LEAST, jobs * FOR_A_JOB)


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


def keep_below(most: int, jobs: list) -> None:
    """Ends the hungriest of several jobs if they use more than `most` bytes together."""
    if len(jobs) < 2:
        return
    used = {job: sum(map(used_by, job.processes())) for job in jobs}
    if sum(used.values()) > most:
        max(jobs, key=used.get).end("memory")
