"""What keeps a class's hand-ins from the machine and from each other while they are compiled and run.

By default that is the kernel: compiler and runner confine themselves by Landlock and a filter of system calls. Where the kernel
has no Landlock, or where more is wanted, bubblewrap or docker stands around them.
"""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from ..build import Build
from ..problem import Problem
from .model import HandIn

KINDS = ("kernel", "bwrap", "docker", "none")
#: Where a system keeps programs, libraries and headers, and what finds them.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc/alternatives", "/etc/ld.so.cache",
           "/etc/ld.so.conf", "/etc/ld.so.conf.d")


@dataclasses.dataclass(frozen=True)
class Sandbox:
    """`kind` is one of KINDS. `inside`: this process is in the container already."""

    kind: str
    inside: bool = False

    def require(self, build: Build) -> str:
        """How the hand-ins will be confined, as a sentence. Raises Problem if that cannot be done here."""
        landlock, offered = kernel_offers(build)
        if self.kind == "kernel":
            if not landlock:
                raise Problem("This kernel has no Landlock, which keeps hand-ins from your files, from the grader and from each other.",
                              [f"It gives: {offered}. Choose what is to confine them instead:",
                               "  --sandbox bwrap    bubblewrap, around the compiler and around each program",
                               "  --sandbox docker   a container for each hand-in",
                               "  --sandbox none     nothing more: for files that you trust, or in a virtual machine of their own"])
            return f"Each hand-in was confined by the kernel: {offered}."
        if self.kind == "none":
            return ("The hand-ins were not confined by a sandbox (--sandbox none)"
                    f"{'; the kernel gave ' + offered if offered != 'nothing' else ''}.")
        _require_program("bwrap" if self.kind == "bwrap" else "docker", "bubblewrap" if self.kind == "bwrap" else "docker.io")
        if self.kind == "bwrap":
            _try_out([*bubblewrap([], [], pathlib.Path("/")), "true"], "bubblewrap")
            return f"Each hand-in was confined by bubblewrap, without a network, and by the kernel: {offered}."
        raise Problem("--sandbox docker is not there yet.")

    def compiler_prefix(self, build: Build, hand_in: HandIn, folder: pathlib.Path) -> list[str]:
        """What stands in front of a compiler that writes into `folder`, and nowhere else."""
        if self.kind != "bwrap":
            return []
        common = build.workbook.root / "common"
        readable = [build.program("simtcc"), build.folder / "precompiled", common / "simt", common / "cmake", hand_in.lab.folder, hand_in.file]
        return bubblewrap(readable, [folder], build.folder)

    def runner_prefix(self, build: Build, folder: pathlib.Path) -> str | None:
        """What stands in front of a runner of the modules in `folder`; None: what the build is configured with."""
        if self.kind != "bwrap":
            return None
        readable = [build.folder / "bin", folder]
        script = folder / "sandbox.sh"
        script.write_text(f'#!/bin/sh\nexec {shlex.join(bubblewrap(readable, [], build.workbook.root))} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
        return str(script)


def bubblewrap(readable: list[pathlib.Path], writable: list[pathlib.Path], folder: pathlib.Path) -> list[str]:
    """The command that runs another in `folder`: with the system, `readable` and `writable`, and no network."""
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    for place in _SYSTEM:
        if os.path.islink(place):
            command += ["--symlink", os.readlink(place), place]
        elif os.path.exists(place):
            command += ["--ro-bind", place, place]
    for path in readable:
        command += ["--ro-bind-try", str(path), str(path)]
    for path in writable:
        command += ["--bind", str(path), str(path)]
    if str(folder) != "/":
        command += ["--dir", str(folder)]
    return [*command, "--chdir", str(folder), "--"]


def kernel_offers(build: Build) -> tuple[int, str]:
    """Which version of Landlock this kernel has (0: none), and what it gives to confine a program, in words."""
    try:
        done = subprocess.run([str(build.program("warpbook-runner-sim")), "--confinement"], capture_output=True, text=True, timeout=60,
                              check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise Problem("The runner does not say how it confines hand-ins.", [f"  {error}"]) from None
    landlock = re.search(r"Landlock (\d+)", done.stdout)
    return int(landlock[1]) if landlock else 0, done.stdout.strip()


def _require_program(name: str, package: str) -> None:
    if not shutil.which(name):
        raise Problem(f"{name} is not installed, which --sandbox {name} needs.", [f"Install it: sudo apt-get install {package}"])


def _try_out(command: list[str], what: str) -> None:
    """Raises Problem with what the sandbox says if it does not start here."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise Problem(f"{what} does not start here.", [f"  {error}"]) from None
    if done.returncode != 0:
        raise Problem(f"{what} does not start here:", ["  " + line for line in done.stderr.splitlines()[-3:]])
