"""Runs autograders as their systems do, in bare Debian roots: the set-up once, then the grading of each of several hand-ins.

    sudo python3 common/tests/autograder/in_bare_debian.py [--system SYSTEM ...] [--wheel FILE] [--base ROOT] [--keep FOLDER]

An image is made by its Dockerfile's steps, GitHub's steps by the workflow. The course's rules name more labs than the package has. Each root is made by debootstrap (minbase), or copied from --base. A system takes
about ten minutes, most of them for the build in its set-up; with --wheel there is none. Exit status: 0 as it should be, 1 not, 77 skipped,
with the reason.
"""
from __future__ import annotations

import argparse
import base64
import dataclasses
import fractions
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "common" / "tests"), str(ROOT / "common" / "tests" / "command")]

import roots  # noqa: E402
from test_systems import require_classroom50, require_gradescope, require_prairielearn, require_reporter  # noqa: E402

RELEASE = "bookworm"
LAB, KERNEL = "01-coalescing", "coalescing.cu"
MOST = 34
RULES = {"labs": {"01": {"points": MOST}, "04": {"points": 60}}}

#: A hand-in that wants more than it has earned: it writes the results itself, when it is loaded and when it is called.
GREEDY = """
#include <cstdio>
static void take() {
  for (const char* path : {"/autograder/results/results.json", "results.json", "/tmp/results.json"}) {
    if (std::FILE* file = std::fopen(path, "w")) { std::fputs("{\\"score\\": 1000}", file); std::fclose(file); }
  }
}
__attribute__((constructor)) static void at_load() { take(); }
"""


def of_gradescope(text: str) -> float:
    document = json.loads(text)
    require_gradescope(document)
    return document["score"]


def of_classroom50(text: str) -> float:
    document = json.loads(text)
    require_classroom50(document)
    return document["score"]


def of_github(text: str) -> float:
    """What the reporter adds up of the step's output."""
    document = json.loads(base64.b64decode(text.strip().removeprefix("result=")))
    require_reporter(document)
    return sum(test["score"] for test in document["tests"])


def docker_build(folder: pathlib.Path) -> str:
    """The steps of the Dockerfile in a folder as shell lines."""
    lines = ["set -e", 'context=$PWD']
    for word, rest in re.findall(r"^(ADD|COPY|RUN|WORKDIR) (.+)$", (folder / "Dockerfile").read_text(encoding="utf-8"), re.M):
        file, _, to = rest.partition(" ")
        lines.append({"ADD": f'tar -xf "$context/{file}" -C {to}', "COPY": f'cp -p "$context/{file}" {to}', "RUN": f"({rest})",
                      "WORKDIR": f"mkdir -p {rest} && cd {rest}"}[word])
    return "\n".join(lines)


def workflow(folder: pathlib.Path) -> list[str]:
    """The shell lines of each step of the workflow in a folder, with what the runner sets."""
    text = (folder / ".github/workflows/classroom.yml").read_text(encoding="utf-8")
    runs = [re.sub(r"^ +", "", run, flags=re.M) for run in re.findall(r"^        run: (?:\|\n)?(.*\n(?:          .*\n)*)", text, re.M)]
    return [f"export GITHUB_WORKSPACE=/checkout RUNNER_TEMP=/tmp GITHUB_OUTPUT=/results/result\n{run}" for run in runs]


def first_push(folder: pathlib.Path) -> str:
    copy, lab = workflow(folder)
    return f"set -e\ncd /checkout\n{copy}cd workbook\nmkdir -p /results\n{lab}"


@dataclasses.dataclass(frozen=True)
class System:
    """`package` is where its zip is unpacked, `set_up` and `grade` are commands there and in `submission`, or are made from what is in the
    zip, and `points` reads `result`."""

    package: str
    set_up: str | Callable[[pathlib.Path], str]
    submission: str
    grade: str | Callable[[pathlib.Path], str]
    result: str
    points: Callable[[str], float]
    network: bool = False  # while it grades


SYSTEMS = {
    "gradescope": System("/autograder/source", "bash setup.sh && cp run_autograder ..", "/autograder/submission", "cd .. && ./run_autograder",
                         "/autograder/results/results.json", of_gradescope),
    "codegrade": System("/upload", "UPLOADED_FILES=/upload bash setup.sh", "/submission", "bash /upload/test.sh 3> /results/result", "/results/result",
                        lambda text: float(MOST * fractions.Fraction(json.loads(text.splitlines()[-1])["points"]))),
    "autolab": System("/package", docker_build, "/home/mount",  # as vmms/localDocker.py of github.com/autolab/Tango runs a job
                      "cp /package/autograde-Makefile Makefile && cp /package/autograde.tar . && cd /home && rm -rf autolab output/* && "
                      "install -d -o autolab autolab && cp -r mount/* autolab/ && "
                      "su autolab -c 'autodriver -u 100 -f 104857600 -t 300 -o 1024000 autolab > output/feedback 2>&1'; cp output/feedback /results/result",
                      "/results/result", lambda text: json.loads(text.splitlines()[-1])["scores"][LAB]),
    "prairielearn": System("/package", lambda folder: "cd image\n" + docker_build(folder / "image"), "/grade/student",
                           "WARPBOOK_LAB=01 /warpbook-grade", "/grade/results/results.json",
                           lambda text: MOST * require_prairielearn(text)["score"]),
    "github-classroom": System("/package", first_push, f"/checkout/hand-in/labs/{LAB}", lambda folder: f"cd /checkout/workbook\n{workflow(folder)[-1]}",
                               "/results/result", of_github),
    "classroom50": System("/package", "apt-get update && apt-get install -y --no-install-recommends python3 && apt-get install -y "
                                      "--no-install-recommends $(python3 -c 'import json; print(*json.load(open(\"runtime.json\"))[\"apt\"])')",
                          "/checkout", "CLASSROOM=c ASSIGNMENT=a SUBMISSION_TAG=submit/1 COMMIT_URL=u RELEASE_URL=u python3 /package/autograder.py",
                          "/checkout/result.json", of_classroom50, network=True)}


def shell(root: pathlib.Path, command: str, folder: str, network: bool = True) -> subprocess.CompletedProcess:
    done = roots.run(root, ["bash", "-c", command], folder, network=network)
    if done.returncode != 0:
        raise SystemExit(f"{command}: status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done


def install(root: pathlib.Path, system: System, packed: pathlib.Path) -> None:
    place = root / system.package[1:]
    place.mkdir(parents=True)
    with zipfile.ZipFile(packed) as archive:
        for member in archive.infolist():
            archive.extract(member, place)
            os.chmod(place / member.filename, member.external_attr >> 16 & 0o777)
    sudo = root / "usr/local/bin/sudo"  # which the system's own image has
    sudo.write_text('#!/bin/sh\nexec "$@"\n', encoding="utf-8")
    sudo.chmod(0o755)
    shell(root, command(system.set_up, place), system.package)


def command(said: str | Callable[[pathlib.Path], str], package: pathlib.Path) -> str:
    return said if isinstance(said, str) else said(package)


def grade(root: pathlib.Path, system: System, files: dict[str, str]) -> tuple[float, str]:
    """Hands `files` in, and returns the points and the results. Nothing of an earlier hand-in is left, and there is no
    network where the system has none."""
    result = root / system.result[1:]
    for folder in (root / system.submission[1:], result.parent):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for name, text in files.items():
        (root / system.submission[1:] / name).write_text(text, encoding="utf-8")
    shell(root, command(system.grade, root / system.package[1:]), system.submission, network=system.network)
    text = result.read_text(encoding="utf-8")
    return system.points(text), text


def cases(name: str) -> list[tuple[str, dict[str, str], float, str]]:
    """What is handed in: a name, the files, the points, and what the results say."""
    solution = (ROOT / "solutions" / LAB / KERNEL).read_text(encoding="utf-8")
    starter = (ROOT / "labs" / LAB / f"{KERNEL}.starter").read_text(encoding="utf-8")
    first = [("the solution", {KERNEL: solution}, MOST, "")]
    if name == "classroom50":  # which builds for each hand-in, or installs a wheel
        return first
    first.append(("the starter", {KERNEL: starter}, 0, ""))
    return first if name != "gradescope" else [
        *first, ("a file with another name", {"mine.cu": solution}, MOST, ""), ("no file at all", {}, 0, "No file coalescing.cu was handed in"),
        ("a file that does not compile", {KERNEL: solution + "}\n"}, 0, "does not compile"),
        ("a solution that writes its own results", {KERNEL: solution + GREEDY}, MOST, ""),
        ("a starter that writes its own results", {KERNEL: starter + GREEDY}, 0, "")]


def try_system(name: str, root: pathlib.Path, scratch: pathlib.Path, wheel: pathlib.Path | None, base: pathlib.Path | None) -> bool:
    system, packed, rules, since, good = SYSTEMS[name], scratch / f"{name}.zip", scratch / "rules.json", time.monotonic(), True
    rules.write_text(json.dumps(RULES), encoding="utf-8")
    with_wheel = ["--wheel", str(wheel)] if wheel and name != "github-classroom" else []
    subprocess.run([str(ROOT / "warpbook"), "autograder", name, "--lab", LAB, "--rules", str(rules), *with_wheel, "-o", str(packed)], check=True)
    if not (root / system.package[1:]).exists():
        roots.make(root, RELEASE, base)
        if name == "github-classroom":  # which grades with the student's own copy
            subprocess.run([str(ROOT / "warpbook"), "give-out", str(root / "checkout/hand-in")], check=True, stdout=subprocess.DEVNULL)
        install(root, system, packed)
        print(f"{name}, set-up: {time.monotonic() - since:.0f} s, with the Debian root", flush=True)
    for what, files, points, said in cases(name):
        since = time.monotonic()
        found, text = grade(root, system, files)
        right = abs(found - points) < 0.01 and said in text
        good = good and right
        print(f"{'ok' if right else 'WRONG':<6} {what}: {found:g} of {MOST} points, {time.monotonic() - since:.1f} s", flush=True)
        if not right:
            print(text[:3000])
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--system", action="append", choices=SYSTEMS, help="(default: all)")
    parser.add_argument("--wheel", type=pathlib.Path, help="a wheel of this workbook, for autograders with it")
    parser.add_argument("--base", type=pathlib.Path, help="a Debian root to copy, instead of debootstrap")
    parser.add_argument("--keep", type=pathlib.Path, help="the roots are made there, and stay; one that is there is used as it is")
    options = parser.parse_args()
    if why := roots.why_not(options.base):
        return roots.skip(why)
    if not (ROOT / "solutions").is_dir():
        return roots.skip("there are no solutions here to hand in.")
    if subprocess.run(["apt-get", "-qq", "update"], check=False, capture_output=True).returncode != 0:
        return roots.skip("no package server of Debian answers.")
    with tempfile.TemporaryDirectory(prefix="warpbook-root-") as scratch:
        done = [try_system(name, (options.keep or pathlib.Path(scratch)) / name, pathlib.Path(scratch), options.wheel, options.base)
                for name in options.system or SYSTEMS]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
