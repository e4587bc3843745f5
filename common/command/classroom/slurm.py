"""The hand-ins of a class as a job array on a Slurm cluster: `grade --engine slurm`.

The class's folder lies on a disk that all nodes share. Each task of the array grades some hand-ins and writes their verdicts
into the journal, which is all that is ever asked for what became of it: a task that was lost in any way has left some out, and
those are sent once more.
"""
from __future__ import annotations

import collections
import dataclasses
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

from .. import files
from ..problem import Problem
from . import memory, task
from .engine import Engine, Stopped
from .model import HandIn

ROUNDS = 4  # so often a hand-in is sent
MOST_TASKS = 500  # of one array; Slurm's own limit is 1001 by default
LEAST_IN_A_TASK = 4  # hand-ins: a task takes a second before its first
SILENCE = 600  # seconds for which the controller may not answer
_POLLS = (0.5, 0.5, 1, 1, 1, 2, 2, 2, 2, 5)  # seconds between two looks; the last for ever
_LOOKS_AFTERWARDS = 2  # at the journal, once all tasks have ended: a shared disk may be late
#: Reasons for which a task waits that only a person could end.
_HOPELESS = ("launch failed requeued held", "JobHeldAdmin", "JobHeldUser", "BadConstraints", "PartitionTimeLimit",
             "DependencyNeverSatisfied")


@dataclasses.dataclass(frozen=True)
class Waiting:
    """A task of an array that has not ended: its number, state (PD, R, CG, …), and why it waits."""

    number: str
    state: str
    reason: str


class Cluster:
    """Slurm's commands. Raises Problem where there are none."""

    def __init__(self) -> None:
        missing = [name for name in ("sbatch", "squeue", "scancel") if not shutil.which(name)]
        if missing:
            raise Problem(f"--engine slurm needs Slurm's commands, and {', '.join(missing)} is not on the PATH.",
                          ["Run it on a machine from which jobs are submitted, or without --engine slurm."])
        self._silent_since: float | None = None

    def submit(self, script: pathlib.Path, options: list[str]) -> str:
        """Submits an array; returns its job's number."""
        done = _said(["sbatch", "--parsable", *options, str(script)])
        number = done.stdout.strip().partition(";")[0]
        if done.returncode != 0 or not number.isdigit():
            raise Problem("Slurm did not take the job:", ["  " + line for line in done.stderr.splitlines()[-5:]]
                          + [f"The script is {script}; --slurm-options gives options to sbatch."])
        return number

    def waiting(self, job: str) -> list[Waiting] | None:
        """The tasks that have not ended; None if the controller does not answer. Raises Stopped if it has not for long."""
        done = _said(["squeue", "--noheader", "--array", "--jobs", job, "--format", "%K|%t|%r"])
        if done.returncode != 0 and "Invalid job id" not in done.stderr:
            self._silent_since = self._silent_since or time.monotonic()
            if time.monotonic() - self._silent_since > SILENCE:
                raise Stopped(f"Slurm has not answered for {SILENCE // 60} minutes.",
                              ["  " + line for line in done.stderr.splitlines()[-2:]])
            return None
        self._silent_since = None
        parts = (line.split("|", 2) for line in done.stdout.splitlines() if line.count("|") >= 2)
        return [Waiting(number.strip(), state.strip(), reason.strip()) for number, state, reason in parts]

    def cancel(self, job: str) -> None:
        _said(["scancel", job])

    def name_of(self, job: str) -> str:
        return _said(["squeue", "--noheader", "--jobs", job, "--format", "%j"]).stdout.strip().partition("\n")[0]


def _end(cluster: Cluster, job: str) -> None:
    """Cancels the array, and waits a moment until its tasks have ended."""
    cluster.cancel(job)
    for _ in range(20):
        if not cluster.waiting(job):
            break
        time.sleep(0.5)


def name_for(out: pathlib.Path) -> str:
    """What the arrays of a class are called, by which a later command knows them."""
    return "warpbook-" + hashlib.sha256(os.fsencode(out)).hexdigest()[:12]


def end_leftover(out: pathlib.Path, say: Callable[[str], None]) -> None:
    """Ends the array of an earlier command that was killed: two tasks are not to grade one hand-in."""
    try:
        job = (out / "slurm" / "job").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return
    if job.isdigit() and shutil.which("squeue"):
        cluster = Cluster()
        if cluster.name_of(job) == name_for(out):
            say(f"An earlier command has left job {job} behind; it is cancelled.")
            _end(cluster, job)


def _said(command: list[str]) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=120,
                              check=False, start_new_session=True)  # Ctrl-C is for this process alone
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"{command[0]} did not answer for 120 s")


class SlurmEngine:
    """Grades hand-ins as Engine does, on a cluster. `options` are for sbatch; `told` says in a line what is unusual."""

    def __init__(self, engine: Engine, options: str, say: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True)):
        try:
            self._options = shlex.split(options)
        except ValueError as error:
            raise Problem(f"--slurm-options '{options}' cannot be read: {error}.") from None
        self._engine, self._say = engine, say
        self._cluster = Cluster()
        self._folder = engine.plan.out / "slurm"

    def grade(self, hand_ins: list[HandIn], told: Callable[[list[HandIn], HandIn | None], None]) -> None:
        """Grades `hand_ins`; raises Stopped if some have no verdict in the end."""
        self._folder.mkdir(parents=True, exist_ok=True)
        left = list(hand_ins)
        stamps = {hand_in.id: self._stamp(hand_in) for hand_in in left}
        for round_ in range(ROUNDS):
            if not left:
                return
            if round_:
                self._say(f"{len(left)} hand-ins have no verdict yet: their tasks were lost. They are sent once more "
                          f"({round_ + 1} of {ROUNDS}).")
            chunk = max(LEAST_IN_A_TASK * self._engine.plan.jobs >> 2 * round_, 1, -(-len(left) // MOST_TASKS))
            left = self._round(left, chunk, stamps, told)
        if left:
            raise Stopped(f"{len(left)} hand-ins have no verdict after {ROUNDS} tries:",
                          [*(f"  {hand_in.id} ({hand_in.shown})" for hand_in in left[:20]), *self._last_words(),
                           f"What the tasks said lies in {self._folder}."])

    def _stamp(self, hand_in: HandIn) -> list[int]:
        """Another one once the journal has something new on a hand-in."""
        return files.stamp(self._engine.journal.folder / f"{hand_in.id}.json")

    def _round(self, hand_ins: list[HandIn], chunk: int, stamps: dict[str, list[int]], told) -> list[HandIn]:
        """Sends the hand-ins and waits for their tasks. Returns those without a verdict."""
        tasks = [hand_ins[first:first + chunk] for first in range(0, len(hand_ins), chunk)]
        folder = self._engine.plan.out / "work" / "tasks"
        shutil.rmtree(folder, ignore_errors=True)
        for number, part in enumerate(tasks):
            task.write(folder / f"{number}.json", self._engine, self._engine.plan, part)
        job = self._cluster.submit(self._write_script(folder, len(tasks)), self._options)
        try:
            files.write(self._folder / "job", job, lasting=True)
            return self._wait(job, tasks, stamps, told)
        except BaseException:
            _end(self._cluster, job)
            raise

    def _write_script(self, folder: pathlib.Path, tasks: int) -> pathlib.Path:
        plan, workbook = self._engine.plan, self._engine.build.workbook
        script = self._folder / "array.sh"
        most = (memory.allowed(plan.jobs) >> 20) + 512
        command = shlex.join([sys.executable, str(workbook.root / "warpbook"), "--build", str(workbook.build_root), "grade-work"])
        files.write(script, f"""\
#!/bin/sh
#SBATCH --job-name={name_for(plan.out)}
#SBATCH --array=0-{tasks - 1}
#SBATCH --cpus-per-task={plan.jobs}
#SBATCH --mem={most}M
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={_pattern(self._folder)}/%A_%a.log
exec {command} {shlex.quote(str(folder))}/"$SLURM_ARRAY_TASK_ID".json
""")
        return script

    def _wait(self, job: str, tasks: list[list[HandIn]], stamps: dict[str, list[int]], told) -> list[HandIn]:
        """Waits until all tasks of the array have ended, and tells each verdict that comes."""
        by_id = {hand_in.id: hand_in for part in tasks for hand_in in part}
        missing = dict(by_id)
        said, settled = "", 0
        polls = collections.deque(_POLLS)
        while True:
            waiting = self._cluster.waiting(job)  # before the journal is read: what has ended has written by then
            running = {each.number for each in waiting or [] if each.state in ("R", "CG")}
            at_work = [hand_in for number in running if number.isdigit() for hand_in in tasks[int(number)][:1] if hand_in.id in missing]
            os.listdir(self._engine.journal.folder.parent)  # a network's file system looks at its server again
            for hand_in in list(missing.values()):
                if self._stamp(hand_in) != stamps[hand_in.id] and self._engine.verdict(hand_in):
                    stamps[hand_in.id] = self._stamp(hand_in)
                    told(at_work, missing.pop(hand_in.id))
            told(at_work, None)
            settled = settled + 1 if waiting == [] else 0
            if settled > _LOOKS_AFTERWARDS or not missing:
                if waiting:  # a lost task that Slurm has put back into its queue
                    self._cluster.cancel(job)
                return list(missing.values())
            for each in waiting or []:
                if each.reason in _HOPELESS:
                    self._cluster.cancel(f"{job}_{each.number}")
            why = collections.Counter(each.reason for each in waiting or []
                                      if each.state == "PD" and each.reason not in ("None", "Priority"))
            sentence = "; ".join(f"{count} tasks wait: {reason}" for reason, count in why.most_common(2)) if not running else ""
            if sentence and sentence != said:
                self._say(f"Slurm, job {job}: {sentence}")
            said = sentence
            time.sleep(1 if settled else polls[0] if len(polls) == 1 else polls.popleft())

    def _last_words(self) -> list[str]:
        """What the newest log of a task ends with."""
        logs = sorted(self._folder.glob("*.log"), key=lambda path: path.stat().st_mtime_ns)
        return ["  " + line for line in (logs[-1].read_text(errors="replace").splitlines()[-5:] if logs else [])]


def _pattern(path: pathlib.Path) -> str:
    """`path` in a pattern of Slurm's for names of files, as a word of the script's options."""
    return re.sub(r"([\s\"'\\])", r"\\\1", str(path).replace("%", "%%"))
