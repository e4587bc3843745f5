"""Runs the two commands of the README in bare Debian roots, as a user does who has git and Python alone:

    sudo python3 common/tests/command/in_bare_debian.py [--release bookworm|trixie ...] [--base ROOT] [--keep FOLDER]

What is committed is cloned into each root, which is made by debootstrap (minbase), or copied from --base. Each takes about half an
hour on four cores. Printed are what failed, what was skipped with the reasons, and the counts.
Exit status: 0 as it should be, 1 not, 77 skipped, with the reason.
"""
from __future__ import annotations

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "common" / "tests"))

import roots  # noqa: E402

RELEASES = ["bookworm", "trixie"]
PACKAGES = ("git", "python3", "ca-certificates")  # what the README asks for, and by what git knows servers
COMMANDS = ["./warpbook demo", "./warpbook test"]
PLACE = "/home/warpbook"  # which other users can read
TOLD = re.compile(r"^(?:SKIPPED .*|FAILED .*|\d+ passed, \d+ failed.*)$", re.M)


def succeeds(root: pathlib.Path, command: str) -> bool:
    since = time.monotonic()
    log = f"{PLACE}-{command.split()[-1]}.log"
    done = roots.run(root, ["sh", "-c", f"{command} > {shlex.quote(log)} 2>&1"], PLACE)
    said = (root / log[1:]).read_text(encoding="utf-8", errors="replace")
    print(f"{'ok' if done.returncode == 0 else 'WRONG':<6} {command}: status {done.returncode}, {time.monotonic() - since:.0f} s")
    for line in TOLD.findall(said) if done.returncode == 0 else [said[-20000:]]:
        print(f"       {line}", flush=True)
    return done.returncode == 0


def try_release(root: pathlib.Path, release: str, base: pathlib.Path | None) -> bool:
    print(f"Debian {release}", flush=True)
    roots.make(root, release, base, PACKAGES)
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(root / PLACE[1:])], check=True)
    return all([succeeds(root, command) for command in COMMANDS])  # the second one also where the first one fails


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", action="append", help=f"of Debian (default: {' and '.join(RELEASES)})")
    parser.add_argument("--base", type=pathlib.Path, help="a Debian root to copy, instead of debootstrap")
    parser.add_argument("--keep", type=pathlib.Path, help="the roots are made there, and stay")
    options = parser.parse_args()
    if why := roots.why_not(options.base):
        return roots.skip(why)
    with tempfile.TemporaryDirectory(prefix="warpbook-root-") as scratch:
        done = [try_release((options.keep or pathlib.Path(scratch)) / release, release, options.base) for release in options.release or RELEASES]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
