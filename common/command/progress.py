"""Runs long commands: quiet when they succeed, their relevant output when they fail."""
from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable


PATIENCE = 5  # seconds in which an interrupted program may clear up


@dataclasses.dataclass
class Outcome:
    status: int
    lines: list[str]
    seconds: float


def styled(stream) -> bool:
    """Whether `stream` may get escape codes: it is a terminal that knows them, and its user wants them."""
    knows = os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    return stream.isatty() and knows and not os.environ.get("NO_COLOR")


class Progress:
    """One line on stderr that counts; a terminal shows it in place, a log or a plain terminal at each quarter."""

    def __init__(self, what: str):
        self.what = what
        self.terminal = styled(sys.stderr)
        self.quarter = 0
        self.begun = time.monotonic()
        self.shown = False

    def step(self, done: int, total: int) -> None:
        if total <= 0:
            return
        if self.terminal:
            print(f"\r\033[K{self.what}  {done}/{total}", end="", file=sys.stderr, flush=True)
            self.shown = True
        elif total > 1 and 4 * done // total > self.quarter and time.monotonic() - self.begun > 5:
            self.quarter = 4 * done // total
            print(f"{self.what}  {done}/{total}", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def end_session(process: subprocess.Popen, by: signal.Signals = signal.SIGINT) -> None:
    """Interrupts `process`, which leads a session, as Ctrl-C would; kills what is left of it after a while.

    Returns when nothing of the session runs any more: what is killed may have started something meanwhile, and on a busy
    machine it takes its time to die.
    """
    with contextlib.suppress(OSError):
        os.killpg(process.pid, by)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while (members := session_members(process.pid)) and time.monotonic() < deadline:
        for member in members:
            with contextlib.suppress(OSError):
                os.kill(member, signal.SIGKILL)
        time.sleep(0.01)
        process.poll()  # else it would be found for ever


def session_members(session: int) -> list[int]:
    """The processes of a session: ninja gives each command a group of its own, but never a session."""
    members = []
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError):
            if os.getsid(int(entry)) == session:
                members.append(int(entry))
    return members


_NINJA_STEP = re.compile(r"^\[(\d+)/(\d+)\]")
_CTEST_STEP = re.compile(r"^\s*(\d+)/(\d+) Test\s+#\d+:")


def run(command: list[str], log: pathlib.Path | None = None, what: str = "",
        env: dict[str, str] | None = None, cwd: pathlib.Path | None = None,
        on_line: Callable[[str], None] | None = None, among: list[subprocess.Popen] | None = None) -> Outcome:
    """Runs `command`, keeps its output in `log`, and shows its steps as progress under the title `what`.

    Raises OSError if the program cannot be started. If interrupted, ends the program and all that it
    started before it lets the interrupt go on. No other thread than the main one is interrupted: that
    one ends what the others have put into `among`.
    """
    progress = Progress(what) if what else None
    begun = time.monotonic()
    lines: list[str] = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", env=env, cwd=cwd, start_new_session=True) as process:
        assert process.stdout is not None
        if among is not None:
            among.append(process)
        try:
            for line in process.stdout:
                lines.append(line.rstrip("\n"))
                if on_line:
                    on_line(lines[-1])
                step = _NINJA_STEP.match(line) or _CTEST_STEP.match(line)
                if progress and step:
                    progress.step(int(step.group(1)), int(step.group(2)))
            process.wait()
        except BaseException:
            end_session(process)
            raise
    if progress:
        progress.close()
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("$ " + " ".join(command) + "\n" + "\n".join(lines) + "\n")
    return Outcome(process.returncode, lines, time.monotonic() - begun)


def relevant(lines: list[str], limit: int = 40) -> list[str]:
    """The part of a failed build's output that says why: from the first failure on, `limit` lines at most."""
    start = next((i for i, line in enumerate(lines)
                  if line.startswith(("FAILED:", "CMake Error", "ninja: error")) or re.search(r"\berror:", line)), None)
    chosen = lines[start:] if start is not None else lines[-limit:]
    if chosen and chosen[0].startswith("FAILED:") and len(chosen) > 1 and not re.search(r"\berror:", chosen[1]):
        chosen = [chosen[0], *chosen[2:]]  # the compiler's whole command line helps no reader
    chosen = [line if len(line) <= 400 else line[:400] + " …" for line in chosen]
    if len(chosen) > limit:
        chosen = [*chosen[:limit], f"… {len(chosen) - limit} more lines"]
    return chosen


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
