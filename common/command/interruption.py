"""How SIGINT, SIGTERM and SIGHUP end the command: as one KeyboardInterrupt.

A second signal would come while the first one's is at work, and leave behind what that is just ending. Its arguments are the
signal's number, none for Ctrl-C.
"""
from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator

_SIGNALS = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL, signal.SIGHUP: signal.SIG_DFL}
_holding = 0  # how many held() are open
_waits = False  # until the last of them is closed
_interrupt: KeyboardInterrupt | None = None  # the one


def _ignored(number: int, frame: object) -> None:
    """Not SIG_IGN: Python would complain of a signal that is on its way already, and what is started next would inherit it."""


def _arrived(number: int, frame: object) -> None:
    global _interrupt, _waits
    for each in _SIGNALS:
        if signal.getsignal(each) is _arrived:
            signal.signal(each, _ignored)
    _interrupt = KeyboardInterrupt() if number == signal.SIGINT else KeyboardInterrupt(number)
    _waits = _holding > 0
    if not _waits:
        raise _interrupt


def _again(number: int, frame: object) -> None:
    assert _interrupt
    raise _interrupt


def _swallowed(unraisable: sys.UnraisableHookArgs) -> None:
    """What comes within a callback of Python's own, such as that of an import's lock, ends there. So it comes again behind it."""
    if unraisable.exc_value is None or unraisable.exc_value is not _interrupt:
        return sys.__unraisablehook__(unraisable)
    signal.signal(signal.SIGALRM, _again)
    signal.setitimer(signal.ITIMER_REAL, 0.001)


def listen() -> None:
    """From here on. Who has asked for a signal to be ignored, such as nohup, is obeyed."""
    sys.unraisablehook = _swallowed
    for each, usual in _SIGNALS.items():
        if signal.getsignal(each) in (usual, _arrived):
            signal.signal(each, _arrived)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """No interrupt comes within, but at its end: for the start of a process, until it is known to whoever ends it."""
    global _holding, _waits
    _holding += 1
    try:
        yield
    finally:
        _holding -= 1
        if _waits and not _holding:
            _waits = False
            assert _interrupt
            raise _interrupt
