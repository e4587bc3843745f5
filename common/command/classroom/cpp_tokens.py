"""The tokens of C++, as far as looking for names, texts and directives needs them. Any text is read to its end."""
from __future__ import annotations

import bisect
import re
import typing

_TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
  | (?P<string>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)"|\Z) | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*(?:"|(?=\n)|\\?\Z))
  | (?P<character>(?:u8|[uUL])?'(?:\\.|[^'\\\n])*(?:'|(?=\n)|\\?\Z))
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=\w)|[\w.])*)
  | (?P<name>[^\W\d]\w*)
  | (?P<newline>\n)
  | (?P<punctuation>::|->|<<|>>|\S)
""", re.X | re.S)


class Token(typing.NamedTuple):
    kind: str  # comment, string, character, number, name, punctuation, or directive: a whole preprocessor line
    text: str
    line: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of C++ `text`. A backslash at a line's end joins it with the next one, as compilers do. A directive is one token
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
        elif kind == "punctuation" and match.group() == "#" and begins_line:
            end = joined.find("\n", match.start())
            whole = joined[match.start():end if end >= 0 else len(joined)]
            found.append(Token("directive", re.sub(r"\s+", " ", re.sub(r"/\*.*?(\*/|$)|//.*", " ", whole)).strip(),
                               line_at(match.start())))
            place = match.start() + len(whole)
            begins_line = True
        else:
            found.append(Token(kind, match.group(), line_at(match.start())))
            begins_line = begins_line and kind == "comment"
    return found
