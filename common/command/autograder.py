"""./warpbook autograder SYSTEM: a package that makes Warpbook the autograder of another system; and results-for, which it runs."""
from __future__ import annotations

import json
import pathlib
import shutil
import sys
import tempfile
import zipfile

from . import build_choice, grade, grading, wheel
from .backend import choose
from .build import Build
from .classroom import engine, outputs, sandbox, systems
from .classroom import rules as rules_of
from .classroom.journal import PUBLIC_SEED, drawn_seed
from .classroom.model import Class, Graded, Person
from .classroom.rules import Rules
from .classroom.systems import cases, package
from .problem import SUCCESS, Problem
from .workbook import Lab, Workbook

STUDENT = "examinee"  # whose hand-in it is, the system knows; intake takes no other word for a name, such as student


def run(workbook: Workbook, arguments) -> int:
    """Writes the package."""
    labs = [workbook.lab(name) for name in arguments.labs] if arguments.labs else workbook.labs()
    made = systems.module(arguments.system)
    if arguments.system not in systems.with_package():
        raise Problem(f"{made.NAME} runs no autograder.", ["Those that do: " + ", ".join(systems.with_package())])
    rules = pathlib.Path(arguments.rules or workbook.root / rules_of.FILE)
    Rules.find(workbook.root, workbook.labs(), arguments.rules)  # a slip in it is said now
    numbers = "-".join(lab.number for lab in labs) if arguments.labs else "all"
    path = pathlib.Path(arguments.out or f"warpbook-{arguments.system}-{numbers}.zip").absolute()
    is_public = getattr(made, "IS_PUBLIC", False)
    seed = None if is_public else grade.seed_of(arguments.seed)
    if seed is None and not is_public:
        seed = package.kept_seed(path) or drawn_seed()
    options = package.Options(workbook, labs, rules if rules.exists() else None, seed, arguments.repository or "",
                              wheel=fitting_wheel(workbook, labs, pathlib.Path(arguments.wheel)) if arguments.wheel else None)
    files = made.files(options)
    package.write_zip(files, path, seed)
    print(f"{workbook.shown(path)}: {len(files)} files, {path.stat().st_size / 1e6:.1f} MB, for {', '.join(lab.name for lab in labs)}")
    print(*made.how_to(options), sep="\n")
    if is_public:
        print("Students can read all that this autograder reads, so that each run draws inputs of its own, and who has extra time is left out.")
    else:
        print(f"Inputs are drawn from the seed {seed}, which is in the package: keep that from students. The package made again has the same one.")
    return SUCCESS


def fitting_wheel(workbook: Workbook, labs: list[Lab], file: pathlib.Path) -> pathlib.Path:
    """A wheel's file. Raises Problem if its programs are not those of this workbook and of `labs`: every student would wait for a build."""
    try:
        with zipfile.ZipFile(file) as archive:
            said = json.loads(archive.read(f"warpbook/{wheel.FILE}"))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise Problem(f"{file} is no wheel of Warpbook: {error}.") from None
    why = build_choice.unlike(wheel.Wheel(file, said), workbook, labs)
    if why:
        raise Problem(f"{file} does not fit this workbook. {why}", ["Make another one: pip wheel . --no-deps"])
    return file


def staged(submission: pathlib.Path, labs: list[Lab], folder: pathlib.Path) -> list[Lab]:
    """Copies the files of `submission` that are hand-ins for `labs` to where intake looks for them; returns the labs that have one.

    A file is known by its name, at whatever depth; where one lab is asked for, a single .cu file may be called anything.
    """
    found = sorted((path for path in submission.rglob("*") if path.suffix.lower() == ".cu" and (path.is_symlink() or path.is_file())),
                   key=lambda path: (len(path.parts), str(path)))
    there = []
    for lab in labs:
        own = [path for path in found if path.name == lab.starter.name] or (found if len(labs) == 1 and len(found) == 1 else [])
        if own:
            place = folder / STUDENT / lab.name / lab.starter.name
            place.parent.mkdir(parents=True)
            shutil.copy2(own[0], place, follow_symlinks=False)
            there.append(lab)
    return there


def _command(staging: pathlib.Path, out: pathlib.Path, arguments, said: dict[str, str]) -> list[str]:
    """The grading of a class of one, of whom the system has `said` what a roster can say."""
    roster = out / "roster.csv"
    roster.write_text(outputs.csv_text([["path", "id", *said], [STUDENT, STUDENT, *said.values()]]), encoding="utf-8")
    chosen = ["--sandbox", arguments.sandbox] if arguments.sandbox else []
    rules = ["--rules", arguments.rules] if arguments.rules else []
    return ["grade", str(staging), "--out", str(out), "--roster", str(roster), "--no-likeness", *chosen, *rules]


def _sandbox(build: Build) -> str | None:
    """Nothing where the kernel confines; where it cannot, the system's own container has to do."""
    landlock, _ = sandbox.kernel_offers(build)
    if landlock:
        return None
    print("This kernel has no Landlock: the hand-in is confined by the system's container alone.", file=sys.stderr)
    return "none"


def results_for(workbook: Workbook, arguments) -> int:
    """Grades one hand-in and writes the results of a system; also where nothing was handed in."""
    from . import cli

    submission, result = pathlib.Path(arguments.submission), pathlib.Path(arguments.result).absolute()
    system = systems.module(arguments.system)
    if not submission.is_dir():
        raise Problem(f"There is no folder {submission}.", ["results-for takes the folder of one student's files."])
    labs = [workbook.lab(arguments.lab)] if arguments.lab else workbook.labs()
    rules = Rules.find(workbook.root, workbook.labs(), arguments.rules)
    backend = choose()
    build = build_choice.chosen(workbook, backend, rules.needed(labs))
    with build.locked():
        engine.build_programs(build, rules.needed(labs), backend.backends())
    arguments.sandbox = arguments.sandbox or _sandbox(build)
    with tempfile.TemporaryDirectory(prefix="warpbook-") as scratch:
        staging, out = pathlib.Path(scratch) / "class", pathlib.Path(scratch) / "graded"
        staging.mkdir()
        graded, why = None, []
        if staged(submission, labs, staging):
            out.mkdir()
            parsed = cli.parser_of_all()[0].parse_args(_command(staging, out, arguments, system.handed_in(submission) if hasattr(system, "handed_in") else {}))
            try:
                graded, _ = grade.graded_class(workbook, parsed, staging, out)
            except grade.NothingHandedIn as nothing:
                why = [line.strip() for line in nothing.details[1:]]
        person = graded.class_.people[0] if graded else Person(STUDENT, STUDENT)
        marks = graded.marks if graded else []
        missing = [lab for lab in labs if not any(mark.lab == lab for mark in marks)]
        for lab in rules.needed(missing):
            rules.know(lab, grading.items_of(build, lab))
        for lab in missing:
            marks.append(rules.mark(person, lab, None, None))
            marks[-1].notes += why
        marks.sort(key=lambda mark: mark.lab.number)
        class_ = graded.class_ if graded else Class(submission, [person], [], [], [])
        whole = Graded(class_, labs, marks, rules, graded.confinement if graded else "", graded.seed if graded else PUBLIC_SEED, backend.backends())
        systems.write(arguments.system, whole, result)
        print(*cases.summary(whole), sep="\n")  # for a job's log, and of what students may see
        print(*(f"{case.name}: {case.reason or case.status}" for case in cases.of_all(whole) if case.status != "passed"), sep="\n")
    return SUCCESS
