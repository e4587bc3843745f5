"""The messages that a student can see, as the sources have them: common/languages/messages.pot is made from them.

    extract.py --check          what is wrong with the template or with a translation; the exit status says whether anything is
    extract.py --write          writes the template, and brings every .po up to it: new messages are without translation,
                                those that the sources have no longer are taken out
    extract.py --count          how many messages each language has, context by context
    extract.py --pseudo OUT.mo  a language in which every message stands in angle brackets: what comes without them is not translated

docs/translating.md describes the rest.
"""
from __future__ import annotations

import argparse
import ast
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "common/grader"), str(ROOT / "common")]
import catalogue  # noqa: E402
import messages as lab_messages  # noqa: E402
from catalogue import HEADER, BadCatalogue, Message  # noqa: E402
from command.classroom.cpp_tokens import tokens_of  # noqa: E402

CATALOGUE = "common/simt/report/catalogue.hpp"
#: The C++ sources that say something, and the context of what they say.
SAYING = {"common/simt/report": "finding", "common/simt/trace": "finding", "common/grader": "grader", "labs/*": "grader"}


# ---- C++ ---------------------------------------------------------------------------------------------------

def tokens(source: str) -> list[tuple[str, str]]:
    """The words, signs and texts of C++ code; literals side by side are one text."""
    found: list[tuple[str, str]] = []
    for token in tokens_of(source):
        if token.kind == "string":
            text = token.text[3:-2] if token.text.startswith('R"(') else ast.literal_eval(token.text)
            before = found.pop()[1] if found and found[-1][0] == "text" else ""
            found.append(("text", before + text))
        elif token.kind not in ("comment", "character", "directive"):
            found.append(("sign" if token.kind == "punctuation" else "word", token.text))
    return found


def said(source: str) -> list[str]:
    """What C++ code says: the first argument of `say(…)`, and the texts of `Said<…> name[] = {…};`"""
    found, all_tokens = [], tokens(source)
    in_table = False
    for i, (kind, text) in enumerate(all_tokens):
        before = [token[1] for token in all_tokens[max(0, i - 2):i]]
        if kind == "word" and text == "Said" and any(token == ("sign", "=") for token in all_tokens[i:i + 24]):
            in_table = True
        elif (kind, text) == ("sign", ";"):
            in_table = False
        elif kind == "text" and (in_table or before == ["say", "("]):
            found.append(text)
    return found


def of_catalogue(source: str) -> list[str]:
    """The texts of the simulator's catalogue: all but names, which are first in their braces, and the kinds behind the ids."""
    found, all_tokens = [], tokens(source[source.index("// Clauses that"):])
    in_wordings = False
    for i, (kind, text) in enumerate(all_tokens):
        if (kind, text) == ("word", "catalogue"):
            in_wordings = all_tokens[i - 1] == ("word", "Wording")
        elif (kind, text) == ("sign", ";"):
            in_wordings = False
        is_name = kind == "text" and all_tokens[i - 1] == ("sign", "{")
        is_kind = kind == "text" and in_wordings and all_tokens[i - 1] == ("sign", ",") and all_tokens[i - 3] == ("sign", "{")
        if kind == "text" and not is_name and not is_kind and all_tokens[i - 1] != ("sign", "("):
            found.append(text)
    return found


# ---- Python ------------------------------------------------------------------------------------------------


def of_python(source: str) -> list[str]:
    """The first argument of each `_(…)` and `ngettext(…)`, and what a table marks by `N_(…)`."""
    return [call.args[0].value for call in ast.walk(ast.parse(source))
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("_", "N_", "ngettext") and call.args
            and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)]


# ---- all of it ---------------------------------------------------------------------------------------------


def has_words(text: str) -> bool:
    """Whether there is something to translate besides places for values."""
    return re.search("[A-Za-z]", re.sub(r"\{[a-z_ -]+(?::(?:,|KiB|MiB))?\}", "", text)) is not None


def extracted(root: pathlib.Path = ROOT) -> list[Message]:
    """Every message of the sources once, in the order of the sources."""
    found: dict[tuple[str, str], Message] = {}

    def add(context: str, path: pathlib.Path, texts: list[str]) -> None:
        for text in filter(has_words, texts):
            origin = path.relative_to(root).as_posix()
            message = found.setdefault((context, text), Message(context, text))
            message.origins += [origin] if origin not in message.origins else []

    for path in sorted(root.glob("labs/*/messages.md")):
        add(f"lab {path.parent.name.partition('-')[0]}", path, [message.text for message in lab_messages.parsed(path.read_text(encoding="utf-8"))])
    add("finding", root / CATALOGUE, of_catalogue((root / CATALOGUE).read_text(encoding="utf-8")))
    for folder, context in SAYING.items():
        for path in sorted(root.glob(f"{folder}/*.[ch]pp")):
            add(context, path, said(path.read_text(encoding="utf-8")))
    for path in sorted(root.glob("common/command/**/*.py")):
        add("command", path, of_python(path.read_text(encoding="utf-8")))
    return list(found.values())


FIELDS = "Project-Id-Version: Warpbook\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"


def template(found: list[Message]) -> str:
    return catalogue.written([Message("", "", FIELDS), *found])


def updated(old: list[Message], found: list[Message]) -> list[Message]:
    """A language's messages as the sources have them now."""
    known = {message.key: message for message in old}
    return [known.get(HEADER, Message("", "", FIELDS)),
            *(Message(each.context, each.english, mine.translation if (mine := known.get(each.key)) else "", bool(mine and mine.is_fuzzy), each.origins) for each in found)]


# ---- checks ------------------------------------------------------------------------------------------------


def names(text: str) -> set[str]:
    """The names of the values that a text has places for: {name}, {name:noun}, {name?text|other text}, and in the simulator's
    catalogue {name|what stands there if it is unknown} and { around <name>}."""
    around = re.compile(r"\{[^{}<>]*<([^<>{}]+)>[^{}<>]*\}")
    return {name.split(":")[0] for name in around.findall(text)} | set(re.findall(r"\{([a-z_0-9][a-z_0-9 -]*\??)(?=[:|}]|(?<=\?))", around.sub("", text)))


def wrong(message: Message) -> str:
    """What is wrong with a translation; empty if nothing is."""
    if not message.translation or message.is_fuzzy:
        return ""
    if message.translation.count("{") != message.translation.count("}"):
        return "a { without its }, or a } without its {"
    mine, others = names(message.translation), names(message.english)
    if mine - others:
        return f"{{{sorted(mine - others)[0]}}} is no place of the English text, which has {', '.join(sorted(others)) or 'none'}"
    if others - mine:
        return f"the value {{{sorted(others - mine)[0]}}} is missing"
    return ""


def problems(root: pathlib.Path = ROOT) -> list[str]:
    """What is wrong with the template and the translations."""
    folder, found = root / "common/languages", extracted(root)
    keys = {message.key for message in found} | {HEADER}
    said_wrong = []
    if not (folder / "messages.pot").is_file() or (folder / "messages.pot").read_text(encoding="utf-8") != template(found):
        said_wrong.append("common/languages/messages.pot: the sources have other messages. Write it again: python3 common/languages/extract.py --write")
    for path in sorted(folder.glob("*.po")):
        try:
            messages = catalogue.parsed(path.read_text(encoding="utf-8"))
        except BadCatalogue as error:
            said_wrong.append(f"{path.relative_to(root)}:{error}")
            continue
        for message in messages:
            problem = "" if message.key == HEADER else wrong(message)
            if message.key not in keys:
                problem = "no source has this message. Bring the file up to date: python3 common/languages/extract.py --write"
            if problem:
                said_wrong.append(f"{path.relative_to(root)}:{message.line}: {problem}: {message.english!r}")
        if shutil.which("msgfmt"):
            checked = subprocess.run(["msgfmt", "--check", "-o", "/dev/null", str(path)], capture_output=True, text=True, check=False)
            said_wrong += checked.stderr.splitlines() if checked.returncode else []
    return said_wrong


def counts(messages: list[Message], translation: list[Message]) -> dict[str, tuple[int, int]]:
    """By context: how many of `messages` the translation has, and how many there are. One that is fuzzy is not used."""
    used = {each.key for each in translation if each.translation and not each.is_fuzzy}
    by_context: dict[str, list[bool]] = {}
    for message in messages:
        by_context.setdefault(message.context, []).append(message.key in used)
    return {context: (sum(have), len(have)) for context, have in by_context.items()}


def pseudo(messages: list[Message]) -> list[Message]:
    """Every message in angle brackets, as its own translation."""
    return [Message(message.context, message.english, "" if message.key == HEADER else f"⟨{message.english}⟩") for message in messages]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true")
    what.add_argument("--write", action="store_true")
    what.add_argument("--count", action="store_true")
    what.add_argument("--pseudo", metavar="OUT.mo", type=pathlib.Path)
    options = parser.parse_args()
    if options.pseudo:
        options.pseudo.parent.mkdir(parents=True, exist_ok=True)
        options.pseudo.write_bytes(catalogue.compiled(pseudo(extracted())))
        return 0
    if options.count:
        found = extracted()
        for path in sorted(HERE.glob("*.po")):
            for context, (have, of) in counts(found, catalogue.parsed(path.read_text(encoding="utf-8"))).items():
                print(f"{path.stem}  {context:8} {have:4} of {of:4}")
        return 0
    if options.write:
        found = extracted()
        (HERE / "messages.pot").write_text(template(found), encoding="utf-8")
        for path in HERE.glob("*.po"):
            path.write_text(catalogue.written(updated(catalogue.parsed(path.read_text(encoding="utf-8")), found)), encoding="utf-8")
        return 0
    said_wrong = problems()
    print(*said_wrong, sep="\n", end="\n" if said_wrong else "")
    return 1 if said_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
