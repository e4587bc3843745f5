"""Reads depfiles as simtcc writes them. Standard library only."""
from __future__ import annotations


def names(text: str) -> list[str]:
    """The files of a depfile with one rule, whose target has no colon in its name."""
    found = []
    for line in text.split(":", 1)[1].split("\n"):
        name = line.strip().removesuffix("\\").strip()
        if name:
            found.append(name.replace("\\ ", " ").replace("\\#", "#").replace("$$", "$"))
    return found
