"""Installs what is missing on Debian and Ubuntu, or says which one line would do it."""
from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable

from . import progress
from .probe import Finding, dotted, output_of, parse_version
from .problem import Problem
from .requirements import ALL, CMAKE, COMPILER, INSTALL, MATPLOTLIB, MINIMUM, RICH, WITH_WHEEL, Requirement, install_line

_NO_NETWORK = re.compile(r"Could not resolve|Temporary failure resolving|Network is unreachable|Could not connect|"
                         r"Connection (?:failed|timed out|refused)|Unable to connect|Could not handshake", re.I)
_APT_OPTIONS = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::https::Timeout=20",
                "-o", "DPkg::Lock::Timeout=120", "-o", "APT::Color=0"]

_MODULES = (MATPLOTLIB, RICH)  # one interpreter has to have both

#: Warpbook on any machine with Docker or Podman.
CONTAINER = ['  docker run --rm -it --platform linux/amd64 -v "$PWD":/warpbook -w /warpbook debian:12 \\',
             '      sh -c "apt-get update && apt-get install -y python3 && ./warpbook demo"']


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


def instructions(missing: list[Finding], manager: str, build: str = "build") -> list[str]:
    """What to type when Warpbook may not install by itself. `build` is the build folder as the user would type it."""
    wanted = [finding.requirement for finding in missing]
    root = os.geteuid() == 0
    lines = _packages(wanted, manager, root) + (_compilers() if COMPILER in wanted and len(wanted) < len(ALL) // 2 else [])
    return lines if root else [*lines, *_from_pypi(wanted, build), *(_from_conda(build) if COMPILER in wanted else []), "With Docker or Podman it runs in a container:", *CONTAINER]


def _packages(wanted: list[Requirement], manager: str, root: bool) -> list[str]:
    if manager:
        return ["This line installs it:" if root else "An administrator installs it with this line:",
                "  " + install_line(manager, wanted, sudo=not root)]
    debian = ", ".join(requirement.packages["apt-get"] for requirement in wanted)
    names = ["Install it with your system's package manager. The names on Debian are:", f"  {debian}"]
    return names if all(requirement in WITH_WHEEL for requirement in wanted) else [
        *names, "Needed: g++ 11 or clang++ 14, CMake 3.25, Ninja, doctest, Boost.Context, libffi, nlohmann-json, "
            "CLI11, libdw (elfutils), libseccomp, binutils, and Python 3 with matplotlib and rich."]


_SYSTEMS = {"apt-get": "Debian, Ubuntu", "dnf": "Fedora", "pacman": "Arch", "zypper": "openSUSE"}
#: Where in the build folder Warpbook looks for a compiler that needed no administrator.
COMPILER_FOLDER = "compiler"


def _compilers() -> list[str]:
    """What brings a compiler, by distribution."""
    return ["A compiler comes from:", *(f"  {_SYSTEMS[manager]:<15} sudo {INSTALL[manager]} {package}" for manager, package in COMPILER.packages.items())]


def _from_conda(build: str) -> list[str]:
    folder = shlex.quote(f"{build}/{COMPILER_FOLDER}")
    return ["Without an administrator, conda-forge has a compiler. Warpbook finds what this line installs (conda or mamba will do, too):",
            f"  micromamba create -y -p {folder} -c conda-forge gxx binutils"]


def _from_pypi(wanted: list[Requirement], build: str) -> list[str]:
    """What PyPI can do for a user without further rights."""
    there = [requirement for requirement in wanted if requirement.pypi]
    elsewhere = ", ".join(requirement.name for requirement in wanted if not requirement.pypi)
    if not there:
        return []
    named = ", ".join(requirement.name for requirement in there)
    rest = f"; not {elsewhere}" if elsewhere else ""
    if importlib.util.find_spec("ensurepip") is None:  # Debian keeps it in a package of its own
        return [f"PyPI has {named}{rest}. To install from there, this Python lacks venv (Debian's package python3-venv)."]
    return [f"Without an administrator, PyPI has {named}{rest}. Warpbook finds what this line installs:", "  " + venv_line(there, build)]


def venv_line(wanted: list[Requirement], build: str) -> str:
    """The line that installs `wanted` into the virtual environment that Warpbook looks into."""
    if any(requirement in _MODULES for requirement in wanted):
        wanted = [*(requirement for requirement in wanted if requirement not in _MODULES), *_MODULES]
    packages = " ".join(f"'cmake>={dotted(MINIMUM['cmake'])}'" if requirement is CMAKE else requirement.pypi
                        for requirement in wanted)
    return pip_line(build, packages)


def pip_line(build: str, packages: str) -> str:
    folder = shlex.quote(build + "/venv")
    return f"python3 -m venv {folder} && {folder}/bin/pip install {packages}"


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
    outcome = progress.run([*prefix, *settings, "apt-get", *_APT_OPTIONS, *arguments], on_line=on_line, own_session=False)
    return outcome.status, outcome.lines


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


def _refuse_old_cmake(missing: list[Finding], build: str) -> None:
    """Says at once when the distribution's CMake is too old, before hundreds of megabytes are installed."""
    if all(finding.requirement is not CMAKE for finding in missing):
        return
    said = output_of(["apt-cache", "policy", "cmake"], env={**os.environ, "LC_ALL": "C"}) or ""
    candidate = re.search(r"Candidate:\s*(?:\d+:)?(\d+(?:\.\d+)+)", said)
    version = parse_version(candidate.group(1)) if candidate else ()
    if version and version < MINIMUM["cmake"]:
        raise Problem(
            f"This system offers CMake {dotted(version)}, and Warpbook needs {dotted(MINIMUM['cmake'])} or newer.",
            ["Debian 12 and Ubuntu 24.04 have it. Here, this line installs a newer one where Warpbook looks for it:",
             "  " + venv_line([CMAKE], build), "Or use a debian:12 container. Then run ./warpbook again."])


def install(missing: list[Finding], build: str = "build") -> None:
    """Installs the packages of `missing` by apt, or raises the Problem that says what to type.

    `build` is the build folder as the user would type it.
    """
    manager = package_manager()
    sentence = "Warpbook needs a few things that are not here yet:"
    if manager != "apt-get":
        raise Problem(sentence, [*describe(missing), *instructions(missing, manager, build)])
    packages = [requirement.packages["apt-get"] for requirement in ALL
                if any(finding.requirement is requirement for finding in missing)]
    by_hand = install_line("apt-get", [r for r in ALL if r.packages["apt-get"] in packages], sudo=os.geteuid() != 0)
    prefix = privilege()
    if prefix is None:
        raise Problem(sentence, [*describe(missing), *instructions(missing, manager, build)])
    say(sentence)
    for line in describe(missing):
        say(line)

    command = ["install", "-y", "--no-install-recommends", *packages]
    updated = False
    if run_apt(["-s", *command], prefix)[0] != 0:  # unknown packages: the lists were never fetched
        updated = _update(prefix, by_hand)
    _refuse_old_cmake(missing, build)
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
