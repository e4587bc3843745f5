"""What keeps a class's hand-ins from the machine and from each other while they are compiled and run.

By default that is the kernel: compiler and runner confine themselves by Landlock and a filter of system calls. Where the kernel
has no Landlock, or where more is wanted, bubblewrap or docker stands around them.
"""
from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator

from ..build import Build
from ..problem import Problem
from . import memory
from .model import HandIn

IMAGE = "warpbook-empty:1"
KINDS = ("kernel", "bwrap", "docker", "none")
#: Where a system keeps programs, libraries and headers, and what finds them.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc/alternatives", "/etc/ld.so.cache",
           "/etc/ld.so.conf", "/etc/ld.so.conf.d")


_KEPT_HEADERS = "/precompiled"  # where a sandbox has the build's precompiled headers


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
        if self.inside:
            return f"by the kernel: {offered}"
        _require_program("bwrap" if self.kind == "bwrap" else "docker", "bubblewrap" if self.kind == "bwrap" else "docker.io")
        if self.kind == "bwrap":
            _try_out([*bubblewrap([], [], pathlib.Path("/")), "true"], "bubblewrap")
            on_gpu = " On the GPU it ran outside of bubblewrap." if build.preset == "cuda" else ""
            return f"Each hand-in was confined by bubblewrap, without a network, and by the kernel: {offered}.{on_gpu}"
        if build.preset == "cuda":
            raise Problem("--sandbox docker grades on the simulator alone.", ["WARPBOOK_BACKEND=sim chooses it."])
        _try_out(["docker", "version", "--format", "{{.Server.Version}}"], "docker")
        _make_image()
        return f"Each hand-in was compiled and judged in a docker container of its own, without a network, and by the kernel: {offered}."

    def compiler_prefix(self, build: Build, hand_in: HandIn, folder: pathlib.Path) -> list[str]:
        """What stands in front of a compiler that writes into `folder`, and nowhere else."""
        if self.kind != "bwrap":
            return []
        readable = [*build.resources(), hand_in.lab.folder, hand_in.file]
        return bubblewrap(readable, [folder], build.folder, own_headers(build, folder))

    @contextlib.contextmanager
    def runner_prefix(self, build: Build, folder: pathlib.Path, backend: str) -> Iterator[str | None]:
        """What stands in front of a runner of the modules in `folder`; None: what the build is configured with. A GPU's driver
        wants more of a machine than a sandbox leaves."""
        if self.kind != "bwrap" or backend != "sim":
            yield None
            return
        command = bubblewrap([build.program("simtcc").parent, folder], [], build.workbook.root)
        with tempfile.TemporaryDirectory(prefix="warpbook-") as own:  # a grader cuts a prefix at its blanks
            place = folder if not re.search(r"\s", str(folder)) else pathlib.Path(own if not re.search(r"\s", own) else "/tmp")
            script = place / f"sandbox-{os.getpid()}-{threading.get_ident()}.sh"
            script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
            script.chmod(0o755)
            try:
                yield str(script)
            finally:
                script.unlink(missing_ok=True)


def own_headers(build: Build, folder: pathlib.Path) -> dict[str, str]:
    """A folder of precompiled headers for one hand-in, below `folder`: those of the build, to be read, and room for more. Returns
    what has to lie where in the sandbox: the first is to be written, the second to be read."""
    kept, own = build.folder / "precompiled", folder / "precompiled"
    own.mkdir()
    kept.mkdir(exist_ok=True)
    for file in kept.iterdir():
        (own / file.name).symlink_to(f"{_KEPT_HEADERS}/{file.name}")
    return {str(kept): str(own), _KEPT_HEADERS: str(kept)}


def bubblewrap(readable: list[pathlib.Path], writable: list[pathlib.Path], folder: pathlib.Path,
               headers: dict[str, str] | None = None) -> list[str]:
    """The command that runs another in `folder`: with the system, `readable` and `writable`, and no network; and with own_headers()."""
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
    for option, (target, source) in zip(("--bind", "--ro-bind"), (headers or {}).items()):
        command += [option, source, target]
    if str(folder) != "/":
        command += ["--dir", str(folder)]
    return [*command, "--chdir", str(folder), "--"]


def container(build: Build, name: str, readable: list[pathlib.Path], folder: pathlib.Path, command: list[str]) -> list[str]:
    """The docker command that runs `command` in a container `name`: with the system and the workbook to be read, `folder` to be
    written, and no network."""
    root = build.workbook.root
    mounts = [*_SYSTEM, *(str(path) for path in (root, build.folder, *build.resources(), *readable))]
    mounts += [prefix for prefix in {sys.prefix, sys.base_prefix} if not prefix.startswith("/usr")]
    words = ["docker", "run", "--rm", "--name", name, "--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt",
             "no-new-privileges", "--user", f"{os.getuid()}:{os.getgid()}", "--pids-limit", "256",
             "--memory", f"{memory.allowed(1) + memory.FOR_A_JOB}", "--tmpfs", "/tmp:exec,size=256m"]
    for place in mounts:
        if os.path.exists(place):
            words += ["--mount", _mount(os.path.realpath(place), place, ",readonly")]
    words += ["--mount", _mount(str(folder), str(folder), "")]
    for more, (target, source) in zip(("", ",readonly"), own_headers(build, folder).items()):
        words += ["--mount", _mount(source, target, more)]
    for variable, value in (("HOME", "/tmp"), ("PATH", "/usr/bin:/bin"), ("LANG", os.environ.get("LANG", "C.UTF-8")),
                            ("PYTHONDONTWRITEBYTECODE", "1")):
        words += ["--env", f"{variable}={value}"]
    return [*words, "--workdir", str(root), IMAGE, *command]


def _mount(source: str, target: str, more: str) -> str:
    """An argument of --mount, which is a line of CSV: quotes keep commas apart."""
    quoted = ['"' + f"{key}={value}".replace('"', '""') + '"' for key, value in (("source", source), ("target", target))]
    return f"type=bind,{','.join(quoted)}{more}"


def _make_image() -> None:
    """Makes the image of the containers, if it is not there: it is empty, and everything in a container is the machine's own."""
    if subprocess.run(["docker", "image", "inspect", IMAGE], capture_output=True, check=False).returncode == 0:
        return
    empty = io.BytesIO()
    tarfile.open(fileobj=empty, mode="w").close()
    done = subprocess.run(["docker", "import", "-", IMAGE], input=empty.getvalue(), capture_output=True, check=False)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").splitlines()
        raise Problem("docker did not make an empty image:", ["  " + line for line in said[-3:]])


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
