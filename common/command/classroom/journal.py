"""The verdicts of a class, kept as they come: one file for each hand-in, so that a run that was ended goes on.

An entry holds the key that its verdict depends on. Whoever reads it says which key is wanted; an entry with another key, or one
that cannot be read, is as good as none.
"""
from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib

from ..results import Verdict

FORMAT = 2


@dataclasses.dataclass(frozen=True)
class Entry:
    """`key` names everything that the verdict depends on. `final`: False if a second try may come to another verdict."""

    key: dict
    verdict: Verdict
    final: bool


def write_atomically(path: pathlib.Path, text: str) -> None:
    """Writes `path` so that it holds the old text or all of the new one, whenever the machine stops."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with open(new, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class Journal:
    """The entries of one class, ID.json in `folder`."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def _path(self, hand_in: str) -> pathlib.Path:
        return self.folder / f"{hand_in}.json"

    def clear_up(self) -> None:
        """Removes what a command that was killed has begun to write. No other command may write meanwhile."""
        for torn in self.folder.glob(".*.new"):
            torn.unlink(missing_ok=True)

    def forget(self, hand_in: str) -> None:
        self._path(hand_in).unlink(missing_ok=True)

    def read(self, hand_in: str) -> Entry | None:
        """The entry of the hand-in with this id; None if there is none that can be read."""
        try:
            document = json.loads(self._path(hand_in).read_text(encoding="utf-8", errors="surrogatepass"))
            if document["format"] != FORMAT or document["check"] != _check(document["entry"]):
                return None
            entry = document["entry"]
            return Entry(entry["key"], Verdict.from_json(entry["verdict"]), bool(entry["final"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def kept(self, hand_in: str, key: dict) -> Verdict | None:
        """The final verdict on the hand-in under this key, if there is one."""
        entry = self.read(hand_in)
        return entry.verdict if entry and entry.final and entry.key == key else None

    def keep(self, hand_in: str, entry: Entry) -> None:
        """Writes the entry. Raises OSError if the disk does not take it."""
        content = {"key": entry.key, "final": entry.final, "verdict": entry.verdict.to_json()}
        document = {"format": FORMAT, "check": _check(content), "entry": content}
        write_atomically(self._path(hand_in), json.dumps(document, separators=(",", ":")))


def _check(content: dict) -> str:
    """What tells an entry that a broken disk has changed."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
