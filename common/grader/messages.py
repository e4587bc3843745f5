"""The messages of a lab's rubric: labs/NN-name/messages.md, and the C++ header made from it.

    messages.py labs/NN-name/messages.md -o messages.hpp

docs/adding-a-lab.md describes the file. A rubric gets a message by its key, `message("halo-missing", block)`; a key that
is not there and values that do not fit its parameters are compile errors (grader/message.hpp).
"""
from __future__ import annotations

import argparse
import json
import pathlib
import re
import sys
from dataclasses import dataclass, field

HEADING = re.compile(r"## (?P<key>[a-z0-9-]*(?:/[a-z0-9-]+)?)(?: \((?P<parameters>[a-z_0-9?, ]+)\))?")
MOST_TODOS = 4  # MessageText::todos


class BadMessage(Exception):
    """What is wrong with a messages.md, with the place."""


@dataclass
class Message:
    key: str  # its diagnosis id, and behind a / what tells it from others of the same id
    line: int
    parameters: list[str]  # conditions end with ?
    section: str = ""  # of the handout
    todos: list[int] = field(default_factory=list)
    text: str = ""
    counted: set[str] = field(default_factory=set)  # parameters that are numbers of something: {count:sum}

    @property
    def id(self) -> str:
        return self.key.partition("/")[0]


def closing(text: str, opening: int) -> int:
    """The place of the } that belongs to the { at `opening`; -1 if there is none."""
    depth = 0
    for i in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return -1


def check_places(message: Message, text: str, used: set[str]) -> None:
    """Raises a BadMessage if a place of `text` is malformed or names no parameter; adds the names to `used`."""
    i = 0
    while (i := text.find("{", i)) >= 0:
        end = closing(text, i)
        place = re.fullmatch(r"([a-z_0-9]+)(?:(:)([A-Za-z-][A-Za-z -]*)|(\?)(.*))?", text[i + 1:end], re.DOTALL)
        if end < 0 or not place:
            raise BadMessage(f"'{text[i:i + 30]}' is no place for a value: {{name}}, {{name:noun}} or {{name?text|other text}}")
        name = place[1] + (place[4] or "")
        if name not in message.parameters:
            raise BadMessage(f"'{message.key}' has no parameter '{name}'")
        used.add(name)
        if place[2]:
            message.counted.add(name)
        if place[4]:
            check_places(message, place[5], used)
        i = end + 1
    if "}" in re.sub(r"\{[^{}]*\}", "", text) and text.count("{") != text.count("}"):
        raise BadMessage(f"a }} of '{message.key}' has no {{")


def finished(message: Message) -> Message:
    used: set[str] = set()
    if not message.text:
        raise BadMessage(f"'{message.key}' has no text")
    check_places(message, message.text, used)
    unused = [name for name in message.parameters if name not in used]
    if unused:
        raise BadMessage(f"'{message.key}' does not use '{unused[0]}'")
    if len(message.todos) > MOST_TODOS:
        raise BadMessage(f"'{message.key}' names more than {MOST_TODOS} TODOs")
    return message


def parsed(text: str) -> list[Message]:
    """All messages of a messages.md. What stands before the first is for its readers. Raises a BadMessage."""
    messages: list[Message] = []
    for number, line in enumerate(text.splitlines(), 1):
        heading = HEADING.fullmatch(line)
        try:
            if line.startswith("#") and messages or line.startswith("##"):
                if not heading or not heading["key"]:
                    raise BadMessage(f"'{line}' is no heading of a message: ## id or ## id/variant (parameter, condition?)")
                if heading["key"] in (message.key for message in messages):
                    raise BadMessage(f"there are two messages '{heading['key']}'")
                names = [name.strip() for name in (heading["parameters"] or "").split(",") if name.strip()]
                messages.append(Message(heading["key"], number, names))
            elif messages:
                last = messages[-1]
                if line.startswith("Section: ") and not last.text:
                    last.section = line.removeprefix("Section: ").strip()
                elif line.startswith("TODO: ") and not last.text:
                    last.todos = [int(todo) for todo in line.removeprefix("TODO: ").split(",")]
                elif line.strip():
                    last.text = f"{last.text} {line.strip()}".strip()
        except (BadMessage, ValueError) as error:
            raise BadMessage(f"{number}: {error}") from error
    for message in messages:
        try:
            finished(message)
        except BadMessage as error:
            raise BadMessage(f"{message.line}: {error}") from error
    return messages


def context_of(source: pathlib.Path) -> str:
    """What tells a lab's messages from others in the catalogues of languages: "lab 01"."""
    return f"lab {source.resolve().parent.name.partition('-')[0]}"


def header(messages: list[Message], source: pathlib.Path) -> str:
    """The C++ header that gives a rubric these messages."""
    def literal(text: str) -> str:
        return json.dumps(text, ensure_ascii=False)

    def entry(message: Message) -> str:
        parameters = ",".join(name + (":" if name in message.counted else "") for name in message.parameters)
        return (f"    {{{literal(message.key)}, {literal(parameters)}, {literal(message.text)}, {literal(message.section)}, "
                f"{{{', '.join(map(str, message.todos))}}}}},\n")

    entries = "".join(entry(message) for message in messages) or '    {"", "", "", "", {}},\n'  # an array has an element
    return (f"// Made from {source.name} by common/grader/messages.py.\n#pragma once\n\n#include \"grader/message.hpp\"\n\n"
            f"namespace warpbook {{\n\ninline constexpr MessageText lab_messages[] = {{\n{entries}}};\n\n"
            "/// The message of this lab with this key, with the values of its parameters.\n"
            "template <typename... Values>\n"
            "LabMessage message(std::type_identity_t<MessageKey<lab_messages, Values...>> key, const Values&... values) {\n"
            f"  return filled(*key.text, {{MessageValue(values)...}}, {literal(context_of(source))});\n}}\n\n}} // namespace warpbook\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    try:
        messages = parsed(options.source.read_text(encoding="utf-8"))
    except BadMessage as error:
        print(f"{options.source}:{error}", file=sys.stderr)
        return 1
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(header(messages, options.source), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
