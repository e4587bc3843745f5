"""Runs a command of a build or a test, and appends what it cost to a file: `./warpbook test --times` reads it.

  timed.py FILE NAME COMMAND [ARGUMENT...]

A line of FILE is a JSON array: NAME, and the seconds that processors spent on COMMAND and on all it has waited for. The exit status is COMMAND's; a signal ends this, too.
"""
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys


def main(file: str, name: str, *command: str) -> int:
    status = subprocess.run(command, check=False).returncode
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = json.dumps([name, round(usage.ru_utime + usage.ru_stime, 3)]) + "\n"
    with contextlib.suppress(PermissionError):  # another user may use the build, too, whose costs are no part of this
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(descriptor, line.encode())  # at once, so that lines of two commands do not mix
        os.close(descriptor)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
