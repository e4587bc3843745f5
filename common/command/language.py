"""The language that the command speaks: English, or a translation of common/languages, as far as it goes.

`_("text")` is a message in that language. Its English text is its name in common/languages/LANGUAGE.po, where its context is
`command`; places such as {lab} get their values by name: `_("{lab} has no hints.", lab=lab.name)`. docs/translating.md has the
rest. Standard library only.
"""
from __future__ import annotations

import ast
import dataclasses
import hashlib
import os
import pathlib
import re
import textwrap
import unicodedata
from typing import Callable

from .problem import Problem

OPTION = "--language"
VARIABLE = "WARPBOOK_LANGUAGE"
MESSAGES = "WARPBOOK_MESSAGES"  # the .mo file that graders and the simulator read
CONTEXT = "command"             # of the messages of common/command
#: Verbs for a student, in the language of the student's system. The others write what instructors keep: English, if --language
#: does not name another one.
FOR_STUDENTS = {"demo", "check", "watch", "hint", "see", "reset", "sim", "list", "doctor"}


@dataclasses.dataclass(frozen=True)
class Language:
    code: str  # in the names of files and folders, and behind --language
    name: str  # as its readers call it
    tag: str   # BCP 47, for browsers


ENGLISH = Language("en", "English", "en")
TRANSLATIONS = (Language("zh", "中文", "zh-Hans"),)
ALL = {each.code: each for each in (ENGLISH, *TRANSLATIONS)}

#: What makes a message of an English text: the text, and values for its places.
Translator = Callable[..., str]


# ---- which language ----------------------------------------------------------------------------------------


def take_option(arguments: list[str]) -> tuple[list[str], str]:
    """The arguments without `--language CODE`, which stands anywhere before --, and CODE, or ""."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own, others, code = list(arguments[:end]), [], ""
    while own:
        word = own.pop(0)
        if word == OPTION and own and own[0] and not own[0].startswith("-"):
            code = own.pop(0)
        elif word.startswith(OPTION + "=") and len(word) > len(OPTION) + 1:
            code = word[len(OPTION) + 1:]
        else:
            others.append(word)
    return others + list(arguments[end:]), code


def known(code: str) -> Language | None:
    """The language of a code or a locale's name: zh, zh-Hans, zh_CN.UTF-8."""
    return ALL.get(re.split(r"[-_.@]", code.strip().lower())[0])


def _named(code: str, by: str) -> Language:
    found = known(code)
    if found is None:
        raise Problem(f"{by}: there is no language '{code}'.", ["The languages are: " + ", ".join(f"{each.code} ({each.name})" for each in ALL.values())])
    return found


def of_the_system() -> Language:
    """The language of LANGUAGE, LC_ALL, LC_MESSAGES or LANG, as gettext reads them; English where that is none of ours."""
    if next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "C").split(".")[0] in ("C", "POSIX"):
        return ENGLISH  # LANGUAGE chooses among translations where a locale asks for one
    said = next((value for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return next((found for code in said.split(":") if (found := known(code))), ENGLISH)


def chosen(asked: str, verb: str) -> Language:
    """The language for `verb`; `asked` is what --language says. Raises Problem if there is no such language."""
    if asked:
        return _named(asked, OPTION)
    if verb not in FOR_STUDENTS:
        return ENGLISH
    return _named(os.environ[VARIABLE], VARIABLE) if os.environ.get(VARIABLE) else of_the_system()


@dataclasses.dataclass
class _Spoken:
    language: Language
    messages: dict[tuple[str, str], str]


_spoken = _Spoken(ENGLISH, {})


def current() -> Language:
    return _spoken.language


def speak(language: Language, root: pathlib.Path, build_root: pathlib.Path | None = None) -> None:
    """From now on `_` gives messages in `language`; so do graders and simulator, once the build has made their file of messages."""
    _spoken.language = language
    _spoken.messages = messages(root, language)
    os.environ.pop(MESSAGES, None)
    made = [path for preset in ("sim", "cuda") if build_root and (path := build_root / preset / "languages" / f"{language.code}.mo").is_file()]
    if language != ENGLISH and made:
        os.environ[MESSAGES] = str(max(made, key=lambda path: path.stat().st_mtime))


# ---- messages ----------------------------------------------------------------------------------------------


def _filled(text: str, values: dict) -> str:
    return text.format(**values) if values else text


def _(english: str, **values) -> str:
    """A message in the command's language; `values` are those of its {places}."""
    return _filled(_spoken.messages.get((CONTEXT, english), english), values)


def translator(root: pathlib.Path, language: Language) -> Translator:
    """What `_` would be in `language`."""
    found = messages(root, language)
    return lambda english, **values: _filled(found.get((CONTEXT, english), english), values)


def messages(root: pathlib.Path, language: Language) -> dict[tuple[str, str], str]:
    """The translated messages by (context, English text). Those that are missing, or marked as fuzzy, are not among them."""
    if language == ENGLISH:
        return {}
    try:
        text = (root / "common/languages" / f"{language.code}.po").read_text(encoding="utf-8")
    except OSError:
        return {}
    return parsed(text)


_ENTRY = re.compile(r'^(msgctxt|msgid|msgstr) ((?:"(?:[^"\\]|\\.)*"\s*)+)', re.M)


def parsed(po: str) -> dict[tuple[str, str], str]:
    """The entries of a .po file; it is read as it stands, because the command also speaks before anything has been built."""
    found = {}
    for entry in re.split(r"\n[ \t]*\n", po):
        if re.search(r"^#,.*\bfuzzy\b", entry, re.M):
            continue
        parts = {key: "".join(_unquoted(line) for line in re.findall(r'"(?:[^"\\]|\\.)*"', said)) for key, said in _ENTRY.findall(entry)}
        if parts.get("msgid") and parts.get("msgstr"):
            found[parts.get("msgctxt", ""), parts["msgid"]] = parts["msgstr"]
    return found


def _unquoted(text: str) -> str:
    return ast.literal_eval(text) if "\\" in text else text[1:-1]


# ---- translated files --------------------------------------------------------------------------------------

#: The first line of a translated page: what it is a translation of, and which text that was.
HEADER = re.compile(r"<!-- Translation of (\S+) sha256:([0-9a-f]{16}) -->\n")


def translated_name(name: str, language: Language) -> str:
    """Where a file's translation lies: README.md is README.zh.md, and sums.cu.starter is sums.zh.cu.starter."""
    if language == ENGLISH:
        return name
    folder, slash, last = name.rpartition("/")
    stem, dot, suffixes = last.partition(".")
    return f"{folder}{slash}{stem}.{language.code}{dot}{suffixes}"


def fingerprint(text: bytes) -> str:
    """What the first line of a translated page says of the text that it is a translation of."""
    return hashlib.sha256(text).hexdigest()[:16]


_TRANSLATED = re.compile(rf"^((?:.*/)?[^/.]+)\.({'|'.join(each.code for each in TRANSLATIONS)})(\.[^/]+)$")


def original_of(name: str) -> tuple[str, Language]:
    """The English file that a file is a translation of, and its language; an English file is its own original."""
    match = _TRANSLATED.match(name)
    return (match[1] + match[3], ALL[match[2]]) if match else (name, ENGLISH)


def translated(path: pathlib.Path, language: "Language | None" = None) -> pathlib.Path:
    """The file in `language`, by default the command's; the English one if there is no translation."""
    own = path.with_name(translated_name(path.name, language or current()))
    return own if own.is_file() else path


# ---- text on a terminal ------------------------------------------------------------------------------------


def is_wide(character: str) -> bool:
    """Whether a character takes two columns; words of such characters are written without blanks between them."""
    return unicodedata.east_asian_width(character) in "WF"


def width_of(text: str) -> int:
    """The columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(0 if unicodedata.combining(each) else 2 if is_wide(each) else 1 for each in text)


def joined(lines: list[str]) -> str:
    """The lines of a paragraph as one; between two wide characters there is no blank."""
    whole = ""
    for line in filter(None, map(str.strip, lines)):
        blank = whole and not (is_wide(whole[-1]) and is_wide(line[0]))
        whole += (" " if blank else "") + line
    return whole


#: What may begin no line: closing punctuation.
_CLOSING = "，。、；：？！）》」』】”’…%"


def wrapped(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """`text` in lines of at most `width` columns: broken at blanks, and between wide characters. `first` and `later` begin the first
    line and the others."""
    if not any(map(is_wide, text)):
        return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False, break_long_words=False)
    lines, line = [], first
    is_empty, pending = True, ""
    for piece in _pieces(text):
        if piece.isspace():
            pending = "" if is_empty else " "
            continue
        if not is_empty and width_of(line + pending + piece) > width:
            lines.append(line)
            line, pending = later, ""
        line, pending, is_empty = line + pending + piece, "", False
    return [*lines, line] if not is_empty else lines


def _pieces(text: str) -> list[str]:
    """What stays together in a line: a wide character with the punctuation behind it, a word of others, a blank."""
    pieces: list[str] = []
    for piece in re.findall(r"\s+|[^\s]", text):
        before = pieces[-1] if pieces else ""
        sticks = before and not before.isspace() and not piece.isspace() and (
            piece in _CLOSING or not (is_wide(piece) or is_wide(before[-1])))
        if sticks:
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


def shortened(text: str, width: int) -> str:
    """`text` in at most `width` columns, with … where it goes on."""
    if width_of(text) <= width:
        return text
    if not any(map(is_wide, text)):
        return textwrap.shorten(text, width, placeholder=" …")
    kept = ""
    for character in text:
        if width_of(kept + character) > width - 2:
            break
        kept += character
    return kept + " …"
