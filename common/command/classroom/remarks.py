"""What an instructor may want to look at in a hand-in: unusual imports of its module, and unusual code of its source.

A remark costs no points and proves nothing. What is usual is data, usual.json: what the workbook's own solutions, steps, mutants
and accepted files include and import, and beyond them what serves computing alone. A test keeps both lists true.
"""
from __future__ import annotations

import bisect
import functools
import json
import pathlib
import re
import stat
import unicodedata

from . import remarkable
from .cpp_tokens import Token, tokens_of
from .model import HandIn, Remark
from .module_symbols import Unreadable, symbols_of

Found = tuple[str, int, str]  # kind, line and sentence

MOST_BYTES = 1_000_000      # of a source, as intake has it
MOST_OF_A_KIND = 5          # remarks of one kind for one hand-in
LONGEST_LINE = 400          # characters
WIDEST_GAP = 60             # spaces between code and code of one line
FIRST_FUNCTIONS = 3         # entries of .init_array in every module: the C library's, the simulator's, the hooks'

_USUAL = pathlib.Path(__file__).with_name("usual.json")


@functools.cache
def usual() -> dict:
    """usual.json: `imports` and `headers` are lists that the workbook's own files give; `more_imports` are patterns of whole
    names, and `more_headers` a list, of what serves computing alone."""
    return json.loads(_USUAL.read_text(encoding="utf-8"))


@functools.cache
def _more_imports() -> re.Pattern:
    return re.compile("|".join(usual()["more_imports"]))


# ---- the source ------------------------------------------------------------------------------------------

def shown(text: str, most: int = 60) -> str:
    """A piece of a hand-in for a sentence: printable ASCII as it is, anything else as \\u…"""
    text = text if len(text) <= most else text[:most - 1] + "…"
    return "".join(each if each == "…" or " " <= each <= "~" else ascii(each)[1:-1] for each in text)


def of_source(text: str) -> list[Found]:
    """What is remarkable in the source `text`, as (kind, line, sentence)."""
    text = text.removeprefix("\ufeff")
    tokens = tokens_of(text)
    code = [token for token in tokens if token.kind != "comment"]
    of_code = (_of_directives, _of_names, _of_strings, _of_attributes, _of_assembly, _of_addresses, _of_globals, _of_backends)
    return [*_of_characters(text, tokens), *_of_lines(text), *(each for look in of_code for each in look(code))]


def _of_characters(text: str, tokens: list[Token]):
    commented = {token.line + extra for token in tokens if token.kind == "comment" for extra in range(token.text.count("\n") + 1)}
    coded = {token.line for token in tokens if token.kind != "comment"}
    for number, line in enumerate(text.split("\n"), 1):
        if line.isascii() and line.isprintable():
            continue
        in_comment = number in commented and number not in coded
        for character in line:
            hidden = unicodedata.category(character) in ("Cc", "Cf", "Co", "Cn", "Zl", "Zp") and character not in "\t\f\v\r"
            if not hidden or (in_comment and character in remarkable.JOINERS):
                continue
            name = f"U+{ord(character):04X} {unicodedata.name(character, 'without a name')}"
            what = "which can show a line in another order than the compiler reads it." if character in remarkable.BIDI else \
                "which an editor does not show."
            yield "hidden-character", number, f"The line holds {name}, {what}"
            break
    for token in tokens:
        if token.kind == "name" and not token.text.isascii():
            scripts = {unicodedata.name(character, "?").split()[0] for character in token.text if character.isalpha()}
            if ("LATIN" in scripts and len(scripts) > 1) or scripts & remarkable.LOOK_ALIKE_SCRIPTS:
                yield ("look-alike-letters", token.line, f"The name {shown(token.text)} has letters that look like others: "
                       "two names that look the same can be two functions.")


def _of_lines(text: str):
    for number, line in enumerate(text.split("\n"), 1):
        gap = re.search(rf"\S[ \t]{{{WIDEST_GAP},}}(\S.*)", line)
        if len(line) > LONGEST_LINE:
            yield "long-line", number, f"The line has {len(line)} characters; an editor's window may not show its end."
        elif gap and not gap[1].startswith(("//", "/*", "\\")):
            yield "long-line", number, "Code stands far right of other code, where an editor's window may not show it."
        elif re.match(rf"\s{{{2 * WIDEST_GAP},}}[^\s/*]", line):
            yield "long-line", number, "The line's code begins far right, where an editor's window may not show it."


def _of_directives(code: list[Token]):
    headers = {*usual()["headers"], *usual()["more_headers"]}
    for token in code:
        if token.kind != "directive":
            continue
        name, _, rest = token.text[1:].strip().partition(" ")
        name = re.match(r"\w*", name)[0] if not name.startswith("include") else "include"
        if name in ("include", "import", "include_next", "embed"):
            what = re.sub(r"^#\s*\w+\s*", "", token.text)
            header = re.fullmatch(r"<([^>]*)>|\"([^\"]*)\"", what)
            if name != "include" or not header:
                yield "unusual-include", token.line, f"{shown(token.text)}: which file that is cannot be read here."
            elif (header[1] or header[2] or "") not in headers:
                yield ("unusual-include", token.line, f"{shown(token.text)}: no solution of the workbook includes this header, and it "
                       "is for more than computing.")
        elif name == "line" or re.match(r"#\s*\d", token.text):
            yield "line-numbers", token.line, f"{shown(token.text)} gives the lines below other numbers or another file's name."
        elif name == "pragma" and remarkable.PRAGMAS.match(rest):
            yield "hooks-off", token.line, f"{shown(token.text)} {remarkable.PRAGMA_SENTENCE}"
        elif name in ("define", "undef"):
            defined = re.match(r"\w+", rest)
            if defined and (defined[0] in remarkable.OWN_WORDS or defined[0].startswith("__")):
                yield "redefined-word", token.line, f"{shown(token.text)} gives a word of the language or of CUDA another meaning."
        if name not in ("include", "pragma", "error", "warning"):
            for kind, _, sentence in _of_names(tokens_of(rest)):  # of a macro's body
                yield kind, token.line, sentence


def _of_names(code: list[Token]):
    for index, token in enumerate(code):
        if token.kind != "name":
            continue
        before = code[index - 1].text if index else ""
        after = code[index + 1].text if index + 1 < len(code) else ""
        of_std = before == "::" and index > 1 and code[index - 2].text == "std"
        if token.text == "thread" and of_std:
            yield "threads", token.line, _sentence("threads").format(name="std::thread")
            continue
        if before in (".", "->") or (remarkable.EVERYDAY.fullmatch(token.text) and after != "(" and not of_std):
            continue
        for kind, pattern, sentence in remarkable.NAMES:
            if pattern.fullmatch(token.text):
                yield kind, token.line, sentence.format(name=shown(token.text))
                break


def _sentence(kind: str) -> str:
    return next(sentence for each, _, sentence in remarkable.NAMES if each == kind)


def _of_strings(code: list[Token]):
    for token in code:
        if token.kind == "string":
            found = remarkable.TEXTS.search(token.text)
            if found:
                yield ("suspicious-text", token.line, f"A text in the code holds {shown(found.group())!r}; it may name a file, a library or "
                       "a part of the grader.")
            elif remarkable.MACHINE_CODE.search(token.text):
                yield "suspicious-text", token.line, "A text in the code is written as numbers of bytes; it may be machine code."


def _group(code: list[Token], opened: int) -> int:
    """The index behind the bracket that closes the one at `opened`."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    closing = pairs[code[opened].text]
    depth = 0
    for index in range(opened, len(code)):
        depth += (code[index].text == code[opened].text) - (code[index].text == closing)
        if depth == 0:
            return index + 1
    return len(code)


def _of_attributes(code: list[Token]):
    index = 0
    while index < len(code):
        text, after = code[index].text, code[index + 1].text if index + 1 < len(code) else ""
        is_gnu = text in ("__attribute__", "__attribute") and after == "("
        is_standard = text == after == "["
        if not (is_gnu or is_standard):
            index += 1
            continue
        end = _group(code, index + is_gnu)
        for each in code[index + 1:end]:
            for kind, pattern, sentence in remarkable.ATTRIBUTES:
                if each.kind == "name" and pattern.fullmatch(each.text):
                    yield kind, each.line, f"The attribute {each.text} {sentence}"
        index = end


def _is_ptx(assembly: str) -> bool:
    statements = [words for each in re.split(r"[;\n]|\\n|\\t", assembly) if (words := each.split())]
    return bool(statements) and all(map(_is_statement_of_ptx, statements))


def _is_statement_of_ptx(words: list[str]) -> bool:
    name = words[1] if len(words) > 1 and remarkable.PTX_PREDICATE.fullmatch(words[0]) else words[0]
    first, *parts = name.split(".")
    return (words in (["{"], ["}"]) or (words[0] == name and name.startswith(".reg") and not re.match(r"\w", name[4:]))
            or (bool(re.fullmatch(r"[a-z][a-z0-9]*", first)) and not remarkable.PTX_TYPES.isdisjoint(parts)
                and all(map(remarkable.PTX_PART.fullmatch, parts))))


def _assembly(code: list[Token]) -> list[tuple[int, bool]]:
    """Where inline assembly stands in `code`, and whether it is PTX, which is the GPU's."""
    found = []
    for index, token in enumerate(code):
        if token.kind == "directive":
            found += [(index, is_ptx) for _, is_ptx in _assembly(tokens_of(token.text.lstrip("# ")))]
        elif token.kind == "name" and token.text in ("asm", "__asm", "__asm__"):
            end = next((place for place in range(index, min(index + 4, len(code))) if code[place].text == "("), None)
            first = last = len(code) if end is None else end + 1
            while last < len(code) and code[last].kind == "string":
                last += 1
            found.append((index, _is_ptx("".join(each.text.partition('"')[2].rpartition('"')[0] for each in code[first:last]))))
    return found


def _of_assembly(code: list[Token]):
    for index, is_ptx in _assembly(code):
        if not is_ptx:
            yield "inline-assembly", code[index].line, "Assembly of the processor, or a name given by hand, can do what the source hides."


def _of_addresses(code: list[Token]):
    for index, token in enumerate(code):
        if token.kind == "number" and re.match(r"0[xX][0-9a-fA-F']{6,}", token.text):
            before = "".join(each.text for each in code[max(0, index - 3):index])
            if before.endswith(("*)", "*>(", "*)(")):
                yield "address-as-number", token.line, f"{token.text} is made a pointer: a fixed address in the process."


def _of_globals(code: list[Token]):
    """Objects outside of functions whose beginning takes a call: it happens when the module is loaded."""
    tokens = [token for token in code if token.kind != "directive"]
    made = {after.text for token, after in zip(tokens, tokens[1:]) if token.text in ("struct", "class")}
    with_work = {name.text for before, name, after in zip(tokens, tokens[1:], tokens[2:]) if name.text in made and after.text == "("
                 and before.text in ("{", "}", ";", ":", "explicit", "~", "constexpr")}  # classes that have a constructor or destructor
    index = 0
    statement: list[Token] = []
    outer: list[str] = []  # its words outside of brackets
    words: set[str] = set()  # the same
    while index < len(tokens):
        token = tokens[index]
        if token.text == "{" and ("namespace" in words or (outer[:1] == ["extern"] and len(outer) == 2)):
            statement, outer, words, index = [], [], set(), index + 1
        elif token.text in ("{", "(", "["):
            end = _group(tokens, index)
            is_body = token.text == "{" and ")" in words and "=" not in words
            statement += tokens[index:end]
            outer += [token.text, tokens[end - 1].text]
            words.update(outer[-2:])
            index = end
            if is_body and not (index < len(tokens) and tokens[index].text in (";", ",", "(")):
                statement, outer, words = [], [], set()
        elif token.text in (";", "}"):
            sentence = _initialiser(statement, outer, with_work)
            if sentence:
                yield "runs-before-main", statement[0].line, sentence
            statement, outer, words, index = [], [], set(), index + 1
        else:
            statement.append(token)
            outer.append(token.text)
            words.add(token.text)
            index += 1


_A_NAME = re.compile(r"[^\W\d]\w*")


def _initialiser(statement: list[Token], outer: list[str], with_work: set[str]) -> str:
    """Why the variable that `statement` declares takes a call, or "". `with_work` are the classes that have constructors."""
    words = [token.text for token in statement]
    declared = outer[:next((place for place, word in enumerate(outer) if word in ("=", "(", "{")), len(outer))]
    if not words or remarkable.NO_VARIABLE & set(declared):
        return ""
    ends = "when the module is loaded, before the grader calls anything"
    if words[0] in ("struct", "class", "union") and "{" in words:
        behind = words[_group(statement, words.index("{")):]
        return f"An object of {shown(words[1])} is made {ends}." if behind and words[1] in with_work else ""
    if "=" in outer:
        value = words[words.index("=") + 1:]
        calls = any(before not in ("sizeof", "alignof") and (_A_NAME.fullmatch(before) or before in ("]", ">", "}", ")"))
                    for before, after in zip(value, value[1:]) if after == "(")
        return f"A global object gets its value by a call {ends}." if calls else ""
    for place, (word, after) in enumerate(zip(outer, outer[1:])):
        if word in with_work and _A_NAME.fullmatch(after) and outer[place + 2:place + 3] != ["("]:
            return f"An object of {shown(word)} is made {ends}."
    if outer[-1:] == ["}"] and "(" not in outer and "(" in words:
        return f"A global object gets its value by a call {ends}."
    return ""


def _of_backends(code: list[Token]):
    """Code for one backend alone. A few lines that stand for PTX, which the simulator does not run, are usual."""
    ptx = [code[index].line for index, is_ptx in _assembly(code) if is_ptx]  # in ascending order
    for token in code:
        word = remarkable.BACKENDS.search(token.text) if token.kind in ("directive", "name") else None
        if not word:
            continue
        place = bisect.bisect_left(ptx, token.line)
        if place == len(ptx) or ptx[place] > token.line + 8:
            yield ("backend-detection", token.line, f"{word[1]} tells who compiles the file, or when: code can do one thing on the "
                   "simulator and another on a GPU.")


# ---- the module ------------------------------------------------------------------------------------------


def of_module(module: pathlib.Path, source: str, contract: str) -> list[Found]:
    """What is remarkable in a module of the simulator, built from `source`. `contract` is the lab's lab.hpp."""
    try:
        symbols = symbols_of(module)
    except Unreadable as error:
        return [("module-unreadable", 0, f"The built module's table of symbols cannot be read ({shown(str(error))}).")]
    lines: dict[str, int] = {}
    for token in tokens_of(source):
        if token.kind == "name":
            lines.setdefault(token.text, token.line)

    def line_of(name: str) -> int:
        plain = re.match(r"_ZN?K?S?t?(\d{1,7})", name)
        return lines.get(name[plain.end():plain.end() + int(plain[1])] if plain else name, 0)

    found = []
    known = {*usual()["imports"]}
    pattern = _more_imports()
    prints = any("ios_base4Init" in name for name in symbols.imported)  # <iostream> makes an object of its own in every file
    for name in symbols.imported:
        if name in known or pattern.fullmatch(name) or (name == "__cxa_atexit" and prints):
            continue
        bare = re.sub(r"^_*|(64)?(_chk)?$", "", name)
        why = next((sentence.format(name=shown(name)) for _, each, sentence in remarkable.NAMES
                    if each.fullmatch(bare) or each.fullmatch(name)), "No solution of the workbook calls it, and it is for more than computing.")
        found.append(("unusual-import", line_of(name), f"The built module imports {shown(name)}. {why}"))
    own = set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", contract))
    for name in symbols.exported:
        if name not in own and not name.startswith(("_Z", "__start_", "__stop_")) and _is_systems(name):
            found.append(("replaced-function", line_of(name), f"The file defines {shown(name)}, which is the system's or the simulator's."))
    if symbols.first_functions > FIRST_FUNCTIONS:
        more = symbols.first_functions - FIRST_FUNCTIONS
        found.append(("runs-before-main", 0, f"{more} more function{'s' * (more > 1)} than usual run{'s' * (more == 1)} when the module is "
                                             "loaded, before the grader calls anything."))
    return found


def _is_systems(name: str) -> bool:
    return name.startswith(("cuda", "__")) or any(pattern.fullmatch(name) for _, pattern, _ in remarkable.NAMES) \
        or bool(_more_imports().fullmatch(name))


# ---- both ------------------------------------------------------------------------------------------------


def remarks_of(hand_in: HandIn, modules: dict[str, pathlib.Path]) -> list[Remark]:
    """What an instructor may want to look at in `hand_in`, by line; at most MOST_OF_A_KIND of each kind. `modules` are its built
    modules by backend. Only the simulator's is read: a GPU's is linked with CUDA's runtime, which imports what it likes."""
    if hand_in.fault is not None:
        return []
    try:
        status = hand_in.file.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            return []
        content = hand_in.file.read_bytes()
    except OSError:
        return []
    if b"\0" in content:  # it is no text, as student_file.fault_of says, and is not compiled
        return []
    text = content.decode("utf-8", errors="replace")
    found = of_source(text)
    if "sim" in modules:
        try:
            contract = (hand_in.lab.folder / "lab.hpp").read_text(encoding="utf-8")
        except OSError:
            contract = ""
        found += of_module(modules["sim"], text, contract)
    taken: dict[str, int] = {}
    remarks = []
    for kind, line, sentence in sorted(dict.fromkeys(found), key=lambda each: (each[1] == 0, each[1])):
        taken[kind] = taken.get(kind, 0) + 1
        if taken[kind] <= MOST_OF_A_KIND:
            remarks.append(Remark(hand_in.id, kind, sentence, line))
    return remarks
