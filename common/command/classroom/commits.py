"""When a file of a clone was last changed, by the clone's history.

The time is the committer's, which is the student's own word: what asks for it knows a later limit from a system.
"""
from __future__ import annotations

import datetime
import os
import pathlib
import re
import tempfile

from ..probe import output_of
from . import trees
from .trees import Unreadable

_MOST_BYTES = 1 << 20  # of a file that names commits


def last_change(clone: pathlib.Path, file: str) -> datetime.datetime | None:
    """The time of the last commit that changed a file, whose path is that in the clone; None where the history does not say it."""
    git = clone / ".git"
    commit = _head(git)
    if commit is None or os.path.islink(git) or os.path.islink(git / "objects"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        # A repository of its own over the clone's objects: what a clone's settings name is run by git.
        for place in ("objects", "refs"):
            os.mkdir(os.path.join(folder, place))
        pathlib.Path(folder, "HEAD").write_text("ref: refs/heads/none\n", encoding="utf-8")
        variables = {"PATH": os.environ.get("PATH", ""), "GIT_OBJECT_DIRECTORY": str(git / "objects"), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
                     "GIT_LITERAL_PATHSPECS": "1"}
        said = output_of(["git", f"--git-dir={folder}", "log", "-1", "--format=%ct", commit, "--", file], env=variables)
    return datetime.datetime.fromtimestamp(int(said), datetime.timezone.utc) if said and said.strip().isdigit() else None


def _head(git: pathlib.Path) -> str | None:
    """The commit that is checked out."""
    head = _text(git / "HEAD")
    name = head.removeprefix("ref:").strip()
    if head.startswith("ref:"):
        if not name.startswith("refs/") or ".." in name:
            return None
        packed = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", _text(git / "packed-refs"), re.M)
        name = _text(git / name).strip() or (packed[1] if packed else "")
    return name if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", name) else None


def _text(path: pathlib.Path) -> str:
    """Of a file that may be anything; "" where it cannot be read."""
    try:
        return trees.on_disk(path).read(_MOST_BYTES).decode("utf-8", "replace")
    except (Unreadable, ValueError, AssertionError):
        return ""
