"""What autograders are packed from: the workbook without solutions, mutants and accepted files, and the scripts around it."""
from __future__ import annotations

import contextlib
import dataclasses
import gzip as gzip_
import io
import json
import pathlib
import tarfile
import zipfile

from ... import requirements
from ...files import File, Tree
from ...problem import Problem
from ...workbook import Lab, Workbook
from ..journal import PUBLIC_SEED
from ..model import Person, total
from ..rules import Rules

TREE = "warpbook"  # the workbook's folder in a package
RUN = "run.sh"  # in it: SYSTEM SUBMISSION RESULT
IMAGE_TREE = "/opt/warpbook"  # where an image has it
_TIME = (2020, 1, 1, 0, 0, 0)  # of packed files: the same workbook makes the same package
#: Folders that graders are built from; of the other ones nothing is needed.
_NEEDED = ("common/", "plots/")
_LEFT_OUT = ("plots/data/",)
_ROOT_FILES = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "warpbook", "labs/CMakeLists.txt")
_TESTS = "# The workbook's own tests are no part of an autograder.\n"


@dataclasses.dataclass(frozen=True)
class Options:
    """What a package is to hold."""

    workbook: Workbook
    labs: list[Lab]
    rules: pathlib.Path | None = None
    seed: int | None = PUBLIC_SEED  # None: each run draws its own, because students can read what grades
    repository: str = ""
    image: str = "warpbook-grader"
    wheel: pathlib.Path | None = None  # a file, whose programs are those of the workbook


def text(content: str) -> File:
    return File(content.encode())


def script(content: str) -> File:
    return File(content.encode(), True)


def apt_packages() -> list[str]:
    """What Debian and Ubuntu call everything that the workbook needs."""
    return ["ca-certificates", "python3", *(requirement.packages["apt-get"] for requirement in requirements.ALL)]


def wheel_packages() -> list[str]:
    """What Debian and Ubuntu call everything that a wheel needs."""
    return ["ca-certificates", "python3", "python3-venv", requirements.COMPILER.packages["apt-get"]]


def prepare_lines(sudo: str = "", wheel: pathlib.Path | None = None) -> str:
    """Shell lines that install what is needed and build the graders, in the workbook's folder; with a wheel there is nothing to build. The
    starter is graded once, so that the first student does not wait, and an image that cannot grade is not made."""
    packages = wheel_packages() if wheel else apt_packages()
    found = f"""export DEBIAN_FRONTEND=noninteractive
{sudo}apt-get update
{sudo}apt-get install -y --no-install-recommends {' '.join(packages)}
"""
    if not wheel:
        found += f"""version=$(cmake --version | sed -n 's/^cmake version //p')
if [ "$(printf '%s\\n' 3.25 "$version" | sort -V | head -n 1)" != 3.25 ]; then  # Ubuntu 22.04 has an older one
  {sudo}apt-get install -y --no-install-recommends python3-venv
  python3 -m venv --system-site-packages build/venv
  build/venv/bin/pip install --no-cache-dir 'cmake>=3.25'
fi
"""
    return f"{found}bash {RUN} --prepare"


def run_script(options: Options) -> str:
    rules = " --rules course.json" if options.rules else ""
    seed = "" if options.seed is None else f"export WARPBOOK_SEED={options.seed}\n"
    install = "" if options.wheel is None else f"""[ -x "$tree/build/venv/bin/warpbook" ] || {{
  python3 -m venv "$tree/build/venv" && "$tree/build/venv/bin/pip" install --no-cache-dir "$tree/{options.wheel.name}"
}} >&2
"""
    return f"""#!/bin/bash
# run.sh SYSTEM SUBMISSION RESULT: grades the files in the folder SUBMISSION and writes RESULT as SYSTEM reads it.
# run.sh --prepare: builds the graders, and grades each starter.
set -e
absolute() {{ case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac }}
tree=$(cd "$(dirname "${{BASH_SOURCE[0]}}")" && pwd)
{install}if [ "$1" = --prepare ]; then
  cd "$tree"
  for lab in {' '.join(lab.number for lab in options.labs)}; do
    status=0
    ./warpbook check "$lab" > build-check.txt 2>&1 || status=$?
    if [ $status -gt 1 ]; then cat build-check.txt; exit $status; fi
  done
  exit 0
fi
submission=$(absolute "$2") result=$(absolute "$3")
cd "$tree"
{seed}exec ./warpbook results-for "$1" "$submission" "$result" ${{WARPBOOK_LAB:+--lab "$WARPBOOK_LAB"}}{rules}
"""


def tree(options: Options, folder: str) -> Tree:
    """The workbook's files below `folder`: what builds and grades `options.labs`, starters as they were given out. Raises Problem if one of
    them would earn points."""
    from ... import give_out  # which makes the workflow by this package

    names = [f"labs/{lab.name}" for lab in options.labs]
    whole, _ = give_out.tree_of(options.workbook.root)
    kept = {path: file for path, file in whole.items()
            if path in _ROOT_FILES or path.startswith((*_NEEDED, *(f"{name}/" for name in names))) and not path.startswith(_LEFT_OUT)}
    give_out.give_fresh_starters(kept, options.labs)
    found = give_out.answers(kept, names)
    if found:
        raise Problem("These files define functions of a lab, and are not its starter:", [f"  {path}" for path in found])
    made = {f"{folder}/{path}": file for path, file in kept.items()}
    made[f"{folder}/common/tests/CMakeLists.txt"] = text(_TESTS)
    made[f"{folder}/{RUN}"] = script(run_script(options))
    if options.wheel:
        made[f"{folder}/{options.wheel.name}"] = File(options.wheel.read_bytes())
    if options.rules:
        rules = known_rules(options).of_labs(options.labs, private=options.seed is not None)
        made[f"{folder}/course.json"] = text(json.dumps(rules, indent=2, ensure_ascii=False) + "\n")
    return made


def image(options: Options, archive: str, more: list[str]) -> Tree:
    """A Dockerfile that has the workbook built at IMAGE_TREE, from the archive beside it."""
    lines = ["# The image of the grader: everything is built in it, so that grading needs no network.", "FROM debian:12",
             f"ADD {archive} /opt/", f"WORKDIR {IMAGE_TREE}", "COPY prepare.sh /tmp/prepare.sh", "RUN bash /tmp/prepare.sh", *more]
    return {"Dockerfile": text("\n".join([*lines, ""])), "prepare.sh": script("#!/bin/bash\nset -e\n" + prepare_lines(wheel=options.wheel) + "\n")}


def known_rules(options: Options) -> Rules:
    """The course's rules, with the items of the labs that the package's marks depend on."""
    from ... import give_out

    workbook = options.workbook
    rules = Rules.find(workbook.root, workbook.labs(), options.rules)
    for lab in rules.needed(options.labs):
        rules.know(lab, give_out.items_of(workbook, lab, give_out.points_page(lab)))
    return rules


def most_points(options: Options) -> str:
    """How many points the labs have in this course."""
    rules = known_rules(options)
    return str(total(rules.mark(Person("", ""), lab, None, None) for lab in options.labs)[1])


def packed(files: Tree, gzip: bool = True) -> File:
    """A tar of `files`."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(files[name].data), 0o755 if files[name].runnable else 0o644
            archive.addfile(member, io.BytesIO(files[name].data))
    return File(gzip_.compress(made.getvalue(), mtime=0) if gzip else made.getvalue())


def kept_seed(path: pathlib.Path) -> int | None:
    """The seed of the package that was written to `path` before."""
    with contextlib.suppress(OSError, ValueError, zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
        return int(archive.comment)
    return None


def write_zip(files: Tree, path: pathlib.Path, seed: int | None = PUBLIC_SEED) -> None:
    """A zip of `files`, with their permissions as Unix has them. Its comment is the seed, for kept_seed()."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"" if seed is None else str(seed).encode()
        for name in sorted(files):
            member = zipfile.ZipInfo(name, _TIME)
            member.external_attr = (0o100755 if files[name].runnable else 0o100644) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, files[name].data)
