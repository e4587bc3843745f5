"""A miniature workbook with a lab of two TODOs, and a terminal that the command runs in, for the tests of the learner's loop."""
from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import re
import select
import signal
import struct
import sys
import termios
import time

from fakes import pseudo_terminal
from small_workbook import SmallWorkbook

LIMIT = 30  # seconds to wait for what is sure to come

STARTER = """\
// A lab in miniature.
// TODO(1): the first half
// Write it here.
// END TODO(1)
int given;
// TODO(2): the second half
// Write it here, too.
// END TODO(2)
"""

HINTS = "# Hints\n" + "".join(
    f"\n## TODO({number}): {name}\n" + "".join(
        f"\n<details><summary>Hint {depth}: {title}</summary>\n\nHint {depth} of TODO({number}).\n{more}\n</details>\n"
        for depth, (title, more) in enumerate((("a question", ""), ("the parts", ""), ("nearly the answer", "\n```cpp\n  int i;\n```\n")), 1))
    for number, name in ((1, "`first`"), (2, "second")))

PASSED = {"status": "passed"}
WRONG = {"status": "failed", "diagnoses": ["wrong-result"], "reason": "a[3] is 1 and should be 2. So it is too small.",
         "details": [{"kind": "call", "text": "In the call first(a[8]).", "id": "first(a[8])"}]}


class LearnersWorkbook(SmallWorkbook):
    def setUp(self) -> None:
        super().setUp()
        self.kept = self.starter.with_name("coalescing.cu.starter")
        for path in (self.starter, self.kept):
            path.write_text(STARTER)
        self.hints = self.starter.with_name("hints.md")
        self.hints.write_text(HINTS)

    def attempt(self, first: dict | None = None, second: dict | None = None, comment: str = "") -> str:
        """Writes the student's file: what becomes of each TODO's item, which is not begun if nothing is said of it."""
        text = STARTER
        for number, said, open_ in ((1, first, "// Write it here.\n"), (2, second, "// Write it here, too.\n")):
            if said is not None:
                place = {"number": number, "line": 2 if number == 1 else 6} if said["status"] == "failed" else None
                text = text.replace(open_, f"// judge({number}): {json.dumps({'todo': place, **said})}\n{comment}")
        self.starter.write_text(text)
        return text

    def check(self, *options: str) -> str:
        return self.warpbook("check", "1", *options)[1]

    def break_the_grader(self) -> None:
        """Whatever is judged from now on ends with a Problem."""
        (self.root / "judge.py").write_text("import sys\nsys.exit('no file is to be judged')\n")

    def backups(self) -> list[pathlib.Path]:
        return sorted(self.starter.parent.glob("*.bak"))

    @contextlib.contextmanager
    def terminal(self, *arguments: str, columns: int = 80):
        """The command in a terminal of its own, which it is the first process of."""
        master, slave = pseudo_terminal()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        before = termios.tcgetattr(slave)
        child = os.fork()
        if child == 0:
            os.close(master)
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            os.dup2(slave, 0)
            sys.stdin = open(0, encoding="utf-8")
            for name in ("COLUMNS", "LINES", "NO_COLOR"):
                os.environ.pop(name, None)
            self._become_warpbook(arguments, self.root, (slave, slave), {"TERM": "xterm-256color"})
        shown = Terminal(child, master, slave, before)
        try:
            yield shown
            self.assertNotIn("Traceback", shown.text)
        finally:
            shown.close()

    def processes(self) -> list[str]:
        """The command lines of everything that runs for this workbook, this process left out."""
        found = []
        for entry in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                words = pathlib.Path("/proc", entry, "cmdline").read_bytes() if entry.isdigit() else b""
                if str(self.root).encode() in words and int(entry) != os.getpid():
                    found.append(words.replace(b"\0", b" ").decode(errors="replace"))
        return found

    def wait_for(self, condition, what: str) -> None:
        until = time.monotonic() + LIMIT
        while not condition():
            self.assertLess(time.monotonic(), until, f"{what} never came about; {self.processes()}")
            time.sleep(0.02)


class Terminal:
    """What a process shows on its terminal, and what is typed there. `text` is without what was erased by its own line, and a
    form feed in it is a cleared screen."""

    def __init__(self, child: int, master: int, slave: int, before: list):
        self.child, self._master, self._slave, self._before = child, master, slave, before
        self._raw = b""
        self._seen = 0  # of text
        self.status: int | None = None
        self.is_open = True

    @property
    def text(self) -> str:
        plain = re.sub(r"[^\n]*\r\x1b\[K", "", self._raw.decode("utf-8", errors="ignore"))
        plain = plain.replace("\r", "").replace("\x1b[2J", "\f")
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b(\[[0-9;?]*)?$", "", plain)

    def _read(self, seconds: float) -> None:
        if select.select([self._master], [], [], seconds)[0]:
            self._raw += os.read(self._master, 65536)

    def until(self, pattern: str) -> str:
        """Everything new up to what `pattern` matches."""
        limit = time.monotonic() + LIMIT
        while not (found := re.compile(pattern).search(text := self.text, self._seen)):
            if time.monotonic() > limit:
                raise AssertionError(f"{pattern!r} never came:\n{text}")
            self._read(0.1)
        before, self._seen = self._seen, found.end()
        return text[before:self._seen]

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def end(self, again: str = "") -> int:
        """The exit status, once the process has ended by itself. `again` is typed each second: an interrupt between Python's
        prompt and its waiting for a key is noticed with the next key."""
        limit, typed = time.monotonic() + LIMIT, time.monotonic()
        while self.status is None:
            if again and time.monotonic() > typed + 1:
                self.type(again)
                typed = time.monotonic()
            if time.monotonic() > limit:
                raise AssertionError(f"it does not end:\n{self.text}")
            self._read(0.02)
            pid, status = os.waitpid(self.child, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        self._read(0)
        return self.status

    def set_back(self) -> None:
        """Gives the terminal the settings that it had at first, as a shell does for itself when a program is stopped."""
        termios.tcsetattr(self._slave, termios.TCSANOW, self._before)

    def hang_up(self) -> int:
        """Takes the terminal away; returns the exit status. The process is stopped meanwhile, so that it gets SIGHUP and the
        SIGCONT that a terminal sends behind it at once."""
        os.kill(self.child, signal.SIGSTOP)
        os.waitpid(self.child, os.WUNTRACED)
        os.close(self._slave)
        os.close(self._master)
        self.is_open = False
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        return self.status

    def is_as_before(self) -> bool:
        """Whether the terminal's settings are those that it had at first."""
        return termios.tcgetattr(self._slave) == self._before

    def close(self) -> None:
        if self.status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.child, signal.SIGTERM)
            self.end()
        if self.is_open:
            os.close(self._master)
            os.close(self._slave)
