"""Fails where a text of the workbook is not the plain technical English that its readers need.

Usage: style.py ROOT [PATH...]

Looks at the documents, at comments and messages of the sources and at the labs' data, PATHs alone if there are any, and
prints a line per finding: file, line, the words, and what to write. Lines of Markdown end at column 100, but for
tables, headings, code and addresses, which cannot be wrapped. A notebook (.ipynb) is read as the Markdown that its cells are, with code
between them. A handout (labs/NN-name/README.md) has at most 2,500 words. Where proselint (PyPI) is installed, its checks of clichés, redundant words and misspellings look at the documents, too.

A translation (README.zh.md, questions.zh.json, coalescing.zh.cu.starter) is spared the English words. It has no blanks at the
ends of lines, and its Markdown is wrapped where a blank may stand: a page shows one for each end of a line, so that a line must
not end between two Chinese characters.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

SUFFIXES = {".md", ".hpp", ".h", ".cpp", ".cu", ".cuh", ".py", ".js", ".ts", ".css", ".html", ".cmake", ".txt", ".json", ".starter", ".ipynb"}
#: What others wrote, and this list itself.
LEFT_OUT = re.compile(r"^(LICENSE|common/tests/fuzz/seeds/.*|common/honesty/style\.py|common/tests/honesty/test_style\.py)$")
#: A text in a language other than English, by the code in its name.
TRANSLATION = re.compile(r"\.[a-z]{2,3}(?:-[A-Za-z]+)*\.(?:md|json|cu\.starter)$")
WIDTH = 100
HANDOUT = re.compile(r"^labs/[^/]+/README\.md$")
MOST_WORDS = 2500  # of a handout: what is not needed for a task stands in more.md

UNITS = ("sectors|bytes|wavefronts|requests|accesses|words|points|steps|elements|ns|us|ms|instructions|loads|stores|reads|writes|additions|"
         "atomics|updates|launches|threads|warps|floats|values|cycles|blocks|bins|pairs|bodies|interactions|marks|seconds|minutes|"
         "hand-ins|verdicts|operations|passes|slots|registers|sums|rows|columns|tests|copies|calls|KB|KiB|MB|MiB|GB|GiB")
PER = ("request|warp|lane|thread|block|element|sector|second|minute|hour|cluster|launch|step|body|row|pair|word|tile|access|call|"
       "column|bank|grid|item|hand-in|student|lab|program|core|multiprocessor|processor|cycle|value|bin")
NUMBER = r"(?:\d[\d,.]*|one|two|three|four|eight|sixteen|thirty-two|too many)"

#: (pattern, what to write). A space stands for any white space, also that between two lines of a comment.
WORDS = [
    (r"nobody(?:'s)?|somebody(?:'s)?|anybody(?:'s)?", "name who it is, or write 'no thread', 'another thread', 'no one', 'someone'"),
    (r"everybody(?:'s)?", "'everyone', or name them: 'all threads'"),
    (r"(?:is|are|was|were|be|been|being) (?:not |also |only |then )?told(?! apart)", "say who says it: 'the report names …'"),
    (rf"(?<!v\d:\s){NUMBER} (?:{UNITS}) an? (?:(?:read|write|load|store) )?(?:{PER})(?! (?:of|that|which|with|in|for|to)\b)", "'per' in place of 'a'"),
    (r"leaves? it away|leav(?:e|es|ing) (?:them|this|that) away|left away", "'omit', 'leave out'"),
    (r"just so", "'by default'"),
    (r"leads? so far|which so also|so also", "say it directly"),
    (r"shall", "'must', or the plain present"),
    (r"all together", "'in all', 'altogether'"),
    (r"hangs? on (?:the|a|an|its|how|what|whether)(?! (?:simulator|GPU|device|hardware)\b)", "'depends on'"),
    (r"stands? for (?:itself|themselves)", "'is independent'"),
    (r"whither|lest|thereof|therein|wherein|hitherto|aforesaid|withal", "an everyday word"),
    (r"(?:its|their|his|her) kin", "'and the like'"),
    (r"anew", "'again'"),
    (r"mend(?:s|ed|ing)?", "'fix', 'correct'"),
    (r"(?:takes?|get|gets) (?:a|the) point for that", "'costs no points'"),
    (r"little else than|nothing else than", "'little but', 'nothing but'"),
    (r"knows no", "'has no', 'does not know'"),
]
GAP = r"(?:[ \t]|\n[ \t]*(?://[/!<]*|#:?|\*|>)?[ \t]*)+"


def first_of_either_case(pattern):
    """Words may begin a sentence; NAMES of constants are no words."""
    return "|".join(re.sub(r"^[a-z]", lambda first: f"[{first.group().upper()}{first.group()}]", part) for part in pattern.split("|"))


def compiled():
    """[(pattern, what to write)] with spaces that also match the end of a line and the next comment's beginning."""
    return [(re.compile(rf"(?<![\w/.-])(?:{first_of_either_case(pattern).replace(' ', GAP)})(?![\w-])"), advice)
            for pattern, advice in WORDS]


PATTERNS = compiled()
#: Checks that technical texts cannot pass: TODOs are no forgotten notes, tables repeat numbers, quotes stay straight.
PROSELINT = ["annotations", "lexical_illusions", "typography", "weasel_words", "hedging", "psychology", "skunked_terms", "misc.but",
             "dates_times", "misc.phrasal_adjectives"]


def text_of(path):
    """The text of a file; that of a notebook as Markdown, each line at the line of the file that holds it."""
    text = path.read_text(encoding="utf-8")
    return as_markdown(text) if path.suffix == ".ipynb" else text


def as_markdown(notebook):
    """A notebook's cells, as Jupyter writes them into a file: a line of a cell is a line of the file. Code gets its fences."""
    file = notebook.splitlines()
    lines, place = [""] * len(file), 0
    for cell in json.loads(notebook)["cells"]:
        for number, line in enumerate(cell["source"]):
            begin = place
            try:
                place = next(at for at in range(place, len(file)) if file[at].strip().removesuffix(",") == json.dumps(line, ensure_ascii=False)) + 1
            except StopIteration:
                raise SystemExit(f"a notebook's cell is not in the file as Jupyter writes it, a line of it in each line: {line!r}") from None
            lines[place - 1] = line.rstrip("\n")
            if number == 0 and cell["cell_type"] == "code":
                assert place - 1 > begin, "the line before a cell's first one opens its source"
                lines[place - 2] = "```"
        if cell["source"] and cell["cell_type"] == "code":
            lines[place] = "```"
    return "\n".join(lines) + "\n"


def of_words(text):
    """[(line, words, what to write)] for each phrase of the list in `text`."""
    found = []
    for pattern, advice in PATTERNS:
        for place in pattern.finditer(text):
            found.append((text.count("\n", 0, place.start()) + 1, " ".join(place.group().split()), advice))
    return sorted(found)


def columns(text):
    """How wide a terminal shows it: Chinese characters and punctuation take two columns."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def prose_of(text):
    """[(number, line)] of a Markdown text without its blocks of code."""
    found, fence = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and (not fence or mark.group(1).startswith(fence)):
            fence = "" if fence else mark.group(1)
        elif not fence:
            found.append((number, line))
    return found


def of_width(text):
    """[(line, begin of it, what to do)] for each line of Markdown that should have been wrapped."""
    return [(number, line[:40] + " …", f"wrap at {WIDTH} columns; this line has {columns(line)}") for number, line in prose_of(text)
            if columns(line) > WIDTH and not re.match(r"\s*(?:\||#|<|!?\[[^\]]*\]\([^)]*\)[.,;:]?$|\S+$)", line)]


def of_length(text):
    """[(line, words, what to do)] for a handout that is too long. What blanks divide counts as a word, in drawings and code, too."""
    count = len(text.split())
    return [(1, f"{count:,} words", f"a handout has at most {MOST_WORDS:,}: more.md takes the rest")] if count > MOST_WORDS else []


def of_blanks(text):
    """[(line, end of it, what to do)] for each line with blanks at its end."""
    return [(number, line[-20:].strip() + "␠", "no blanks at the end of a line") for number, line in enumerate(text.splitlines(), 1)
            if line != line.rstrip()]


def is_letter_without_blanks(character):
    """Of a script like the Chinese one, whose words no blanks divide; not its punctuation, which has room of its own."""
    return unicodedata.east_asian_width(character) in "WF" and unicodedata.category(character) == "Lo"


def of_breaks(text):
    """[(line, its end and the next one's begin, what to do)] for each line of Markdown that ends between two Chinese characters."""
    found, lines = [], prose_of(text)
    for (number, line), (next_number, following) in zip(lines, lines[1:]):
        begin = re.sub(r"^\s*(?:> ?)*", "", following)
        if next_number == number + 1 and line and begin and not re.match(r"\s*[|#<]", line) and \
                is_letter_without_blanks(line[-1]) and is_letter_without_blanks(begin[0]):
            found.append((number, f"{line[-8:]} / {begin[:8]}", "end the line behind punctuation: a page shows a blank here"))
    return found


def without_code(text):
    """Prose of a Markdown text: code, addresses and tables' bars become spaces, so that lines keep their numbers."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group())
    text = re.sub(r"^ *(```+).*?^ *\1", blank, text, flags=re.S | re.M)
    text = re.sub(r"`[^`]*`", blank, text)
    return re.sub(r"\]\([^)]*\)|<[^>]*>", blank, text)


def linter(root):
    """proselint's program: that of the workbook's virtual environment, or of the machine; None without one."""
    own = root / "build/venv/bin/proselint"
    return str(own) if own.is_file() else shutil.which("proselint")


def of_proselint(program, documents):
    """[(path, line, check, message)] of the checks of proselint that concern technical texts."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "settings.json"
        settings.write_text(json.dumps({"max_errors": 100000, "checks": dict.fromkeys(PROSELINT, False)}))
        copies = {}
        for number, path in enumerate(documents):
            copy = Path(folder).resolve() / f"{number:03}.md"
            copy.write_text(without_code(text_of(path)), encoding="utf-8")
            copies[copy.as_uri()] = path
        said = subprocess.run([program, "check", "--config", settings, "-o", "json", *(Path(folder).glob("*.md"))],
                              capture_output=True, text=True, check=False).stdout
        try:
            results = json.loads(said)["result"]
        except (ValueError, KeyError):
            raise SystemExit(f"{program} did not print its findings as JSON:\n{said[:400]}") from None
        if set(results) - set(copies):
            raise SystemExit(f"{program} names documents that it was not given: {sorted(set(results) - set(copies))}")
        return sorted({(copies[uri], result["pos"][0], result["check_path"], result["message"])
                       for uri, of_one in results.items() for result in of_one["diagnostics"]})


def files_of(root, chosen):
    """The text files that git knows, or those of them below the chosen paths. Without git all but what builds leave."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--", *chosen], capture_output=True, check=False)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
    else:
        below = [root / path for path in chosen] or [root]
        found = [path for folder in below for path in ([folder] if folder.is_file() else sorted(folder.rglob("*")))]
        names = [str(path.relative_to(root)) for path in found if path.is_file()]
        names = [name for name in names if name.split("/")[0] != "build" and not name.startswith(".")]
    return [root / name for name in names if not LEFT_OUT.match(name) and (root / name).is_file() and
            (Path(name).suffix in SUFFIXES or Path(name).name == "warpbook")]


def main(arguments):
    root = Path(arguments[0]).resolve()
    files = files_of(root, arguments[1:])
    count = 0
    translations = {path for path in files if TRANSLATION.search(path.name)}
    documents = [path for path in files if path.suffix in (".md", ".ipynb") and path not in translations]
    for path in files:
        text = text_of(path)
        found = of_blanks(text) if path in translations else of_words(text)
        if path.suffix in (".md", ".ipynb"):
            found += of_width(text) + (of_breaks(text) if path in translations else [])
        if HANDOUT.match(path.relative_to(root).as_posix()):
            found += of_length(text)
        for line, words, advice in found:
            print(f"{path.relative_to(root)}:{line}: {words}: {advice}")
            count += 1
    program = linter(root)
    for path, line, check, message in of_proselint(program, documents) if program and documents else []:
        print(f"{path.relative_to(root)}:{line}: {check}: {message}")
        count += 1
    if not program:
        print("proselint is not installed (pip install proselint): its checks were left out")
    print(f"{len(files)} files, {count} findings")
    return 1 if count or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
