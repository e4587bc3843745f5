"""Installs what is missing on Debian and Ubuntu, or says which one line would do it."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable

from .probe import Finding, dotted, output_of, parse_version
from .problem import Problem
from .requirements import ALL, CMAKE, MINIMUM, install_line

_NO_NETWORK = re.compile(r"Could not resolve|Temporary failure resolving|Network is unreachable|Could not connect|"
                         r"Connection (?:failed|timed out|refused)|Unable to connect|Could not handshake", re.I)
_APT_OPTIONS = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::https::Timeout=20",
                "-o", "DPkg::Lock::Timeout=120", "-o", "APT::Color=0"]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def package_manager() -> str:
    return next((name for name in ("apt-get", "dnf", "pacman", "zypper") if shutil.which(name)), "")


def privilege() -> list[str] | None:
    """What to put before a command to run it as root: [] as root, sudo without a password, else None."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and output_of(["sudo", "-n", "true"]) is not None:
        return ["sudo", "-n"]
    return None


def describe(missing: list[Finding]) -> list[str]:
    width = max(len(finding.requirement.name) for finding in missing)
    return [f"  {finding.requirement.name:<{width}}  {finding.problem}" for finding in missing]


def instructions(missing: list[Finding], manager: str) -> list[str]:
    """What to type when Warpbook may not install by itself."""
    wanted = [finding.requirement for finding in missing]
    if manager:
        return ["This line installs it:", "  " + install_line(manager, wanted, sudo=os.geteuid() != 0)]
    debian = ", ".join(requirement.packages["apt-get"] for requirement in wanted)
    return ["Install it with your system's package manager. The names on Debian are:", f"  {debian}",
            "Needed: g++ 11 or clang++ 14, CMake 3.25, Ninja, doctest, Boost.Context, libffi, nlohmann-json, "
            "binutils, and Python 3 with matplotlib and rich."]


def _progress(report: Callable[[str], None]) -> Callable[[str], None]:
    """Turns apt's lines into a few lines of progress: what is fetched, then quarters of the installation."""
    state = {"packages": 0, "done": 0, "quarter": 0}

    def on_line(line: str) -> None:
        counted = re.search(r"(\d+) upgraded, (\d+) newly installed", line)
        if counted:
            state["packages"] = int(counted.group(1)) + int(counted.group(2))
        elif line.startswith("Need to get"):
            report(f"  {state['packages']} packages. {line.strip()}")
        elif line.startswith(("Unpacking ", "Setting up ")) and state["packages"]:
            state["done"] += 1
            quarter = 4 * state["done"] // (2 * state["packages"])
            if quarter > state["quarter"]:
                state["quarter"] = quarter
                report(f"  {min(25 * quarter, 100)}% installed")

    return on_line


def run_apt(arguments: list[str], prefix: list[str],
            on_line: Callable[[str], None] | None = None) -> tuple[int, list[str]]:
    """Runs apt-get and returns its status and its lines."""
    settings = ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"]
    command = [*prefix, *settings, "apt-get", *_APT_OPTIONS, *arguments]
    lines: list[str] = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.rstrip())
            if on_line:
                on_line(line)
    return process.returncode, lines


def _give_up(lines: list[str], by_hand: str) -> Problem:
    text = "\n".join(lines)
    shown = [line for line in lines if line.strip()][-8:]
    if _NO_NETWORK.search(text):
        sentence = "The missing packages could not be fetched: this machine cannot reach its package servers."
        shown = [line for line in lines if _NO_NETWORK.search(line)][-2:]
    elif "dpkg frontend lock" in text or "Could not get lock" in text:
        sentence = "Another program is installing packages and did not finish in two minutes; try again after it."
    elif "Permission denied" in text or "are you root" in text:
        sentence = "apt-get was refused the permission to install packages."
    else:
        sentence = "apt-get could not install the missing packages. Its last lines:"
    return Problem(sentence, [*("  " + line for line in shown), "By hand:", "  " + by_hand])


def _refuse_old_cmake(missing: list[Finding]) -> None:
    """Says at once when the distribution's CMake is too old, before hundreds of megabytes are installed."""
    if all(finding.requirement is not CMAKE for finding in missing):
        return
    said = output_of(["apt-cache", "policy", "cmake"], env={**os.environ, "LC_ALL": "C"}) or ""
    candidate = re.search(r"Candidate:\s*(?:\d+:)?(\d+(?:\.\d+)+)", said)
    version = parse_version(candidate.group(1)) if candidate else ()
    if version and version < MINIMUM["cmake"]:
        raise Problem(
            f"This system offers CMake {dotted(version)}, and Warpbook needs {dotted(MINIMUM['cmake'])} or newer.",
            ["Debian 12 and Ubuntu 24.04 have it. Here, install a newer one and put it on PATH, for example:",
             "  python3 -m venv build/cmake && build/cmake/bin/pip install 'cmake>=3.25'",
             "  export PATH=$PWD/build/cmake/bin:$PATH",
             "or use a debian:12 container. Then run ./warpbook again."])


def install(missing: list[Finding]) -> None:
    """Installs the packages of `missing` by apt, or raises the Problem that says what to type."""
    manager = package_manager()
    sentence = "Warpbook needs a few things that are not here yet:"
    if manager != "apt-get":
        raise Problem(sentence, [*describe(missing), *instructions(missing, manager)])
    packages = [requirement.packages["apt-get"] for requirement in ALL
                if any(finding.requirement is requirement for finding in missing)]
    by_hand = install_line("apt-get", [r for r in ALL if r.packages["apt-get"] in packages], sudo=os.geteuid() != 0)
    prefix = privilege()
    if prefix is None:
        raise Problem(sentence, [*describe(missing), *instructions(missing, manager)])
    say(sentence)
    for line in describe(missing):
        say(line)

    command = ["install", "-y", "--no-install-recommends", *packages]
    updated = False
    if run_apt(["-s", *command], prefix)[0] != 0:  # unknown packages: the lists were never fetched
        updated = _update(prefix, by_hand)
    _refuse_old_cmake(missing)
    say("Installing " + " ".join(packages))
    status, lines = run_apt(command, prefix, _progress(say))
    if status != 0 and not updated:
        _update(prefix, by_hand)
        status, lines = run_apt(command, prefix, _progress(say))
    if status != 0:
        raise _give_up(lines, by_hand)


def _update(prefix: list[str], by_hand: str) -> bool:
    say("Fetching the package lists (apt-get update)")
    status, lines = run_apt(["update"], prefix)
    # apt-get update succeeds with old lists, or none, when no server answers.
    unreachable = any(_NO_NETWORK.search(line) for line in lines) and not any(
        line.startswith(("Get:", "Hit:")) for line in lines)
    if status != 0 or unreachable:
        raise _give_up(lines, by_hand)
    return True
