"""The verdicts of a class, kept as they come: one file for each hand-in, so that a run that was ended goes on.

An entry holds the key that its verdict depends on. Whoever reads it says which key is wanted; an entry with another key, or one
that cannot be read, is as good as none.
"""
from __future__ import annotations

import dataclasses
import pathlib
import secrets

from .. import files
from ..results import ItemResult, Verdict

FORMAT = 3
PUBLIC_SEED = 1  # practice's, by which ./warpbook check draws its inputs


def drawn_seed() -> int:
    """A seed that cannot be guessed."""
    return PUBLIC_SEED + 1 + secrets.randbelow((1 << 63) - PUBLIC_SEED - 1)


@dataclasses.dataclass(frozen=True)
class Entry:
    """`key` names everything that the verdict depends on. `final`: False if a second try may come to another verdict."""

    key: dict
    verdict: Verdict
    final: bool


@dataclasses.dataclass
class Begun:
    """Of a hand-in that a run was ended at: what is judged already, and how often each item that takes long was begun."""

    results: list[ItemResult] = dataclasses.field(default_factory=list)
    times: dict[str, int] = dataclasses.field(default_factory=dict)


class Journal:
    """The entries of one class, ID.json in `folder`, what is begun, its remarks and its seed."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def _path(self, hand_in: str) -> pathlib.Path:
        return self.folder / f"{hand_in}.json"

    def seed(self) -> int:
        """The class's own seed, which is drawn once, so that a rerun comes to the same verdicts. Raises OSError if it cannot be kept."""
        path = self.folder / "seed.json"
        kept = files.read_checked(path)
        if not isinstance(kept, int):
            kept = drawn_seed()
            files.write_checked(path, kept, lasting=True)
        return kept

    def clear_up(self) -> None:
        """Removes what a command that was killed has begun to write. No other command may write meanwhile."""
        for torn in self.folder.rglob(".*.part"):
            torn.unlink(missing_ok=True)

    def forget(self, hand_in: str) -> None:
        for path in (hand_in, f"remarks/{hand_in}", f"begun/{hand_in}"):
            self._path(path).unlink(missing_ok=True)

    def read(self, hand_in: str) -> Entry | None:
        """The entry of the hand-in with this id; None if there is none that can be read."""
        entry = files.read_checked(self._path(hand_in))
        try:
            return Entry(entry["key"], Verdict.from_json(entry["verdict"]), bool(entry["final"])) if entry["format"] == FORMAT else None
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def kept(self, hand_in: str, key: dict) -> Verdict | None:
        """The final verdict on the hand-in under this key, if there is one."""
        entry = self.read(hand_in)
        return entry.verdict if entry and entry.final and entry.key == key else None

    def keep(self, hand_in: str, entry: Entry) -> None:
        """Writes the entry. Raises OSError if the disk does not take it."""
        said = {"format": FORMAT, "key": entry.key, "final": entry.final, "verdict": entry.verdict.to_json()}
        files.write_checked(self._path(hand_in), said, lasting=True)
        if entry.final:
            self._path(f"begun/{hand_in}").unlink(missing_ok=True)

    def begun(self, hand_in: str, key: dict) -> Begun:
        """What keep_begun() was given for the hand-in under this key."""
        entry = files.read_checked(self._path(f"begun/{hand_in}"))
        try:
            return Begun([ItemResult.from_json(each) for each in entry["results"]], entry["times"]) if entry["key"] == key else Begun()
        except (ValueError, KeyError, TypeError, AttributeError):
            return Begun()

    def keep_begun(self, hand_in: str, key: dict, begun: Begun) -> None:
        said = {"key": key, "times": begun.times, "results": list(map(dataclasses.asdict, begun.results))}
        files.write_checked(self._path(f"begun/{hand_in}"), said)

    def kept_remarks(self, hand_in: str, key: dict) -> list[list] | None:
        """What keep_remarks() was given for the hand-in under this key."""
        entry = files.read_checked(self._path(f"remarks/{hand_in}"))
        return entry["remarks"] if isinstance(entry, dict) and entry.get("key") == key else None

    def keep_remarks(self, hand_in: str, key: dict, remarks: list[list]) -> None:
        files.write_checked(self._path(f"remarks/{hand_in}"), {"key": key, "remarks": remarks})
