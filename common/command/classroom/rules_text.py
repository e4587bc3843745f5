"""What the pages say of the course's rules, whose words are rules.py's own."""
from __future__ import annotations


def for_students(rules: object, labs: list) -> list[str]:
    """The rules as sentences."""
    sentences = getattr(rules, "sentences", None)
    return list(sentences(labs) if callable(sentences) else sentences or [])


def contact(rules: object) -> str:
    """Whom to ask: "" if the course's file does not say."""
    return str(getattr(rules, "contact", "") or "")
