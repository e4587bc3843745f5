"""How far the grading of a class is: on a terminal one line that changes, elsewhere a line now and then. All on stderr."""
from __future__ import annotations

import sys
import time

from ..progress import styled
from .model import HandIn

OFTEN = 5  # seconds between two lines of a log at least
SELDOM = 60  # and at most
_TENTHS = 10  # a line of a log for each of so many parts


def duration(seconds: float) -> str:
    """About how long, for people: 40 s, 6 min, 2 h 5 min."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


class Shown:
    """Counts hand-ins. `total` are to be graded now."""

    def __init__(self, total: int):
        self._total, self._done = total, 0
        self._begun = self._said = time.monotonic()
        self._tenth = 0
        self._at_work: list[str] = []
        self._bar = None
        if styled(sys.stderr) and total:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._bar = Progress(TextColumn("Grading"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False),
                                 console=Console(stderr=True, highlight=False, markup=False, emoji=False), auto_refresh=False,
                                 transient=True)
            self._task = self._bar.add_task("", total=total)
            self._bar.start()

    def left(self) -> str:
        """How long the rest will take, judged by what is done; "" before anything is."""
        if not self._done or self._done == self._total:
            return ""
        return f"about {duration((time.monotonic() - self._begun) / self._done * (self._total - self._done))} left"

    def __call__(self, at_work: list[HandIn], done: HandIn | None) -> None:
        names = [hand_in.id for hand_in in at_work]
        self._done += done is not None
        if self._bar:
            if names != self._at_work or done:
                description = "  ".join(filter(None, [self.left(), ", ".join(names)]))
                self._bar.update(self._task, completed=self._done, description=description, refresh=True)
        elif done:
            self._say_line(names)
        self._at_work = names

    def _say_line(self, names: list[str]) -> None:
        tenth, since = _TENTHS * self._done // self._total, time.monotonic() - self._said
        if self._done < self._total and since > OFTEN and (tenth > self._tenth or since > SELDOM):
            self._tenth, self._said = tenth, time.monotonic()
            at_work = f"; at work: {', '.join(names)}" if names else ""
            print(f"Graded {self._done} of {self._total}, {self.left()}{at_work}", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._bar:
            self._bar.stop()
