"""Fails if the tables about a lab are not what its rubric, its lab.json and the course's rules (course.json, if there is one) say: the lab's table of points,
with which the section "How it is graded" of its more.md and of that page's translations begins, and the lab's row in the README's table. The lab's handout
has to link that section.

Usage: lab_tables.py --grader GRADER --lab labs/NN-name --readme README.md [--write]

With --write it writes them instead.
"""

import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from command import course, files, lab_facts, language, results  # noqa: E402
from command.results import POINTS, rows_of_points, split_at_table, with_points  # noqa: E402
from command.workbook import Lab, Workbook  # noqa: E402
from item_names import items_of  # noqa: E402

LABS = "| lab | about | points |\n| --- | --- | --- |\n"


def rows_of_lab(lab, items):
    """The lab's row in the README, or none if it is not listed there yet."""
    about = lab_facts.read(lab).about
    points = sum(item["points"] for item in items)
    return [f"| [{lab.name}](labs/{lab.name}/README.md) | {about} | {points} |\n"] if about else []


def wanted_translation(text, english, items, spoken, say):
    """A translated page with the table of points that these items make, or None if it has none where `english`, the original, has it."""
    headings, own = lab_facts.headings(english), lab_facts.headings(text)
    if lab_facts.POINTS_SECTION not in headings or len(own) != len(headings):
        return None
    heading = own[headings.index(lab_facts.POINTS_SECTION)]
    head = re.search(rf"^#+ {re.escape(heading)}\n\n\|.*\|\n\| --- \| --- \| --- \|\n", text, re.M)
    if not head:
        return None
    before, rows, after = split_at_table(text, head[0])
    return before + rows_of_points(items, spoken, say) + after


def check_translations(lab, items, english, write):
    """What is wrong with the tables of points of the translated pages; with `write` they are written. `english` is the original as it was before: a
    translation that was up to date with it stays so."""
    problems, page = [], lab / lab_facts.POINTS_PAGE
    for spoken in language.TRANSLATIONS:
        path = page.with_name(language.translated_name(page.name, spoken))
        there = text_of(path)
        text = wanted_translation(there, text_of(page), items, spoken, language.translator(lab.parents[1], spoken)) if there else there
        if text is None:
            problems.append(f"{path} has no table of points at the beginning of the section that is '{lab_facts.POINTS_SECTION}' in {page.name}")
        elif write:
            text = text.replace(files.fingerprint(english.encode()), files.fingerprint(page.read_bytes()), 1)
            if text != there:
                path.write_text(text, encoding="utf-8")
                print(path)
        elif text != there:
            wanted = [row for row in text.splitlines() if row not in there.splitlines()]
            problems.append(f"{path}: the table of points is not what the rubric says; it should have\n" + "\n".join(wanted or ["the same rows in another order, and no others"]))
    return problems


def places(lab):
    """What is wrong with where the lab's table of points stands, and with the way there from its handout."""
    name, section = lab_facts.POINTS_PAGE, lab_facts.POINTS_SECTION
    page, handout = lab / name, lab / "README.md"
    problems = []
    if f"## {section}\n\n{POINTS}" not in text_of(page):
        problems.append(f"{page} has no section '{section}' that begins with the table of points, {POINTS.splitlines()[0]}")
    anchor = f"({name}#{section.lower().replace(' ', '-')})"
    if anchor not in text_of(handout):
        problems.append(f"{handout} does not say where the points are: it has no link to {anchor[1:-1]}")
    return problems


def text_of(path):
    return path.read_text(encoding="utf-8") if path.exists() else ""


def wanted_readme(text, lab, items):
    before, rows, after = split_at_table(text, LABS)
    if rows is None:
        return None
    others = [row for row in rows if not row.startswith(f"| [{lab.name}](")]
    return before + "".join(sorted([*others, *rows_of_lab(lab, items)])) + after


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--grader", required=True)
    parser.add_argument("--lab", required=True, type=pathlib.Path)
    parser.add_argument("--readme", required=True, type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    lab = options.lab.absolute()
    items = course.points(Workbook(lab.parents[1]))(Lab(lab), items_of(options.grader))
    items = [{**item, "points": results.number(item["points"])} for item in items]
    problems, english = places(lab), text_of(lab / lab_facts.POINTS_PAGE)
    for path, head in ((lab / lab_facts.POINTS_PAGE, POINTS), (options.readme, LABS)):
        there = text_of(path)
        text = with_points(there, items) if head is POINTS else wanted_readme(there, lab, items)
        if text is None:
            if head is LABS:
                problems.append(f"{path} has no table that begins with {head.splitlines()[0]}")
        elif text != there and options.write:
            path.write_text(text, encoding="utf-8")
            print(path)
        elif text != there:
            differing = [row for row in split_at_table(text, head)[1] if row not in split_at_table(there, head)[1]]
            problems.append(f"{path}: the table {head.splitlines()[0]} is not what the rubric and {lab_facts.FILE} say; it should have\n"
                            f"{''.join(differing) or 'the same rows in another order, and no others'}")
    problems += check_translations(lab, items, english, options.write)
    print(*problems, sep="\n", end="\n" if problems else "")
    if problems and not options.write:
        print("This writes what is wanted:\n  python3 common/honesty/lab_tables.py --write " +
              " ".join(f"--{name} {getattr(options, name)}" for name in ("grader", "lab", "readme")))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
