"""When a file of a clone was last changed, and on which branches, by the clone's history.

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

_MOST_BRANCHES = 50  # that are looked at in a clone
_MOST_BYTES = 1 << 20  # of a file that names commits


def last_change(clone: pathlib.Path, file: str) -> tuple[datetime.datetime | None, bool]:
    """The time of the last commit that changed a file, whose path is that in the clone, and whether it is the last one of all; None where the history does
    not say it."""
    commit = _head(clone / ".git")
    time, _, changed = (_log(clone, "--format=%ct %H", [commit], file) if commit else "").partition(" ")
    return datetime.datetime.fromtimestamp(int(time), datetime.timezone.utc) if time.isdigit() else None, changed == commit


def branches_with(clone: pathlib.Path, file: str) -> list[str]:
    """The other branches of a clone that have changed a file since they left what is checked out."""
    git = clone / ".git"
    commit, tips = _head(git), {}
    for name, tip in [*_packed(git).items(), *_loose(git).items()]:
        tips[re.sub(r"^refs/(heads|remotes/[^/]+)/", "", name)] = tip
    tips = {name: tip for name, tip in sorted(tips.items()) if tip != commit}
    if not commit or not tips or not _log(clone, "--format=%H", [*dict.fromkeys(tips.values()), f"^{commit}"], file):
        return []
    return [name for name, tip in tips.items() if _log(clone, "--format=%H", [tip, f"^{commit}"], file)]


def _log(clone: pathlib.Path, form: str, commits: list[str], file: str) -> str:
    """What the last of some commits that changed a file is; "" where the history does not say it."""
    git = clone / ".git"
    if os.path.islink(git) or os.path.islink(git / "objects"):
        return ""
    with tempfile.TemporaryDirectory() as folder:
        # A repository of its own over the clone's objects: what a clone's settings name is run by git.
        for place in ("objects", "refs"):
            os.mkdir(os.path.join(folder, place))
        pathlib.Path(folder, "HEAD").write_text("ref: refs/heads/none\n", encoding="utf-8")
        variables = {"PATH": os.environ.get("PATH", ""), "GIT_OBJECT_DIRECTORY": str(git / "objects"), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
                     "GIT_LITERAL_PATHSPECS": "1"}
        said = output_of(["git", f"--git-dir={folder}", "log", "-1", form, *commits, "--", file], env=variables)
    return (said or "").strip()


def _packed(git: pathlib.Path) -> dict[str, str]:
    """The names of commits that git has packed into one file."""
    return {name: commit for commit, name in re.findall(r"^([0-9a-f]{40,64}) (refs/(?:heads|remotes)/\S+)$", _text(git / "packed-refs"), re.M)[:_MOST_BRANCHES]}


def _loose(git: pathlib.Path) -> dict[str, str]:
    """Those in files of their own."""
    found: dict[str, str] = {}
    for place in ("refs/heads", "refs/remotes"):
        for folder, _, files in os.walk(git / place):
            for path in (pathlib.Path(folder, file) for file in files[:_MOST_BRANCHES - len(found)]):
                if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", commit := _text(path).strip()):
                    found[path.relative_to(git).as_posix()] = commit
    return found


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
