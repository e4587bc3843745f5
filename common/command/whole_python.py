"""Completes a Python that came without its standard library (Debian's python3-minimal).

Imports only what even that one has.
"""
import os
import subprocess
import sys

_INSTALL = "apt-get install -y --no-install-recommends python3"
_RESTARTED = "WARPBOOK_WHOLE_PYTHON"


def _succeeds(command):
    try:
        quiet = subprocess.DEVNULL
        return subprocess.call(command, stdin=quiet, stdout=quiet, stderr=quiet) == 0
    except OSError:
        return False


def install_and_restart(module):
    """Installs Debian's python3 where that is allowed and starts the command again; else says what to type."""
    said = f"This Python ({sys.executable}) has no module '{module}': its standard library is not complete."
    root = os.geteuid() == 0
    prefix = [] if root else ["sudo", "-n"]
    allowed = root or _succeeds(["sudo", "-n", "true"])
    if os.path.exists("/usr/bin/apt-get") and allowed and not os.environ.get(_RESTARTED):
        print(said + " Installing python3.", file=sys.stderr, flush=True)
        apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", *_INSTALL.split()]
        if _succeeds(apt) or (_succeeds([*prefix, "apt-get", "update"]) and _succeeds(apt)):
            os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, _RESTARTED: "1"})
    sudo = "" if root else "sudo "
    print(said, f"On Debian and Ubuntu this line completes it:\n  {sudo}apt-get update && {sudo}{_INSTALL}", sep="\n",
          file=sys.stderr)
    sys.exit(2)
