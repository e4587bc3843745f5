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
import threading
import time
from collections.abc import Callable, Iterator


PATIENCE = 5  # seconds in which an interrupted program may clear up
MOST_SECONDS = 1800  # on the clock, of a compilation or a container; simtcc --submission ends one long before, by processor time
MOST_TEXT = 1 << 20  # bytes; what a compiler says beyond is not read


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
    """One line on stderr that counts `what`, if that is given; a terminal shows it in place, a log or a plain terminal at each quarter."""

    def __init__(self, what: str):
        self.what = what
        self.terminal = styled(sys.stderr)
        self.quarter = 0
        self.begun = time.monotonic()
        self.shown = False

    def step(self, done: int, total: int) -> None:
        if total <= 0 or not self.what:
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


class Ended(Exception):
    """It has been asked for that nothing more is run."""


class Running:
    """What threads run, other than the main one, which is the only one that is interrupted: it can be ended from any thread."""

    def __init__(self) -> None:
        self.is_ended = False
        self._lock = threading.Lock()
        self._ends: dict[int, Callable[[], None]] = {}  # how to end it, by process ids

    @contextlib.contextmanager
    def holding(self, process: int, end: Callable[[], None]) -> Iterator[None]:
        """Within it the process can be ended by `end`. Raises Ended if that has been asked for already."""
        with self._lock:
            if self.is_ended:
                end()
                raise Ended
            self._ends[process] = end
        try:
            yield
        finally:
            with self._lock:
                del self._ends[process]

    def processes(self) -> list[int]:
        with self._lock:
            return list(self._ends)

    def end(self) -> None:
        with self._lock:
            self.is_ended = True
            ends = list(self._ends.values())
        for end in ends:
            end()

    def run(self, command: list[str], environment: dict[str, str], folder: pathlib.Path, also: Callable[[], object] = lambda: None) -> tuple[int, str]:
        """Runs a compiler or a container; returns its status and what it said. `also` helps to end it."""
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
                              cwd=folder, start_new_session=True) as process:
            def end() -> None:  # simtcc ends its own processes when it is asked to end
                also()
                with contextlib.suppress(OSError):
                    os.killpg(process.pid, signal.SIGTERM)
                _after(PATIENCE, lambda: process.poll() is None and end_session(process, signal.SIGKILL))

            late = _after(MOST_SECONDS, end)
            try:
                with self.holding(process.pid, end):
                    said = process.stdout.read(MOST_TEXT)
                    while process.stdout.read(1 << 16):
                        pass
                    process.wait()
            finally:
                late.cancel()
        return process.returncode, said.decode(errors="replace")


def _after(seconds: float, action: Callable[[], object]) -> threading.Timer:
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()
    return timer


_NINJA_STEP = re.compile(r"^\[(\d+)/(\d+)\]")
_CTEST_STEP = re.compile(r"^\s*(\d+)/(\d+) Test\s+#\d+:")


def run(command: list[str], log: pathlib.Path | None = None, what: str = "",
        env: dict[str, str] | None = None, cwd: pathlib.Path | None = None,
        on_line: Callable[[str], None] | None = None, among: Running | None = None,
        own_session: bool = True) -> Outcome:
    """Runs `command`, keeps its output in `log`, and shows its steps as progress under the title `what`.

    Raises OSError if the program cannot be started. If interrupted, ends the program and all that it
    started before it lets the interrupt go on. No other thread than the main one is interrupted: that
    one ends what the others run `among` others. Without `own_session` it may ask for a terminal's rights, as sudo does.
    """
    progress = Progress(what)
    begun = time.monotonic()
    lines: list[str] = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace", env=env, cwd=cwd, start_new_session=own_session) as process:
        assert process.stdout is not None
        try:
            with (among or Running()).holding(process.pid, lambda: end_session(process)):
                for line in process.stdout:
                    lines.append(line.rstrip("\n"))
                    if on_line:
                        on_line(lines[-1])
                    step = _NINJA_STEP.match(line) or _CTEST_STEP.match(line)
                    if step:
                        progress.step(int(step.group(1)), int(step.group(2)))
                process.wait()
        except BaseException:
            end_session(process)
            raise
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
