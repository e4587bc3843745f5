"""Fails if docs/simulator.md does not say of the simulator's findings what their catalogue says, or if the catalogue has
entries that no code gives.

Usage: catalogue_page.py --catalogue PRINT_CATALOGUE --root ROOT [--write]

The page has a block between two comments for each group of ids, `<!-- findings: id id -->`, and one for the rules by
which launches are refused, `<!-- refusals -->`. With --write they are written again.
"""

import argparse
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

PAGE = "docs/simulator.md"
CODE = ["common/simt/diagnostics", "common/simt/runtime"]
BLOCK = re.compile(r"<!-- (findings: [^>]+|refusals) -->\n(.*?)<!-- end -->\n", re.S)
# What asks for findings that are there, and does not give one.
ASKED = re.compile(r'(?:already_recorded|known_race)\("[^"]*"|\bid [!=]= "[^"]*"|index_of\.find\(\{"[^"]*"')


def shown(text, phrases):
    """The text with its facts as <fact>, and what it says in one of several ways as (one | other)."""
    def fact(hole):
        name, _, unit = hole.partition("|")[0].partition(":")
        ways = [shown(way, phrases) for way in phrases.get(name, []) if way]
        if ways:
            return ways[0] if len(ways) == 1 else "(" + " | ".join(ways) + ")"
        return f"<{name}>" + {"": "", ",": "", "KiB": " KiB", "MiB": " MiB"}.get(unit, f" {unit}s")

    def place(found):
        around = re.fullmatch(r"(.*)<(.*)>(.*)", found[1])
        return around[1] + fact(around[2]) + around[3] if around else fact(found[1])
    return re.sub(r"\{([^}]*)\}", place, text)


def lines_of(head, text, cures, phrases):
    def wrapped(text, first, rest):
        return textwrap.wrap(shown(text, phrases), 98, initial_indent=first, subsequent_indent=rest,
                             break_long_words=False, break_on_hyphens=False)
    lines = [head, *wrapped(text, "  ", "  ")]
    for cure in cures:
        lines += wrapped(cure, "  try: " if cure == cures[0] else "  or:  ", "       ")
    return lines


def block_of(what, catalogue):
    phrases = catalogue["phrases"]
    if what == "refusals":
        groups = [lines_of(entry["rule"], entry["reason"], entry["cures"], phrases) for entry in catalogue["refusals"]]
    else:
        groups = [lines_of(f"{entry['id']} ({entry['kind']})" if entry["kind"] else entry["id"], entry["message"], entry["cures"], phrases)
                  for name in what.split()[1:] for entry in catalogue["findings"] if entry["id"] == name]
    return "```text\n" + "\n".join(line for group in groups for line in group) + "\n```\n"


def wanted_page(page, catalogue):
    return BLOCK.sub(lambda found: f"<!-- {found[1]} -->\n{block_of(found[1], catalogue)}<!-- end -->\n", page)


def unlisted(page, catalogue):
    """What the page has no block for, and what it has one for that there is not."""
    blocks = [found[1] for found in BLOCK.finditer(page)]
    listed = [name for block in blocks if block != "refusals" for name in block.split()[1:]]
    ids = {entry["id"] for entry in catalogue["findings"]}
    problems = [f"{PAGE} has no block for {name}" for name in sorted(ids - set(listed))]
    problems += [f"{PAGE} has a block for {name}, which is no finding" for name in sorted(set(listed) - ids)]
    problems += [f"{PAGE} has {name} twice" for name in sorted({name for name in listed if listed.count(name) > 1})]
    return problems + ([] if "refusals" in blocks else [f"{PAGE} has no block for the refusals"])


def ungiven(code, catalogue):
    """Entries that no code gives."""
    code = ASKED.sub("", code)
    kinds = re.compile(r'\{\s*"([a-z-]+)",\s*"([a-z-]+)"\s*\}')
    given = {found.groups() for found in kinds.finditer(code)}
    plain = set(re.findall(r'"([a-z-]+)"', kinds.sub("", code)))
    names = [(entry["id"], entry["kind"]) for entry in catalogue["findings"]]
    missing = [f"{name} {kind}".strip() for name, kind in names if (name not in plain if not kind else (name, kind) not in given)]
    missing += [entry["rule"] for entry in catalogue["refusals"] if entry["rule"] not in plain]
    return [f"no code gives {name}" for name in missing]


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--catalogue", required=True)
    parser.add_argument("--root", required=True, type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    catalogue = json.loads(subprocess.run([options.catalogue], check=True, capture_output=True, text=True).stdout)
    path = options.root / PAGE
    page = path.read_text(encoding="utf-8")
    code = "".join(file.read_text(encoding="utf-8") for folder in CODE for file in sorted((options.root / folder).rglob("*.[ch]pp")))
    problems = unlisted(page, catalogue) + ungiven(code, catalogue)
    wanted = wanted_page(page, catalogue)
    if wanted != page and options.write:
        path.write_text(wanted, encoding="utf-8")
        print(path)
    elif wanted != page:
        there = page.splitlines()
        differing = [line for line in wanted.splitlines() if line not in there]
        problems.append("\n".join([f"{PAGE} does not say what the catalogue says:", *differing[:20], "This writes what is wanted:",
                                   f"  python3 common/honesty/catalogue_page.py --catalogue {options.catalogue} --root . --write"]))
    print(*problems, f"{len(catalogue['findings'])} findings, {len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
