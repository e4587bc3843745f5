"""The one way in which a verb gives up: a sentence for the reader and an exit status."""
from __future__ import annotations

#: Exit statuses of every verb.
SUCCESS = 0
NOT_YET = 1  # points are missing, or a test failed
SETUP = 2  # usage, set-up or a broken workbook: nothing was graded


class Problem(Exception):
    """Ends the command with `sentence` on stderr, `details` under it, and `status`."""

    def __init__(self, sentence: str, details: list[str] | None = None, status: int = SETUP):
        super().__init__(sentence)
        self.sentence = sentence
        self.details = details or []
        self.status = status
