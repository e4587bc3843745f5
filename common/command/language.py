"""The language that the command speaks: English, or a translation of common/languages, as far as it goes.

`_("text")` is a message in that language. Its English text is its name in common/languages/LANGUAGE.po, where its context is
`command`; places such as {lab} get their values by name: `_("{lab} has no hints.", lab=lab.name)`. docs/translating.md has the
rest. Standard library only.
"""
from __future__ import annotations

import dataclasses
import functools
import importlib.util
import os
import pathlib
import re
import sys
import textwrap
import unicodedata
from typing import Callable

from . import build_folder, files, lab_facts
from .problem import Problem

OPTION = "--language"
VARIABLE = "WARPBOOK_LANGUAGE"
MESSAGES = "WARPBOOK_MESSAGES"  # the .mo file that graders and the simulator read
CONTEXT = "command"             # of the messages of common/command
#: Verbs for a student, in the language of the student's system. The others write what instructors keep: English, if --language
#: does not name another one.
FOR_STUDENTS = {"help", "-h", "--help", "demo", "check", "watch", "hint", "see", "reset", "update", "sim", "list", "doctor"}


@dataclasses.dataclass(frozen=True)
class Language:
    code: str  # in the names of files and folders, and behind --language
    name: str  # as its readers call it
    tag: str   # BCP 47, for browsers
    comma: str = ", "  # between the entries of a list
    colon: str = ": "
    semicolon: str = "; "
    aside: str = " ({})"  # what stands in brackets at the end of a sentence


ENGLISH = Language("en", "English", "en")
TRANSLATIONS = (Language("zh", "中文", "zh-Hans", "、", "：", "；", "（{}）"),)
ALL = {each.code: each for each in (ENGLISH, *TRANSLATIONS)}

#: What makes a message of an English text: the text, and values for its places.
Translator = Callable[..., str]


# ---- which language ----------------------------------------------------------------------------------------


def take_option(arguments: list[str]) -> tuple[list[str], str]:
    """The arguments without `--language CODE`, which stands anywhere before --, and CODE, or ""."""
    return build_folder.without(arguments, OPTION, lambda word: word and not word.startswith("-"))


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
    root: pathlib.Path | None = None


_spoken = _Spoken(ENGLISH, {})


def current() -> Language:
    return _spoken.language


def speak(language: Language, root: pathlib.Path, build_root: pathlib.Path) -> None:
    """From now on `_` gives messages in `language`, and so do the graders that are started."""
    _spoken.language = language
    _spoken.messages = messages(root, language)
    _spoken.root = root
    os.environ.pop(MESSAGES, None)
    if language != ENGLISH and (compiled := _compiled(_source(root, language), build_root)):
        os.environ[MESSAGES] = str(compiled)


# ---- messages ----------------------------------------------------------------------------------------------


def _filled(text: str, values: dict) -> str:
    return text.format(**values) if values else text


def _(english: str, **values) -> str:
    """A message in the command's language; `values` are those of its {places}."""
    return _filled(_spoken.messages.get((CONTEXT, english), english), values)


def N_(english: str) -> str:
    """Marks a text for the catalogue that is said elsewhere, by `_` of a variable."""
    return english


def translator(root: pathlib.Path, language: Language) -> Translator:
    """What `_` would be in `language`."""
    found = messages(root, language)
    return lambda english, **values: _filled(found.get((CONTEXT, english), english), values)


def _source(root: pathlib.Path, language: Language) -> pathlib.Path:
    return root / "common/languages" / f"{language.code}.po"


def messages(root: pathlib.Path, language: Language) -> dict[tuple[str, str], str]:
    """The translated messages by (context, English text), as the .po file has them: the command also speaks before anything has
    been built. Those that are missing, or marked as fuzzy, are not among them. Raises Problem."""
    if language == ENGLISH:
        return {}
    return {message.key: message.translation for message in _entries(_source(root, language)) if message.translation and not message.is_fuzzy}


def _entries(source: pathlib.Path) -> list:
    try:
        return _catalogue().parsed(source.read_text(encoding="utf-8"))
    except OSError:
        return []
    except _catalogue().BadCatalogue as error:
        raise Problem(f"{source}:{error}") from error


def _compiled(source: pathlib.Path, build_root: pathlib.Path) -> pathlib.Path | None:
    """The .mo file of a .po file, which is made again if that is newer; None where there is none, or it cannot be written."""
    made = build_root / "languages" / f"{source.stem}.mo"
    try:
        if not source.is_file():
            return None
        if not made.is_file() or made.stat().st_mtime_ns < source.stat().st_mtime_ns:
            files.write(made, _catalogue().compiled(_entries(source)))
    except OSError:
        return None
    return made


@functools.lru_cache(maxsize=None)
def _catalogue():
    """common/languages/catalogue.py, which reads and writes the files of messages."""
    name = "warpbook_catalogue"
    spec = importlib.util.spec_from_file_location(name, pathlib.Path(__file__).resolve().parents[1] / "languages/catalogue.py")
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- translated files --------------------------------------------------------------------------------------

#: The first line of a translated page: what it is a translation of, and which text that was (files.fingerprint).
HEADER = re.compile(r"<!-- Translation of (\S+) sha256:([0-9a-f]{16}) -->\n")


def translated_name(name: str, language: Language) -> str:
    """Where a file's translation lies: README.md is README.zh.md, and sums.cu.starter is sums.zh.cu.starter."""
    if language == ENGLISH:
        return name
    folder, slash, last = name.rpartition("/")
    stem, dot, suffixes = last.partition(".")
    return f"{folder}{slash}{stem}.{language.code}{dot}{suffixes}"


_TRANSLATED = re.compile(rf"^((?:.*/)?[^/.]+)\.({'|'.join(each.code for each in TRANSLATIONS)})(\.[^/]+)$")


def original_of(name: str) -> tuple[str, Language]:
    """The English file that a file is a translation of, and its language; an English file is its own original."""
    match = _TRANSLATED.match(name)
    return (match[1] + match[3], ALL[match[2]]) if match else (name, ENGLISH)


def translated(path: pathlib.Path, language: "Language | None" = None) -> pathlib.Path:
    """The file in `language`, by default the command's; the English one if there is no translation."""
    own = path.with_name(translated_name(path.name, language or current()))
    return own if own.is_file() else path


def heading(lab: str, english: str) -> str:
    """What a section of the lab's handout is called in the command's language: a translation has the headings of its original."""
    for name in ("README.md", "more.md"):
        page = (_spoken.root or pathlib.Path()) / "labs" / lab / name
        own = translated(page)
        if own == page:
            continue
        here, there = (lab_facts.headings(each.read_text(encoding="utf-8")) for each in (page, own))
        if english in here and len(here) == len(there):
            return there[here.index(english)]
    return english


def read_on(lab: str, section: str) -> str:
    """A line that sends the reader to a section of the lab, which has the name that it has on the English page."""
    page = translated(lab_facts.page_of_section((_spoken.root or pathlib.Path()) / "labs" / lab, section))
    if original_of(page.name)[0] == lab_facts.PAGES[0]:
        return _("Handout: '{section}'", section=heading(lab, section))
    return _("Handout: '{section}', in {file}", section=heading(lab, section), file=f"labs/{lab}/{page.name}")


# ---- text on a terminal ------------------------------------------------------------------------------------


def is_wide(character: str) -> bool:
    """Whether a character takes two columns; words of such characters are written without blanks between them."""
    return unicodedata.east_asian_width(character) in "WF"


def width_of(text: str) -> int:
    """The columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(0 if unicodedata.combining(each) else 2 if is_wide(each) else 1 for each in text)


def joined(lines: list[str]) -> str:
    """The lines of a paragraph as one. Between two wide characters there is no blank, and none beside wide punctuation."""
    whole = ""
    for line in filter(None, map(str.strip, lines)):
        ends = whole[-1:], line[0]
        blank = whole and not all(map(is_wide, ends)) and not any(is_wide(end) and not end.isalnum() for end in ends)
        whole += (" " if blank else "") + line
    return whole


#: What may begin no line: closing punctuation.
_CLOSING = "，。、；：？！）》」』】”’…%"


def wrapped(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """`text` in lines of at most `width` columns: broken at blanks, and between wide characters. `first` and `later` begin the first
    line and the others."""
    if not any(map(is_wide, text)):
        return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)
    lines, line = [], first
    is_empty, pending = True, ""
    for piece in _pieces(text):
        if piece.isspace():
            pending = "" if is_empty else " "
            continue
        if not is_empty and width_of(line + pending + piece) > width:
            lines.append(line)
            line, pending = later, ""
        line, pending, is_empty = line + pending, "", False
        for character in piece:  # a word that is longer than a line goes on in the next one
            if len(line) > len(later) and width_of(line + character) > width and character not in _CLOSING:
                lines.append(line)
                line = later
            line += character
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
