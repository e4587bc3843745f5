"""JUnit XML without properties, as CodeGrade's Unit Test step and most viewers take it."""
from __future__ import annotations

from .. import junit

NAME = "JUnit"


def results(graded) -> str:
    return junit.text(graded, with_properties=False)
