"""The tokens of C++, as far as looking for names, texts and directives needs them. Any text is read to its end."""
from __future__ import annotations

import bisect
import re
import sys
import typing

_TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
  | (?P<string>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)"|\Z) | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*(?:"|(?=\n)|\\?\Z))
  | (?P<character>(?:u8|[uUL])?'(?:\\.|[^'\\\n])*(?:'|(?=\n)|\\?\Z))
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=\w)|[\w.])*)
  | (?P<name>(?:[^\W\d]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})(?:\w|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*)
  | (?P<newline>\n)
  | (?P<punctuation>::|->|<<|>>|<%|%>|<:(?!:[^:>])|:>|%:|\S)
""", re.X | re.S)
_OTHER = re.compile(r"<%|%>|<:(?!:[^:>])|:>|%:|\b(?:and|or|not|bitand|bitor|xor|compl|and_eq|or_eq|xor_eq|not_eq)\b")
_CHARACTER = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
_USUAL = {"<%": "{", "%>": "}", "<:": "[", ":>": "]", "%:": "#", "and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^",
          "compl": "~", "and_eq": "&=", "or_eq": "|=", "xor_eq": "^=", "not_eq": "!="}


class Token(typing.NamedTuple):
    kind: str  # comment, string, character, number, name, punctuation, or directive: a whole preprocessor line
    text: str
    line: int


def in_usual_spellings(text: str) -> str:
    """The text with digraphs and the names of operators, in strings and comments too, as signs with blanks behind: each keeps its place."""
    return _OTHER.sub(lambda token: _USUAL[token[0]].ljust(len(token[0])), text)


def _character(number: re.Match) -> str:
    value = int(number[1] or number[2], 16)
    return chr(value) if value <= sys.maxunicode else number[0]


def tokens_of(text: str) -> list[Token]:
    """The tokens of C++ `text`, in the usual one of their spellings. A backslash at a line's end joins it with the next one, as compilers do. A directive is one token
    without its comments, and #include <x> is in it as it stands."""
    plain, starts, at = [], [], 0  # starts: where a line that was joined begins, in the joined text
    for match in re.finditer(r"\\[ \t]*\r?\n", text):
        plain.append(text[at:match.start()])
        starts.append((starts[-1] if starts else 0) + len(plain[-1]))
        at = match.end()
    plain.append(text[at:])
    joined = "".join(plain)
    breaks = [match.start() for match in re.finditer("\n", joined)]

    def line_at(place: int) -> int:
        return bisect.bisect_left(breaks, place) + bisect.bisect_right(starts, place) + 1

    found: list[Token] = []
    place, begins_line = 0, True
    while match := _TOKEN.search(joined, place):
        kind, place = match.lastgroup if match.lastgroup != "mark" else "string", match.end()
        if kind == "newline":
            begins_line = True
        elif kind == "punctuation" and match.group() in ("#", "%:") and begins_line:
            end = joined.find("\n", match.start())
            place = end if end >= 0 else len(joined)
            whole = "#" + joined[match.end():place]
            found.append(Token("directive", re.sub(r"\s+", " ", re.sub(r"/\*.*?(\*/|$)|//.*", " ", whole)).strip(),
                               line_at(match.start())))
            begins_line = True
        else:
            text = match.group()
            if kind == "name" and "\\" in text:
                text = _CHARACTER.sub(_character, text)
            if text in _USUAL:
                kind, text = "punctuation", _USUAL[text]
            found.append(Token(kind, text, line_at(match.start())))
            begins_line = begins_line and kind == "comment"
    return found
