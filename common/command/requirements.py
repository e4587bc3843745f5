"""What Warpbook needs from the machine, and what each system calls it."""
from __future__ import annotations

import dataclasses

MINIMUM = {"g++": (11,), "clang++": (14,), "cmake": (3, 25), "nvcc": (12, 4)}


@dataclasses.dataclass(frozen=True)
class Requirement:
    """`packages` maps a package manager to the package that brings `name`; `pypi` is PyPI's, if it has a usable one."""

    name: str
    packages: dict[str, str]
    pypi: str = ""


def _same(name: str, apt: str, dnf: str, pacman: str, zypper: str, pypi: str = "") -> Requirement:
    return Requirement(name, {"apt-get": apt, "dnf": dnf, "pacman": pacman, "zypper": zypper}, pypi)


COMPILER = _same("C++ compiler", "g++", "gcc-c++", "gcc", "gcc-c++")
CMAKE = _same("CMake", "cmake", "cmake", "cmake", "cmake", "cmake")
NINJA = _same("Ninja", "ninja-build", "ninja-build", "ninja", "ninja", "ninja")
BINUTILS = _same("binutils", "binutils", "binutils", "binutils", "binutils")
DOCTEST = _same("doctest", "doctest-dev", "doctest-devel", "doctest", "doctest-devel")
BOOST = _same("Boost.Context", "libboost-context-dev", "boost-devel", "boost", "libboost_context-devel")
LIBFFI = _same("libffi", "libffi-dev", "libffi-devel", "libffi", "libffi-devel")
JSON = _same("nlohmann-json", "nlohmann-json3-dev", "json-devel", "nlohmann-json", "nlohmann_json-devel")
CLI11 = _same("CLI11", "libcli11-dev", "cli11-devel", "cli11", "cli11-devel")
ELFUTILS = _same("libdw", "libdw-dev", "elfutils-devel", "libelf", "libdw-devel")
SECCOMP = _same("libseccomp", "libseccomp-dev", "libseccomp-devel", "libseccomp", "libseccomp-devel")
MATPLOTLIB = _same("matplotlib", "python3-matplotlib", "python3-matplotlib", "python-matplotlib", "python3-matplotlib",
                   "matplotlib")
RICH = _same("rich", "python3-rich", "python3-rich", "python-rich", "python3-rich", "rich")

ALL = [COMPILER, CMAKE, NINJA, BINUTILS, DOCTEST, BOOST, LIBFFI, JSON, CLI11, ELFUTILS, SECCOMP, MATPLOTLIB, RICH]

#: With the programs of a wheel (wheel.py). binutils come with every compiler; where not, it is said now.
WITH_WHEEL = [COMPILER, BINUTILS, RICH]

INSTALL = {
    "apt-get": "apt-get install -y --no-install-recommends",
    "dnf": "dnf install -y",
    "pacman": "pacman -S --needed",
    "zypper": "zypper install -y",
}


def install_line(manager: str, missing: list[Requirement], sudo: bool) -> str:
    """The one line that installs `missing` on a system with `manager`."""
    packages = " ".join(requirement.packages[manager] for requirement in missing)
    prefix = "sudo " if sudo else ""
    if manager == "apt-get":
        return f"{prefix}apt-get update && {prefix}{INSTALL[manager]} {packages}"
    return f"{prefix}{INSTALL[manager]} {packages}"
