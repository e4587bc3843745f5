"""Tries a wheel in a bare Debian root, by the Dockerfile's recipe, as an ordinary user without network:

    sudo python3 common/tests/wheel/in_bare_debian.py --wheel FILE [--release bookworm|trixie] [--base ROOT] [--packages FOLDER]

The root is made by debootstrap (minbase), or copied from --base. pip takes what the wheel needs from PyPI, or from --packages. Asked
for are the verdicts of each starter and each solution, at most 60 seconds from `pip install` to the two of lab 01, and at most 20 for the
first verdict of labs 01 and 06, in the wheel's environment and outside of it.
Exit status: 0 as it should be, 1 not, 77 skipped, with the reason.
"""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "common" / "tests"))

import roots  # noqa: E402

MOST_SECONDS = 60
MOST_FIRST = 20
USER = "student"


def recipe() -> tuple[list[str], dict[str, str]]:
    """The commands of the Dockerfile's last stage, as root in their order, and the environment that it leaves."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    stage = text[text.rindex("\nFROM "):]
    environment: dict[str, str] = {"PATH": roots.PATH}
    for line in re.findall(r"^ENV (.+)$", stage, re.M):
        for word in shlex.split(line):
            name, _, value = word.partition("=")
            environment[name] = value.replace("$PATH", environment["PATH"])
    return re.findall(r"^RUN (.+)$", stage, re.M), environment


class Failed(Exception):
    pass


def made(root: pathlib.Path, options) -> float:
    """Makes the root, with the wheel installed by the recipe; returns the seconds that pip took."""
    roots.make(root, options.release, options.base)
    (root / "wheels").mkdir()
    shutil.copy(options.wheel, root / "wheels")
    commands, _ = recipe()
    environment = {}
    if options.packages:
        shutil.copytree(options.packages, root / "packages")
        environment = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/packages"}
    seconds = 0.0
    for command in commands:
        since = time.monotonic()
        done = roots.run(root, ["sh", "-c", command], environment=environment)
        if done.returncode != 0:
            raise Failed(f"`{command}` ended with status {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        if "pip install" in command:
            seconds = time.monotonic() - since
    shutil.copytree(ROOT / "solutions", root / "solutions")
    return seconds


def verdict(root: pathlib.Path, environment: dict[str, str], number: str, command: str = "warpbook", place: str = "/work/labs") -> dict:
    done = roots.run(root, [command, "check", number, "--json"], place, environment=environment, user=USER, network=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise Failed(f"check {number} gave no verdict:\n{done.stdout[-3000:]}{done.stderr[-3000:]}") from None


def slow_first_verdicts(root: pathlib.Path, environment: dict[str, str]) -> int:
    """How many first verdicts on a fresh workbook take too long, or build something: with `warpbook`, and with ./warpbook and no environment."""
    wrong = 0
    for place, command, around in (("with", "warpbook", environment), ("without", "./warpbook", {"PATH": roots.PATH})):
        for lab in ("01", "06"):
            folder = f"/work/{place}-{lab}"
            roots.run(root, ["warpbook", "give-out", folder], "/work", environment=environment, user=USER, network=False)
            since = time.monotonic()
            said = verdict(root, around, lab, command, folder)
            seconds = time.monotonic() - since
            built = (root / folder[1:] / "build/sim").exists()
            right = "points" in said and not built and seconds <= MOST_FIRST
            wrong += not right
            print(f"{'ok' if right else 'WRONG':<6} first verdict of lab {lab} {place} an environment: {seconds:.1f} s{', after a build' if built else ''}"
                  f"{'' if 'points' in said else json.dumps(said)[:2000]}", flush=True)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=pathlib.Path, required=True)
    parser.add_argument("--release", default="bookworm", help="of Debian (default: bookworm)")
    parser.add_argument("--base", type=pathlib.Path, help="a Debian root to copy, instead of debootstrap")
    parser.add_argument("--packages", type=pathlib.Path, help="a folder of wheels in place of PyPI")
    options = parser.parse_args()
    if why := roots.why_not(options.base):
        return roots.skip(why)
    _, environment = recipe()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="warpbook-root-") as scratch:
        root = pathlib.Path(scratch)
        try:
            installed = made(root, options)
            print(f"pip install: {installed:.1f} s, {options.wheel.stat().st_size / 2**20:.1f} MiB", flush=True)
            since = time.monotonic()
            done = roots.run(root, ["warpbook", "give-out", "labs"], "/work", environment=environment, user=USER, network=False)
            if done.returncode != 0:
                raise Failed(f"give-out ended with status {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
            for place, lab in enumerate(sorted(path.name for path in (root / "work/labs/labs").glob("[0-9]*"))):
                for submission in ("starter", "solution"):
                    if submission == "solution":
                        for file in (root / "solutions" / lab).glob("*.cu"):
                            shutil.copyfile(file, root / "work/labs/labs" / lab / file.name)
                    said = verdict(root, environment, lab[:2])
                    right = "points" in said and not said["build_failure"] and said["points"] == (said["max_points"] if submission == "solution" else 0)
                    wrong += not right
                    print(f"{'ok' if right else 'WRONG':<6} {submission} of {lab}: {said.get('points')} of {said.get('max_points')} points"
                          f"{'' if right else json.dumps(said)[:2000]}", flush=True)
                if place == 0:
                    seconds = installed + time.monotonic() - since
                    late = seconds > MOST_SECONDS
                    wrong += late
                    print(f"{'WRONG' if late else 'ok':<6} from pip install to both verdicts: {seconds:.1f} s", flush=True)
            wrong += slow_first_verdicts(root, environment)
        except Failed as failed:
            print(failed)
            return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
