"""./warpbook watch LAB: checks the student's file each time it is saved.

Five looks a second at the file see every way of saving: in place, by a new file that takes its name, and
through a network drive or a Windows folder, where the kernel tells nothing of changes. Each check is a process of its own
(./warpbook check --watched), so that it can be ended when the next save comes.
"""
from __future__ import annotations

import contextlib
import os
import pathlib
import select
import signal
import subprocess
import sys
import termios
import tty

from . import build_choice, files, interruption, language
from .backend import choose
from .language import N_, _
from .problem import SUCCESS
from .progress import end_session, styled
from .workbook import Lab, Workbook

PAUSE = 0.2  # seconds between two looks at the file, and for a key
KEYS = N_("h hint, a all that is wrong, Enter check again, q quit")


class Keys:
    """Single keys from the terminal that stdin is; none where it is no terminal."""

    def __init__(self) -> None:
        self._terminal = sys.stdin.fileno() if sys.stdin.isatty() else None
        self._before: list | None = None

    def __enter__(self) -> Keys:
        if self._terminal is not None:
            self._before = termios.tcgetattr(self._terminal)
            self._listen()
            signal.signal(signal.SIGCONT, lambda number, frame: self._listen())  # the shell has set it otherwise meanwhile
        return self

    def __exit__(self, *problem) -> None:
        if self._terminal is not None:
            signal.signal(signal.SIGCONT, signal.SIG_DFL)
            with contextlib.suppress(termios.error):  # it is gone
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

    def _listen(self) -> None:
        with contextlib.suppress(termios.error):  # a terminal that is closed sends SIGCONT, too
            tty.setcbreak(self._terminal, termios.TCSANOW)

    def pressed(self, seconds: float) -> str:
        """The next key within so many seconds, or ""; "q" once the terminal is gone."""
        if self._terminal is None:
            select.select([], [], [], seconds)
            return ""
        if not select.select([self._terminal], [], [], seconds)[0]:
            return ""
        try:
            return os.read(self._terminal, 1).decode("ascii", errors="replace") or "q"
        except OSError:
            return "q"


class Watched:
    """The student's file: whether it says something else than when it was last asked."""

    def __init__(self, path: pathlib.Path):
        self._path = path
        self._stamp: list[int] | None = None
        self._digest: str | None = None

    def look(self) -> str:
        """"changed", "gone" when it has just gone, or ""."""
        stamp = files.stamp(self._path)
        if stamp == self._stamp:
            return ""
        self._stamp, before = stamp, self._digest
        self._digest = files.digest(self._path)
        return "" if self._digest == before else "changed" if self._digest else "gone"


class Watch:
    def __init__(self, workbook: Workbook, lab: Lab, everything: bool):
        self._workbook, self._lab, self._everything = workbook, lab, everything
        self._shown = workbook.shown(lab.starter)
        self._child: subprocess.Popen | None = None
        self._waiting = ""  # the line that stands below the last verdict in a terminal, if it is the last one

    def run(self) -> int:
        file = Watched(self._lab.starter)
        with Keys() as keys:
            try:
                while (key := keys.pressed(PAUSE)) != "q":
                    seen = file.look()
                    if seen == "gone":
                        self._end()
                        self._say(_("{file} is not there. It is checked when it is back.", file=self._shown))
                    elif seen == "changed" or key in ("\n", "r"):
                        self._check()
                    elif key == "a":
                        self._check("--all")
                    elif key == "h":
                        self._start("hint", self._lab.number, "--watched")
                    self._notice_end()
            except KeyboardInterrupt as interrupt:
                if interrupt.args:  # not by Ctrl-C, which is one way to quit
                    raise
            finally:
                self._end()
        print()
        return SUCCESS

    def _check(self, *options: str) -> None:
        self._start("check", self._lab.number, "--watched", *(["--all"] if self._everything and not options else []), *options)

    def _start(self, *words: str) -> None:
        self._end()
        self._take_back()
        with interruption.held():
            self._child = subprocess.Popen([sys.executable, str(self._workbook.root / "warpbook"), *words],
                                           stdin=subprocess.DEVNULL, start_new_session=True)

    def _notice_end(self) -> None:
        if self._child is not None and self._child.poll() is not None:
            self._child = None
            line = _("Watching {file}", file=self._shown) + (f": {_(KEYS)}" if sys.stdin.isatty() else "")
            self._say(line)
            self._waiting = line if styled(sys.stdout) else ""

    def _end(self) -> None:
        """Ends the check that is under way, if one is; it ends what it has started. SIGINT would make a Python that has just
        been started print a traceback."""
        if self._child is not None:
            end_session(self._child, signal.SIGTERM)
        self._child = None

    def _take_back(self) -> None:
        """What comes next stands in the place of the line that says what can be done; it is below that again."""
        if self._waiting:
            rows = -(-language.width_of(self._waiting) // max(os.get_terminal_size(sys.stdout.fileno()).columns, 1))
            print(f"\033[{rows}A\033[J", end="", flush=True)
        self._waiting = ""

    def _say(self, text: str) -> None:
        self._waiting = ""
        print(f"\033[2m{text}\033[0m" if styled(sys.stdout) else text, flush=True)


def run(workbook: Workbook, arguments) -> int:
    lab = workbook.lab(arguments.lab)
    build_choice.set_up(workbook, choose().preset, [lab])  # asks for what is missing, before the keys are ours
    return Watch(workbook, lab, arguments.all).run()
