"""Catalogues of messages: .po and .pot files of GNU gettext as data, and the .mo files made from them.

    catalogue.py zh.po -o zh.mo

The build makes the .mo files with this, so that it needs no gettext. Fuzzy translations and empty ones are left out.
"""
from __future__ import annotations

import argparse
import ast
import pathlib
import re
import struct
import sys
from dataclasses import dataclass, field

HEADER = ("", "")  # the entry that has the fields of the file


class BadCatalogue(Exception):
    """What is wrong with a .po file, with the line."""


@dataclass
class Message:
    context: str
    english: str
    translation: str = ""
    is_fuzzy: bool = False
    origins: list[str] = field(default_factory=list)  # files, without lines: these change with every edit
    line: int = 0                                     # in the .po file

    @property
    def key(self) -> tuple[str, str]:
        return self.context, self.english


FIELDS = {"msgctxt": "context", "msgid": "english", "msgstr": "translation"}


def parsed(text: str) -> list[Message]:
    """All entries of a .po file, with its header. Raises BadCatalogue."""
    messages: list[Message] = []
    current: Message | None = None
    name = ""

    def begin(number: int) -> Message:
        messages.append(Message("", "", line=number))
        return messages[-1]

    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#~"):
            current, name = None, ""
        elif line.startswith("#"):
            current = begin(number) if current is None or name == "msgstr" else current
            name = ""
            if line.startswith("#,"):
                current.is_fuzzy |= "fuzzy" in re.split(r"[,\s]+", line)
            elif line.startswith("#:"):
                current.origins += line[2:].split()
        else:
            match = re.fullmatch(r'(?:(msgctxt|msgid|msgstr)\s+)?("(?:[^"\\]|\\.)*")', line)
            if not match or not (match[1] or name):
                raise BadCatalogue(f'{number}: this is no line of a catalogue: {line}')
            if match[1]:
                current = begin(number) if current is None or name == "msgstr" else current
                name = match[1]
            try:
                said = ast.literal_eval(match[2])
            except (SyntaxError, ValueError) as error:
                raise BadCatalogue(f"{number}: {error}") from error
            setattr(current, FIELDS[name], getattr(current, FIELDS[name]) + said)
    keys: set[tuple[str, str]] = set()
    for message in messages:
        if message.key in keys:
            raise BadCatalogue(f"{message.line}: this message stands here for the second time: {message.english!r}")
        keys.add(message.key)
    return messages


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def written(messages: list[Message]) -> str:
    """The .po file of these messages, one line for each text."""
    entries = []
    for message in messages:
        lines = [f"#: {' '.join(message.origins)}"] if message.origins else []
        lines += ["#, fuzzy"] if message.is_fuzzy else []
        lines += [f"msgctxt {quoted(message.context)}"] if message.context else []
        lines += [f"msgid {quoted(message.english)}"]
        if message.key == HEADER:
            lines += ['msgstr ""'] + [quoted(line) for line in message.translation.splitlines(keepends=True)]
        else:
            lines += [f"msgstr {quoted(message.translation)}"]
        entries.append("\n".join(lines) + "\n")
    return "\n".join(entries)


def compiled(messages: list[Message]) -> bytes:
    """The .mo file: the manual of GNU gettext has its format. It is sorted, as other readers search it by halves."""
    texts = sorted(((f"{message.context}\4" if message.context else "") + message.english).encode() + b"\0" + message.translation.encode()
                   for message in messages if message.translation and (not message.is_fuzzy or message.key == HEADER))
    pairs = [text.split(b"\0", 1) for text in texts]
    tables = 28
    at = tables + 16 * len(pairs)
    entries, strings = [], b""
    for column in (0, 1):
        for pair in pairs:
            entries += [len(pair[column]), at + len(strings)]
            strings += pair[column] + b"\0"
    return struct.pack(f"<7I{len(entries)}I", 0x950412DE, 0, len(pairs), tables, tables + 8 * len(pairs), 0, at, *entries) + strings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    try:
        messages = parsed(options.source.read_text(encoding="utf-8"))
    except BadCatalogue as error:
        print(f"{options.source}:{error}", file=sys.stderr)
        return 1
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_bytes(compiled(messages))
    return 0


if __name__ == "__main__":
    sys.exit(main())
