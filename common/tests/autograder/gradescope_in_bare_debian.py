"""Runs a Gradescope autograder as Gradescope does, in a bare Debian root: setup.sh, then run_autograder for each of several hand-ins.

    sudo python3 common/tests/autograder/gradescope_in_bare_debian.py [--zip ZIP] [--wheel FILE] [--base ROOT] [--keep FOLDER]

The root is made by debootstrap (minbase), or copied from --base. It takes about ten minutes, most of them for the build that setup.sh
makes; with --wheel there is none. Exit status: 0 as it should be, 1 not, 77 skipped, with the reason.
"""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "common" / "tests"), str(ROOT / "common" / "tests" / "command")]

import roots  # noqa: E402
from test_systems import require_gradescope  # noqa: E402

RELEASE = "bookworm"
LAB, KERNEL = "01-coalescing", "coalescing.cu"
MOST = 34

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


def install(root: pathlib.Path, packed: pathlib.Path) -> None:
    """As Gradescope's harness does when it builds the image."""
    source = root / "autograder" / "source"
    source.mkdir(parents=True)
    for folder in ("submission", "results"):
        (root / "autograder" / folder).mkdir()
    with zipfile.ZipFile(packed) as archive:
        for member in archive.infolist():
            archive.extract(member, source)
            os.chmod(source / member.filename, member.external_attr >> 16 & 0o777)
    shutil.copy(source / "run_autograder", root / "autograder" / "run_autograder")
    (root / "autograder" / "run_autograder").chmod(0o755)
    done = roots.run(root, ["bash", "/autograder/source/setup.sh"], "/autograder/source")
    if done.returncode != 0:
        raise SystemExit(f"setup.sh ended with status {done.returncode}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


def grade(root: pathlib.Path, files: dict[str, str]) -> dict:
    """Hands `files` in, and returns the results. Nothing of an earlier hand-in is left, and there is no network."""
    submission, results = root / "autograder" / "submission", root / "autograder" / "results"
    for folder in (submission, results):
        shutil.rmtree(folder)
        folder.mkdir()
    for name, text in files.items():
        (submission / name).write_text(text, encoding="utf-8")
    done = roots.run(root, ["/autograder/run_autograder"], "/autograder", network=False)
    path = results / "results.json"
    if not path.is_file():
        raise SystemExit(f"run_autograder wrote no results.json:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    document = json.loads(path.read_text(encoding="utf-8"))
    require_gradescope(document)
    return document


def cases() -> list[tuple[str, dict[str, str], float, str]]:
    """What is handed in: a name, the files, the score, and what some output says."""
    solution = (ROOT / "solutions" / LAB / KERNEL).read_text(encoding="utf-8")
    starter = (ROOT / "labs" / LAB / f"{KERNEL}.starter").read_text(encoding="utf-8")
    return [("the solution", {KERNEL: solution}, MOST, ""), ("the starter", {KERNEL: starter}, 0, ""),
            ("a file with another name", {"mine.cu": solution}, MOST, ""), ("no file at all", {}, 0, "No file coalescing.cu was handed in"),
            ("a file that does not compile", {KERNEL: solution + "}\n"}, 0, "does not compile"),
            ("a solution that writes its own results", {KERNEL: solution + GREEDY}, MOST, ""),
            ("a starter that writes its own results", {KERNEL: starter + GREEDY}, 0, "")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zip", type=pathlib.Path, help="the autograder (default: made by ./warpbook autograder gradescope)")
    parser.add_argument("--wheel", type=pathlib.Path, help="a wheel of this workbook, for an autograder with it")
    parser.add_argument("--base", type=pathlib.Path, help="a Debian root to copy, instead of debootstrap")
    parser.add_argument("--keep", type=pathlib.Path, help="the root is made there, and stays; one that is there is used as it is")
    options = parser.parse_args()
    if why := roots.why_not(options.base):
        return roots.skip(why)
    if not (ROOT / "solutions").is_dir():
        return roots.skip("there are no solutions here to hand in.")
    if subprocess.run(["apt-get", "-qq", "update"], check=False, capture_output=True).returncode != 0:
        return roots.skip("no package server of Debian answers.")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="warpbook-root-") as scratch:
        root = options.keep or pathlib.Path(scratch) / "root"
        packed = options.zip or pathlib.Path(scratch) / "autograder.zip"
        if not options.zip:
            wheel = ["--wheel", str(options.wheel)] if options.wheel else []
            subprocess.run([str(ROOT / "warpbook"), "autograder", "gradescope", "--lab", LAB, *wheel, "-o", str(packed)], check=True)
        if not (root / "autograder" / "run_autograder").exists():
            since = time.monotonic()
            roots.make(root, RELEASE, options.base)
            install(root, packed)
            print(f"setup.sh: {time.monotonic() - since:.0f} s, with the Debian root", flush=True)
        for name, files, score, said in cases():
            since = time.monotonic()
            document = grade(root, files)
            texts = [document.get("output", ""), *(test.get("output", "") for test in document["tests"])]
            right = document["score"] == score and any(said in text for text in texts)
            failed += not right
            print(f"{'ok' if right else 'WRONG':<6} {name}: {document['score']} of {MOST} points, {len(document['tests'])} tests, "
                  f"{time.monotonic() - since:.1f} s", flush=True)
            if not right:
                print(json.dumps(document, indent=1)[:3000])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
