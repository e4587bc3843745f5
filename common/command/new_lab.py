"""./warpbook new-lab NAME: the folders of a lab that builds, from the templates in common/new_lab/."""
from __future__ import annotations

import pathlib
import re

from .bench import ALL
from .problem import SUCCESS, Problem
from .workbook import Lab, Workbook

TEMPLATES = pathlib.Path(__file__).resolve().parents[1] / "new_lab"


def name_of(workbook: Workbook, wanted: str) -> str:
    """The new lab's name: `wanted`, with the next number if it has none. Raises a Problem if it is bad or taken."""
    found = re.fullmatch(r"(?:(\d\d)-)?([a-z][a-z0-9]*(?:-[a-z0-9]+)*)", wanted)
    if not found or found[1] == "00":
        raise Problem(f"A lab cannot be called '{wanted}': its name is like scan or 07-scan, lower-case words with - between them.")
    if found[2] == ALL:
        raise Problem(f"A lab cannot be called '{wanted}': `./warpbook bench {ALL}` means every lab.")
    labs = [path.name for folder in ("labs", "solutions") for path in (workbook.root / folder).glob("[0-9][0-9]-*")]
    number = found[1] or f"{max((int(lab[:2]) for lab in labs), default=0) + 1:02d}"
    if len(number) > 2:
        raise Problem("There is no number left for another lab: the highest is 99.")
    taken = next((lab for lab in sorted(labs) if lab[:2] == number or lab[3:] == found[2]), None)
    if taken:
        raise Problem(f"There is a lab {taken} already; a new one needs a name and a number of its own.")
    return f"{number}-{found[2]}"


def write(template: pathlib.Path, folder: pathlib.Path, values: dict[str, str]) -> None:
    """Copies the files of `template` to `folder`, with @KEY@ in them, and KERNEL in their names, replaced by the values."""
    for source in sorted(path for path in template.rglob("*") if path.is_file()):
        target = folder / str(source.relative_to(template)).replace("KERNEL", values["KERNEL"])
        target.parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"@([A-Z]+)@", lambda key: values[key[1]], source.read_text(encoding="utf-8"))
        target.write_text(text, encoding="utf-8")


def run(workbook: Workbook, arguments) -> int:
    name = name_of(workbook, arguments.name)
    if not TEMPLATES.is_dir():
        raise Problem(f"{workbook.shown(TEMPLATES)} is missing, which new labs are made from.", ["A student's copy of the workbook does not have it."])
    number, topic = name[:2], name[3:]
    values = {"NUMBER": number, "TITLE": topic.replace("-", " "), "KERNEL": topic.replace("-", "_")}
    lab, solution = workbook.root / "labs" / name, workbook.root / "solutions" / name
    write(TEMPLATES / "solution", solution, values)
    write(TEMPLATES / "lab", lab, values)
    made = Lab(lab)
    made.kept_starter.write_bytes(made.starter.read_bytes())
    print(f"Made {workbook.shown(lab)} and {workbook.shown(solution)}: a lab with one function, which doubles an array. The next build finds it.\n"
          f"  ./warpbook check {number}    says that the starter is unsolved\n"
          f"  ./warpbook check {number} {workbook.shown(solution)}/{values['KERNEL']}.cu    gives the solution full points\n"
          f"  ./warpbook bench {number}    measures the solution\n"
          "docs/adding-a-lab.md says what each file is for, and how the lab gets into the README's table.")
    return SUCCESS
