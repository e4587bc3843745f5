"""Which Python runs the command: the first python3 on PATH need not be the one that has rich.

The script `warpbook` goes on in the one that the last survey has chosen, and says so (EARLY); it may be out of date.
"""
import os
import sys

RESTARTED = "WARPBOOK_RESTARTED"
EARLY = "early"
NEEDS_RICH = {"demo", "test", "check", "watch", "grade", "autograder", "results-for", "bench", "site"}


def start(python, root, arguments):
    """Becomes `python` with the command's `arguments`, for the last time."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(python, [python, os.path.join(str(root), "warpbook"), *arguments], {**os.environ, RESTARTED: "1"})
