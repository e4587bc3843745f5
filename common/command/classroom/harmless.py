"""Texts that students wrote, made harmless for those who read them: a terminal, a page, a spreadsheet, a file system.

A name or a compiler's message may hold escape codes, characters that turn the direction of writing, formulas, or bytes that
are not UTF-8. Nothing is dropped where it could be missed: what cannot be shown is replaced by something visible.
"""
from __future__ import annotations

import re
import unicodedata

#: Zero-width joiners: Persian and Indic names and emoji need them, and they turn nothing.
_JOINERS = "\u200c\u200d"
#: What a spreadsheet takes for the beginning of a formula, as the OWASP page "CSV Injection" lists it, with the full-width forms.
_FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
#: Letters that have no decomposition into a basic letter and an accent.
_LETTERS = str.maketrans({
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D",
    "þ": "th", "Þ": "Th", "ł": "l", "Ł": "L", "ı": "i", "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T", "ŋ": "n", "Ŋ": "N",
    "\u2019": "", "'": "", "ʼ": ""})


def _visible(character: str) -> str:
    """What stands for a character that must not reach a terminal or a page as it is."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)  # ␀ to ␟
    if code == 0x7f:
        return "␡"
    if 0xdc80 <= code <= 0xdcff:  # a byte that is not UTF-8, as os.fsdecode gives it
        return f"\\x{code - 0xdc00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _is_harmful(character: str) -> bool:
    category = unicodedata.category(character)
    return (category in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS) or (ord(character) & 0xfffe) == 0xfffe


def shown(text: str, lines: bool = False) -> str:
    """`text` for a terminal or a page: control characters, escape codes and characters that turn the direction of writing
    become visible signs. With `lines`, line feeds and tabs stay."""
    return "".join(_visible(character) if _is_harmful(character) and not (lines and character in "\n\t") else character
                   for character in text)


def name(text: str, most: int = 120) -> str:
    """A person's name for readers: without such characters, in one line, not longer than `most` characters."""
    kept = "".join(" " if character.isspace() else "" if _is_harmful(character) and not _is_byte(character) else character
                   for character in unicodedata.normalize("NFC", text))
    kept = " ".join(shown(kept).split())
    return kept if len(kept) <= most else kept[:most - 1].rstrip() + "…"


def _is_byte(character: str) -> bool:
    return 0xdc80 <= ord(character) <= 0xdcff


def cell(value) -> object:
    """A value for a CSV file: numbers stay numbers; a text that a spreadsheet could take for a formula gets an apostrophe in
    front, and its control characters become visible. Line feeds stay, behind a first character that is none."""
    if value is None or isinstance(value, (int, float)):
        return value
    text = str(value)
    if _NUMBER.fullmatch(text):
        return text
    harmless = shown(text, lines=True)
    return "'" + harmless if _FORMULA.match(text) or _FORMULA.match(text.lstrip()) else harmless


def ascii_words(text: str) -> str:
    """`text` in ASCII letters, digits, - and _, as near to it as that gets; "" where nothing is left of it."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", text).translate(_LETTERS))
    text = "".join(character for character in text if not unicodedata.combining(character))
    return re.sub(r"-{2,}", "-", re.sub(r"[^A-Za-z0-9_-]+", "-", text)).strip("-")


def words_of_any_script(text: str) -> str:
    """`text` in letters and digits of any script, - and _; "" where nothing is left of it."""
    text = "".join(character if character in "_-" or unicodedata.category(character)[0] in "LMN" else "-" for character in unicodedata.normalize("NFC", text))
    return re.sub(r"-{2,}", "-", text).strip("-")
