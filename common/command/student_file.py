"""A student's file on its way to a module: what is wrong with the file itself, and what the compiler says of it."""
from __future__ import annotations

import codecs
import dataclasses
import os
import pathlib
import re
import stat

from .classroom import harmless
from .language import _

MOST_BYTES = 1_000_000
_MOST_TEXT = 4000
# A compiler speaks of the first error best; what follows is often its echo.
_FIRST_ERROR = re.compile(r"^[^\n]*(?:error|Error)[ :][^\n]*(?:\n[ \t]*[0-9]* \|[^\n]*)*", re.M)

# How simtcc --submission ends (common/simt/translate/submission.hpp). Whatever it prints with the first may be the file's own words;
# with the second it prints a verdict of its own, and nothing else: of limits, and of files that are none of a submission's.
_HAS_ERRORS, _VERDICT_GIVEN = 3, 4
_VERDICTS = ("compile-too-long", "compile-out-of-memory", "compile-too-large", "foreign-file", "not-a-source")
_VERDICT = re.compile(rf"(?P<place>(?::\d+)*): error: (?P<sentence>[^\n]*) \[(?P<id>{'|'.join(_VERDICTS)})\]$", re.M)

# Behind simtcc's word on the bracket that is missing or too many (common/simt/translate/brackets.hpp); the compiler's follows.
_UNBALANCED = " [unbalanced]"

# A function of the contract with another result type: g++ or clang++, which quote both lines.
_RESULT_TYPE = re.compile(
    r"(?P<here>[^\n]*?:\d+)(?::\d+)?: error: (?:ambiguating new declaration of|conflicting declaration of C function|"
    r"functions that differ only in their return type)[^\n]*\n *\d+ \| (?P<own>[^\n]*)\n(?:[^\n]*\n)*?"
    r"(?P<there>[^\n]*?:\d+)(?::\d+)?: note: (?:old|previous) declaration[^\n]*\n *\d+ \| (?P<declared>[^\n]*)")

# A name of the library whose header the file does not include: g++'s note, which may come with a later error, and clang++'s.
_HEADER = re.compile(r": note: (?:[‘'](?P<name>[\w:]+)[’'] is defined in header [‘'](?P<header><[^>\n]+>)|"
                     r"include the header (?P<clang_header><[^>\n]+>) or explicitly provide a declaration for '(?P<clang_name>\w+)')")


# What g++ and clang++ say, and what nvcc says of the device's half of a file and of the host's.
_WARNING = re.compile(r":(?P<line>\d+):(?P<column>\d+): warning: (?P<text>.*?)(?: \[-W[^\]\s]*\])?$|"
                      r"\((?P<nvcc_line>\d+)\): warning #\d+-D: (?P<nvcc_text>.*)$", re.M)


@dataclasses.dataclass(frozen=True)
class Warned:
    """What a compiler warns of in a file that it compiles. Where it names no column, that is 1."""

    line: int
    column: int
    text: str


def warnings_in(said: str, source: str) -> list[Warned]:
    """What a compiler's messages warn of in the lines of `source`, by line, each once."""
    found = (_WARNING.match(said, place.end()) for place in re.finditer(rf"^{re.escape(source)}(?=[:(])", said, re.M))
    told = {(int(each["line"] or each["nvcc_line"]), harmless.shown(each["text"] or each["nvcc_text"])): int(each["column"] or 1) for each in found if each}
    return sorted((Warned(line, column, text) for (line, text), column in told.items()), key=lambda each: (each.line, each.column))


@dataclasses.dataclass
class BuildFailure:
    """Why a file could not be built. `reason` is a sentence, `details` are lines below it, `error` the compiler's that it quotes."""

    diagnosis: str
    reason: str
    details: list[str]
    error: str = ""


def _content(source: pathlib.Path) -> bytes:
    """What is in an ordinary file. What has taken its place since it was looked at is an OSError, and not waited for."""
    with open(os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{source} is no ordinary file")
        return file.read(MOST_BYTES + 1)


def fault_of(source: pathlib.Path, shown: str, lab: str, is_starter: bool) -> BuildFailure | None:
    """What is wrong with the file before a compiler sees it, or None."""
    try:
        status = os.lstat(source)
    except OSError:
        help_line = _("Take the starter back: {command}", command=f"./warpbook reset {lab[:2]}") if is_starter else _("Is the path right?")
        return BuildFailure("missing-file", _("{file} is missing.", file=shown), [help_line])
    if stat.S_ISDIR(status.st_mode):
        return BuildFailure("missing-file", _("{file} is a folder, and a .cu file belongs there.", file=shown), [])
    if stat.S_ISLNK(status.st_mode):
        return BuildFailure("not-a-source", _("{file} is a symbolic link, and a submission is a file itself.", file=shown),
                            [_("It leads to {target}. Put a copy in its place: {command}", target=repr(os.readlink(source)), command="cp --remove-destination")])
    if not stat.S_ISREG(status.st_mode):
        return BuildFailure("not-a-source", _("{file} is not an ordinary file.", file=shown), [])
    if status.st_size > MOST_BYTES:
        return BuildFailure("not-a-source", _("{file} has {size} bytes; a lab's file has a few thousand.", file=shown, size=status.st_size),
                            [_("Is it the right file? An editor may have saved something else under this name.")])
    try:
        content = _content(source)
    except OSError:
        return BuildFailure("missing-file", _("{file} cannot be read.", file=shown),
                            [_("Give yourself the permission: {command}", command=f"chmod u+r {shown}")])
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return BuildFailure("not-a-source", _("{file} is saved as UTF-16, which CUDA's compilers do not read. Save it as UTF-8.", file=shown), [])
    # A compiler reads on after a NUL, with errors of its own making or with none.
    if b"\0" in content:
        return BuildFailure("not-a-source", _("{file} is no text: its byte {place} is 0.", file=shown, place=content.index(0)),
                            [_("Is it the right file? A text editor saves C++ as UTF-8, not as UTF-16 or a document.")])
    if not content.strip():
        return BuildFailure("empty-file", _("{file} is empty.", file=shown),
                            [_("Every function of {contract} is to be written there.", contract=f"labs/{lab}/lab.hpp")])
    return None


def failure_from(status: int, output: str, shown: str, root: pathlib.Path) -> BuildFailure:
    """Why nothing was built, by how simtcc --submission ended, and what it said."""
    output = output.replace(f"{root}/", "")
    verdict = _VERDICT.search(output, len(shown) if output.startswith(shown) else 0) if status == _VERDICT_GIVEN else None
    if verdict:
        return BuildFailure(verdict["id"], _("{file} cannot be built: {why}.", file=shown, why=verdict["sentence"]),
                            [shown + verdict["place"], *output[verdict.end():].splitlines()[1:]] if verdict["place"] else [])
    if status != _HAS_ERRORS:
        return BuildFailure("build-failed", _("{file} could not be built.", file=shown), output.splitlines())
    first = _FIRST_ERROR.search(output)
    if not first:
        return BuildFailure("compile-error", _("{file} does not compile.", file=shown), output.splitlines())
    text = first.group()[:_MOST_TEXT]
    if text.endswith(_UNBALANCED):
        bracket = text[:-len(_UNBALANCED)]
        own = _FIRST_ERROR.search(output, first.end())
        below = [_("The compiler's own first error:"), *own.group()[:_MOST_TEXT].splitlines()] if own else []
        return BuildFailure("compile-error", _("{file} does not compile. {why}", file=shown, why=bracket), below, bracket)
    result_type = _RESULT_TYPE.match(output, first.start())
    if result_type:
        own, declared = (result_type[name].rstrip(" {;") for name in ("own", "declared"))
        name = (re.search(r"\b(\w+)\s*\(", own) or ["", _("A function")])[1]
        return BuildFailure("compile-error", _("{file} does not compile. {function} has another result type than in {contract}.", file=shown, function=name,
                                               contract=result_type["there"].rpartition("/")[2].partition(":")[0]),
                            [_("{place} declares {what}", place=result_type["there"].removeprefix("./"), what=declared), _("{place} defines {what}", place=result_type["here"], what=own),
                             _("The compiler's own first error:"), *text.splitlines()])
    for note in _HEADER.finditer(output):
        name, header = note["name"] or note["clang_name"], note["header"] or note["clang_header"]
        if re.search(rf"[‘']{name.rpartition('::')[2]}[’']", text.splitlines()[0]):
            return BuildFailure("compile-error", _("{file} does not compile. {name} needs a line at the beginning of the file: {line}", file=shown, name=name,
                                                   line=f"#include {header}"), [_("The compiler's own first error:"), *text.splitlines()])
    error, *below = text.splitlines()
    return BuildFailure("compile-error", _("{file} does not compile. The compiler's first error: {error}", file=shown, error=error), below, error)
