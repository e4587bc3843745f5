"""Which Python runs the command: python3 on PATH need not be the one that has rich.

`warpbook` asks before it imports anything else, so that the wrong Python does little more than start the right one. Imports
only what even Debian's python3-minimal has.
"""
import os
import sys

from . import build_folder

RESTARTED = "WARPBOOK_RESTARTED"
EARLY = "early"  # what RESTARTED says of go_on_early(), whose answer may be out of date
NEEDS_RICH = {"demo", "test", "check", "grade", "bench"}


def has_rich():
    return any(os.path.isdir(os.path.join(folder, "rich")) for folder in sys.path)


def go_on_early(root, arguments):
    """Goes on in the Python that the last survey found, if this one lacks rich and the verb needs it."""
    if not arguments or arguments[0] not in NEEDS_RICH or "--json" in arguments or os.environ.get(RESTARTED) or has_rich():
        return
    try:
        with open(os.path.join(build_folder.of(root), "setup.json"), encoding="utf-8") as file:
            python = file.read().partition('"python": "')[2].partition('"')[0]
    except (OSError, ValueError):
        return
    if python and os.access(python, os.X_OK) and os.path.realpath(python) != os.path.realpath(sys.executable):
        start(python, root, arguments, EARLY)


def start(python, root, arguments, said):
    """Becomes `python` with the command's `arguments`; `said` is what RESTARTED tells it."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(python, [python, os.path.join(str(root), "warpbook"), *arguments], {**os.environ, RESTARTED: said})
