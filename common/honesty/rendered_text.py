"""Fails where the workbook's C++ takes a decision from a text that was made to be read.

Usage: rendered_text.py ROOT

What the simulator found travels as data (simt::Finding, warpbook::Failure): a rubric that looks for words in a
message loses its lesson when the message gets better. Rubrics, grader and simulator therefore neither search nor
compare messages, nor do they go by the name of a kernel, which is the student's.
"""

import re
import sys
from pathlib import Path

FOLDERS = ["labs", "common/grader", "common/simt/runtime", "common/simt/report"]

# A member that holds text for readers, perhaps one of several.
TEXT = r"[.>](?:sentence|message|suggestion|action|reason|details|causes|notes|kernel)(?:\.front\(\)|\.back\(\)|\[[^\]]*\])?"
LOOKS = r"\.(?:find|rfind|contains|starts_with|ends_with|substr|compare|search|match)\w*\s*\("

PATTERNS = [
    (re.compile(TEXT + LOOKS), "looks for words in it"),
    (re.compile(TEXT + r'\s*[!=]=\s*(?:std::string\()?"(?!")'), "compares it with words"),
    (re.compile(r"\b(?:search|match)\(\s*\w+(?:\.\w+)*" + TEXT), "matches a pattern on it"),
]
LINES = [
    (re.compile(r"for \([^;()]* : \w+(?:\.\w+)*[.>](?:details|causes|notes)\)"), "goes through its lines"),
    (re.compile(r"(?:find_if|any_of|none_of|all_of|erase_if|remove_if)\(\s*\w+(?:\.\w+)*[.>](?:details|causes|notes)\b"),
     "goes through its lines"),
]  # of rubrics alone: the grader goes through them to print them


def without_comments(text):
    """The code alone; lines keep their numbers."""
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found.group().count("\n"), text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def problems(text, is_rubric):
    """(line, what) for each place that decides by a text."""
    code = without_comments(text)
    found = []
    for pattern, what in PATTERNS + (LINES if is_rubric else []):
        for place in pattern.finditer(code):
            found.append((code.count("\n", 0, place.start()) + 1, f"{place.group().strip()}: {what}"))
    return sorted(found)


def main(arguments):
    root = Path(arguments[0])
    files = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.[ch]pp"))
    count = 0
    for path in files:
        for line, what in problems(path.read_text(), path.is_relative_to(root / "labs")):
            print(f"{path.relative_to(root)}:{line}: {what}")
            count += 1
    print(f"{len(files)} files, {count} problems")
    return 1 if count or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
