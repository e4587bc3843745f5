"""Whether translated pages, questions and starters say what their originals say, as far as a program can see that.

    pages.py [PATH...]              prints what differs; the exit status says whether anything does (default: all of the workbook)
    pages.py --up-to-date FILE...   notes in FILE's first line that it is a translation of the original as it is now

A page whose original has changed since is not compared: the site says that the English page is newer.
"""
from __future__ import annotations

import argparse
import collections
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "common"))
from command import files, language, regions  # noqa: E402

# ---- programs ------------------------------------------------------------------------------------------------

_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(//[^\n]*|/\*.*?\*/)', re.S)


def without_comments(code: str) -> list[str]:
    """The lines of a C++ program that hold more than comments, without these."""
    plain = _COMMENT.sub(lambda match: " " if match[1] else match[0], code)
    return [line for line in (re.sub(r"\s+", " ", line).strip() for line in plain.splitlines()) if line]


def of_programs(original: str, translation: str) -> list[str]:
    """What differs between a lab's file and the one with translated comments."""
    faults = []
    for theirs, own in zip(without_comments(original), without_comments(translation)):
        if theirs != own:
            return [f"the code is {own!r} where the original's is {theirs!r}"]
    if len(without_comments(original)) != len(without_comments(translation)):
        faults.append(f"it has {len(without_comments(translation))} lines of code, and the original {len(without_comments(original))}")
    try:
        numbers = [[region.number for region in regions.regions(text)] for text in (original, translation)]
    except regions.Malformed as broken:
        return [*faults, str(broken)]
    return faults if numbers[0] == numbers[1] else [*faults, f"its TODOs are {numbers[1]}, and the original's {numbers[0]}"]


# ---- texts -----------------------------------------------------------------------------------------------------

#: Numbers that an English text may say in words, where a translation has digits.
_IN_WORDS = {"zero": "0", "no": "0", "a": "1", "an": "1", "one": "1", "once": "1", "first": "1", "single": "1", "two": "2", "twice": "2", "second": "2", "both": "2", "pair": "2", "half": "2",
             "three": "3", "third": "3", "four": "4", "fourth": "4", "quarter": "4", "five": "5", "fifth": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
             "eleven": "11", "twelve": "12", "sixteen": "16", "thirty-two": "32", "sixty-four": "64", "hundred": "100", "thousand": "1000"}
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


def numbers(text: str) -> collections.Counter:
    """The numbers that stand in a text as digits."""
    return collections.Counter(found.rstrip(",").replace(",", "") for found in _NUMBER.findall(text))


def of_numbers(original: str, translation: str) -> list[str]:
    """Numbers of the original that the translation lacks, and those of the translation that the original has neither in digits nor in words."""
    words = {_IN_WORDS[word] for word in re.findall(r"[a-z]+(?:-[a-z]+)*", original.lower()) if word in _IN_WORDS}
    theirs, own = numbers(original), numbers(translation)
    lost, new = theirs - own, [number for number in own - theirs if number not in theirs and number not in words]
    return ([f"the number {', '.join(lost)} of the original is missing"] if lost else []) + ([f"the original has no number {', '.join(new)}"] if new else [])


def code_words(text: str) -> set[str]:
    return {re.sub(r"\s+", " ", each) for each in re.findall(r"`([^`]+)`", text)}


def of_words(original: str, translation: str) -> list[str]:
    """What differs in a plain text: its numbers, and what stands between backticks."""
    faults = of_numbers(without_code_words(original), without_code_words(translation))
    lost, new = code_words(original) - code_words(translation), code_words(translation) - code_words(original)
    faults += [f"`{each}` of the original is missing" for each in sorted(lost)]
    return faults + [f"the original has no `{each}`" for each in sorted(new)]


def without_code_words(text: str) -> str:
    return re.sub(r"`[^`]*`", " ", text)


# ---- pages -----------------------------------------------------------------------------------------------------

_BLOCK = re.compile(r"^(```|~~~)([^\n]*)\n(.*?)^\1 *$", re.M | re.S)
_LINK = re.compile(r"(!?)\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^)\s]+)\)")


class Section:
    """A heading of a page, and what stands below it."""

    def __init__(self, heading: str, text: str, blocks: list[tuple[str, str]]):
        match = re.match(r"(#*) *(.*)", heading)
        self.level, self.title = len(match[1]), match[2]
        self.text, self.blocks = text, blocks

    @property
    def shape(self) -> dict[str, object]:
        """What a translation has as its original has it."""
        lines = self.text.splitlines()
        rows = [line for line in lines if line.startswith("|")]
        return {
            "the heading's level": self.level,
            "the TODO numbers of the heading": re.findall(r"TODO\((\d+)\)", self.title),
            "the names of code in the heading": sorted(code_words(self.title)),
            "the TODO numbers": sorted(set(re.findall(r"TODO\((\d+)\)", self.text))),
            "the pictures": [target for picture, target in _LINK.findall(self.text) if picture],
            "the links": sorted(filter(None, (_led_to(target) for picture, target in _LINK.findall(self.text) if not picture))),
            "the folded parts": len(re.findall(r"<details>", self.text)),
            "the columns of the tables' rows": [row.count("|") for row in rows],
            "the entries of lists": len([line for line in lines if re.match(r"\s*(?:[-*]|\d+\.) ", line)]),
        }


def _led_to(target: str) -> str:
    """Where a link leads, whatever the language: a section of a translated page has another anchor, so its page counts."""
    path, _, anchor = target.partition("#")
    original = language.original_of(path)[0]
    return f"{original}#{anchor}" if anchor and path and not re.fullmatch(r"(?:README|more|hints)\.md", original) else original


def sections(text: str) -> list[Section]:
    found, heading, lines = [], "", []
    blocks: list[tuple[str, str]] = []
    kept = _BLOCK.sub(lambda match: f"\0{len(match[0].splitlines())}\n" if not blocks.append((match[2].strip(), match[3])) else "", text)
    left = iter(blocks)
    for line in [*kept.splitlines(), "# "]:
        if re.match(r"#{1,6} ", line):
            count = sum(each.startswith("\0") for each in lines)
            found.append(Section(heading, "\n".join(each for each in lines if not each.startswith("\0")), [next(left) for _ in range(count)]))
            heading, lines = line, []
        else:
            lines.append(line)
    return found


def of_blocks(original: list[tuple[str, str]], translation: list[tuple[str, str]]) -> list[str]:
    """What differs in blocks of code. Comments of a program, remarks on commands and words in a drawing may be translated."""
    if [kind for kind, _ in original] != [kind for kind, _ in translation]:
        return [f"its blocks of code are {[kind or 'plain' for kind, _ in translation]}, and the original's {[kind or 'plain' for kind, _ in original]}"]
    faults = []
    for (kind, theirs), (_, own) in zip(original, translation):
        if kind:
            faults += of_programs(theirs, own)
        elif commands(theirs) != commands(own):
            faults.append(f"the commands of a block are {commands(own)}, and the original's {commands(theirs)}")
        else:
            if len(theirs.splitlines()) != len(own.splitlines()):
                faults.append(f"a block has {len(own.splitlines())} lines, and the original's {len(theirs.splitlines())}")
            faults += of_numbers(theirs, own)
    return faults


def commands(block: str) -> list[str]:
    return [re.sub(r"\s+# .*", "", line).strip() for line in block.splitlines() if re.match(r"\s*(?:\$ )?\./", line)]


def of_pages(original: str, translation: str) -> list[str]:
    """What differs between a page and its translation, each with the heading of the section."""
    theirs, own = (sections(re.sub(r"<!--.*?-->", "", text, flags=re.S)) for text in (original, translation))
    if [each.level for each in theirs] != [each.level for each in own]:
        return [f"its headings have the levels {[each.level for each in own if each.level]}, and the original's {[each.level for each in theirs if each.level]}"]
    faults = []
    for given, made in zip(theirs, own):
        differing = [f"{what}: {made.shape[what]}, and in the original {given.shape[what]}" for what in given.shape if given.shape[what] != made.shape[what]]
        plain = [_LINK.sub(lambda match: match[0][:match[0].rindex("](")], each.text) for each in (given, made)]
        differing += of_words(*plain) + of_blocks(given.blocks, made.blocks)
        faults += [f"'{made.title or 'the beginning'}': {fault}" for fault in differing]
    return faults


# ---- questions -------------------------------------------------------------------------------------------------


def of_questions(original: dict, translation: dict) -> list[str]:
    """What differs between a lab's questions and their translation: all but words."""
    theirs, own = original["questions"], translation["questions"]
    if [each["id"] for each in theirs] != [each["id"] for each in own]:
        return [f"its questions are {[each['id'] for each in own]}, and the original's {[each['id'] for each in theirs]}"]
    faults = []
    for given, made in zip(theirs, own):
        for key in sorted(given.keys() | made.keys()):
            if key == "wrong":
                if [each["value"] for each in given[key]] != [each["value"] for each in made.get(key, [])]:
                    faults.append(f"'{given['id']}': the wrong answers are other ones")
                else:
                    faults += [f"'{given['id']}', wrong answer {one['value']}: {fault}" for one, other in zip(given[key], made[key]) for fault in of_words(one["why"], other["why"])]
            elif key in ("ask", "why", "otherwise") and key in given and key in made:
                faults += [f"'{given['id']}', {key}: {fault}" for fault in of_words(given[key], made[key])]
            elif key != "unit" and given.get(key) != made.get(key) or bool(given.get(key)) != bool(made.get(key)):
                faults.append(f"'{given['id']}': {key} is {made.get(key)!r}, and the original's {given.get(key)!r}")
    return faults


# ---- all of them -----------------------------------------------------------------------------------------------


def translations(root: pathlib.Path) -> list[tuple[pathlib.Path, pathlib.Path]]:
    """The translated files below `root`, each with its original. Terms have none: they are about the translation."""
    found = []
    for folder in (root, root / "docs", *sorted((root / "labs").glob("*/"))):
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            original, spoken = language.original_of(path.name)
            if path.is_file() and spoken != language.ENGLISH:
                found.append((path.with_name(original), path))
    return found


def is_older(original: pathlib.Path, translation: str) -> bool:
    header = language.HEADER.match(translation)
    return bool(header) and header[2] != files.fingerprint(original.read_bytes())


def faults(original: pathlib.Path, path: pathlib.Path) -> list[str]:
    """What is wrong with the translation in `path`."""
    if not original.is_file():
        return [f"there is no {original.name} of which it could be a translation"]
    theirs, own = (each.read_text(encoding="utf-8") for each in (original, path))
    if path.suffix == ".json":
        return of_questions(json.loads(theirs), json.loads(own))
    if path.suffix == ".starter":
        return of_programs(theirs, own)
    header = language.HEADER.match(own)
    if not header or header[1] != original.name:
        return [f"its first line is not <!-- Translation of {original.name} sha256:{files.fingerprint(original.read_bytes())} -->"]
    return [] if is_older(original, own) else of_pages(theirs, own[header.end():].lstrip("\n"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=pathlib.Path, metavar="PATH")
    parser.add_argument("--up-to-date", action="store_true", help="notes in each PATH that it is a translation of the original as it is now")
    options = parser.parse_args()
    if options.up_to_date:
        for path in options.paths:
            original = path.with_name(language.original_of(path.name)[0])
            header = f"<!-- Translation of {original.name} sha256:{files.fingerprint(original.read_bytes())} -->\n"
            text = path.read_text(encoding="utf-8")
            path.write_text(language.HEADER.sub(header, text, count=1) if language.HEADER.match(text) else header + text, encoding="utf-8")
        return 0
    count = 0
    for original, path in translations(ROOT):
        if not options.paths or any(path.resolve().is_relative_to(each.resolve()) for each in options.paths):
            for fault in faults(original, path):
                print(f"{path.relative_to(ROOT)}: {fault}")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
