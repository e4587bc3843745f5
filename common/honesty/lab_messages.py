"""Fails if a message of a lab's messages.md says what is not so: no file of the rubric uses it, neither the handout nor the
more.md beside it has such a section, the starter no such TODO, or nothing shows it, neither a mutant of that diagnosis nor a unit test that names it.
It also fails if the rubric sends its reader to a section that neither page has, or a mutant's line "// Read:" names one that its page does not have.

Usage: lab_messages.py --lab labs/NN-name [--mutants solutions/NN-name/mutants --tests common/tests]
"""

import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from command import lab_facts  # noqa: E402
from grader import messages  # noqa: E402

DIAGNOSIS = re.compile(r"^// diagnosis(?:\[\w+\])?: *(.+)$", re.MULTILINE)
SECTION = re.compile(r'(?:reading_on\(|read_on\([\w.]+, |read_in\(|\.section = )"([^"]+)"')
#: A variable or a member that is given a section, also by conditions: all to the end of the statement.
HELD = re.compile(r'(?:string\w* \w*|\w+\.)section\s*=\s*([^;{}]*);')
#: The line of a mutant's header that says where to read on, with the lines that go on with it.
READ = re.compile(r"^// Read: *(.+(?:\n// (?!\w+(?:\[\w+\])?: ).+)*)", re.MULTILINE)
#: What such a line names: the page, which lab's if not its own, and a section.
NAMED = re.compile(r'(?:lab (\d\d)\'s )?(handout|more\.md)(?: of lab (\d\d))?, "([^"]+)"')


def problems(told: list[messages.Message], rubric: str, handout: str, starter: str, shown: "set[str] | None") -> list[str]:
    """What is wrong, a sentence each. `shown`: ids of mutants and unit tests; None if they are not to be asked."""
    found = []
    sections = set(lab_facts.headings(handout))
    for message in told:
        where = f"messages.md:{message.line}: '{message.key}'"
        if f'"{message.key}"' not in rubric:
            found.append(f"{where} is used by no file of the rubric")
        if message.section and message.section not in sections:
            found.append(f"{where} sends its reader to '{message.section}', and the handout has no such section")
        found += [f"{where} is about TODO({todo}), and the starter has none" for todo in message.todos if f"TODO({todo})" not in starter]
        if shown is not None and message.id and message.id not in shown:
            found.append(f"{where}: no mutant has the diagnosis '{message.id}', and no unit test names it")
    found += [f"the rubric sends its reader to '{section}', and the handout has no such section"
              for section in sorted(sections_of(rubric) - sections)]
    return found


def sections_of(rubric: str) -> set[str]:
    """The sections that a rubric names: where it says what to read, and in variables that hold one."""
    held = (text for found in HELD.finditer(rubric) for text in re.findall(r'"([^"]+)"', re.sub(r'[=!]= *"[^"]*"', "", found[1])))
    return set(SECTION.findall(rubric)) | set(held)


def unreadable(name: str, mutant: str, lab: str, pages: "dict[tuple[str, str], set[str]]") -> list[str]:
    """What the mutant's lines "// Read:" name and is not there. `lab`: its number; `pages`: the headings of {(number, page)}."""
    found = []
    for line in READ.finditer(mutant):
        said = re.sub(r"\n//\s*", " ", line[1])
        named = list(NAMED.finditer(said))
        if len(named) < said.count('"') // 2:
            found.append(f"{name}: 'Read: {said}' quotes what is no section; a section is named as: the handout, \"What a warp asks for\"")
        for each in named:
            number, page = each[1] or each[3] or lab, "README.md" if each[2] == "handout" else "more.md"
            if each[4] not in pages.get((number, page), set()):
                found.append(f"{name}: it says to read '{each[4]}', and {page} of lab {number} has no such section")
    return found


def headings_of_labs(labs: pathlib.Path) -> "dict[tuple[str, str], set[str]]":
    """The headings of every lab's pages, by the lab's number and the page."""
    return {(folder.name[:2], name): set(lab_facts.headings((folder / name).read_text(encoding="utf-8")))
            for folder in lab_facts.folders(labs) for name in lab_facts.PAGES if (folder / name).exists()}


def text_of(files) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(files))


def ids_shown(mutants: pathlib.Path, tests: pathlib.Path) -> set[str]:
    """The diagnoses that mutants promise, and every quoted word of the unit tests."""
    promised = {word for found in DIAGNOSIS.finditer(text_of(mutants.glob("*.cu"))) for word in re.findall(r"[a-z0-9-]+", found[1])}
    return promised | set(re.findall(r'"([a-z0-9-]+)"', text_of(tests.rglob("*.cpp"))))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--lab", type=pathlib.Path, required=True)
    parser.add_argument("--mutants", type=pathlib.Path)
    parser.add_argument("--tests", type=pathlib.Path)
    options = parser.parse_args(arguments)
    told = messages.parsed((options.lab / "messages.md").read_text(encoding="utf-8"))
    starter = options.lab / f"{lab_facts.read(options.lab).kernel}.cu"
    shown = ids_shown(options.mutants, options.tests) if options.mutants else None
    found = problems(told, text_of([*options.lab.glob("*.hpp"), *options.lab.glob("*.cpp")]),
                     text_of(path for name in lab_facts.PAGES if (path := options.lab / name).exists()), starter.read_text(encoding="utf-8"), shown)
    if options.mutants:
        pages = headings_of_labs(options.lab.absolute().parent)
        for mutant in sorted(options.mutants.glob("*.cu")):
            found += unreadable(mutant.name, mutant.read_text(encoding="utf-8"), options.lab.absolute().name[:2], pages)
    print(*found, f"{len(told)} messages", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
