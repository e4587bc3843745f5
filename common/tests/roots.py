"""Bare Debian roots: made by debootstrap, and commands that run in them."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

MIRROR = "http://deb.debian.org/debian"
SKIPPED = 77
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# With /proc, /dev and pseudo terminals of its own namespace, which end with it.
_ENTER = """mount --bind "$PWD" "$PWD" && cd "$PWD" # so that namespaces can be made in it
mount -t proc proc proc && mount --rbind /dev dev
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts && mount --bind dev/pts/ptmx dev/ptmx
exec chroot --userspec="$0" . sh -c 'cd "$0" && exec "$@"' "$@"
"""


def skip(reason: str) -> int:
    print(f"Skipped: {reason}")
    return SKIPPED


def why_not(base: pathlib.Path | None = None) -> str:
    """Why no root can be made here; empty if one can."""
    if os.geteuid() != 0:
        return "only root can make a Debian root and change into it."
    return "" if base or shutil.which("debootstrap") else "debootstrap is not installed."


def make(root: pathlib.Path, release: str, base: pathlib.Path | None = None, packages: tuple[str, ...] = ()) -> None:
    """The smallest Debian with `packages`, or a copy of `base`."""
    root.mkdir(parents=True, exist_ok=True)
    root.chmod(0o755)
    if base:
        subprocess.run(["cp", "-a", f"{base}/.", str(root)], check=True)
    else:
        include = [f"--include={','.join(packages)}"] if packages else []
        subprocess.run(["debootstrap", "--variant=minbase", *include, release, str(root), MIRROR], check=True, stdout=subprocess.DEVNULL)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")


def run(root: pathlib.Path, command: list[str], folder: str = "/", *, environment: dict[str, str] | None = None, user: str = "root",
        network: bool = True) -> subprocess.CompletedProcess:
    """Runs a command in the root."""
    unshared = ["unshare", "--mount", "--pid", "--fork", *([] if network else ["--net"]), "sh", "-c", _ENTER, user, folder, *command]
    home = "/root" if user == "root" else f"/home/{user}"
    return subprocess.run(unshared, cwd=root, env={"PATH": PATH, **(environment or {}), "HOME": home, "LANG": "C.UTF-8"},
                          capture_output=True, text=True, errors="replace", check=False)
