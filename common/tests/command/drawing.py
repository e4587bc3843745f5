"""What the tests of the pictures share: a lab's plot.py run on a small table, and the texts that it drew.

Importing matplotlib takes longer than drawing: one process imports it, and each run of a script is a fork of that.
"""
from __future__ import annotations

import functools
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from fakes import ROOT, Scratch

from command import probe


def _python_with_matplotlib() -> str:
    if importlib.util.find_spec("matplotlib"):
        return sys.executable
    return next((path for path in probe.python_candidates(ROOT) if "matplotlib" in probe.python_modules(path)), "")


PYTHON = _python_with_matplotlib()

# Reads a script with its arguments, one JSON list a line, and answers each with the exit status. The script finds
# what the command would have given it: the folder plots/ first on the path, and its arguments. Its end leaves the interpreter to
# the system: taking apart what the server has imported takes longer than a short script.
SERVER = """
import json, os, runpy, sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.backends.backend_agg, matplotlib.backends.backend_svg, matplotlib.pyplot

def status_of(folder, script, arguments):
    sys.argv = [script, *arguments]
    sys.path[0] = folder
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0

def become(folder, script, arguments, out, error):
    for descriptor, path, flags in ((0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY), (2, error, os.O_WRONLY)):
        os.dup2(os.open(path, flags), descriptor)
    status = status_of(folder, script, arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        become(*json.loads(line))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def with_least(table: str, least: dict[str, float]) -> str:
    """The table with a column of what the task needs at least, by metric; empty where none is said."""
    lines = table.splitlines()
    at = next(index for index, line in enumerate(lines) if line.startswith("submission,"))
    metric = lines[at].split(",").index("metric")
    rows = [f"{line},{least.get(line.split(',')[metric], '')}" for line in lines[at + 1:]]
    return "\n".join([*lines[:at], lines[at] + ",least", *rows, ""])


@functools.cache
def _shared_folder() -> pathlib.Path:
    folder = tempfile.TemporaryDirectory(prefix="warpbook-test-")
    unittest.addModuleCleanup(_shared_folder.cache_clear)
    unittest.addModuleCleanup(folder.cleanup)
    return pathlib.Path(folder.name)


@functools.cache
def _server() -> subprocess.Popen:
    server = subprocess.Popen([PYTHON, "-B", "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env={"MPLCONFIGDIR": str(_shared_folder()), "PATH": "/usr/bin:/bin"})
    unittest.addModuleCleanup(_server.cache_clear)
    unittest.addModuleCleanup(server.communicate)  # closes its standard input, which ends it
    return server


def _run(script: pathlib.Path, arguments: list[str], streams: pathlib.Path) -> subprocess.CompletedProcess:
    """Runs `script` as the command does, with its output in the folder `streams`."""
    files = [streams / name for name in ("stdout.txt", "stderr.txt")]
    for file in files:
        file.touch()
    command = [str(ROOT / "plots"), str(script), arguments, *map(str, files)]
    server = _server()
    server.stdin.write(json.dumps(command) + "\n")
    server.stdin.flush()
    status = int(server.stdout.readline())
    return subprocess.CompletedProcess(command, status, *(file.read_text() for file in files))


@functools.cache
def _drawn(lab: str, text: str, beside: tuple[tuple[str, bytes], ...]) -> tuple[pathlib.Path, subprocess.CompletedProcess]:
    """What the lab's plot.py makes of the table m.csv and the files `beside` it: the folder of its pictures, and how it ended."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=_shared_folder()))
    for name, content in (("m.csv", text.encode()), *beside):
        (folder / name).write_bytes(content)
    return folder / "out", _run(ROOT / "labs" / lab / "plot.py", [str(folder / "m.csv"), "-o", str(folder / "out/p.svg")], folder)


@unittest.skipUnless(PYTHON, "no interpreter here has matplotlib")
class Drawing(Scratch):
    """A test of the plot.py of `lab`, which reads a table m.csv and draws p-NAME.svg into the folder `out`."""

    lab = ""

    def run_script(self, script: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess:
        return _run(script, list(arguments), self.folder)

    def run_program(self, text: str) -> None:
        """Runs a Python program that can import what the scripts share; it has to end well."""
        done = _run(self.write("program.py", text), [], self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def draw(self, text: str, beside: dict[str, bytes] | None = None) -> subprocess.CompletedProcess:
        """The same table is drawn once, however many tests look at its pictures."""
        self.out, done = _drawn(self.lab, text, tuple((beside or {}).items()))
        return done

    def pictures(self, suffix: str = "") -> list[str]:
        return sorted(path.name for path in self.out.glob(f"*{suffix}"))

    def text(self, name: str) -> str:
        """Every text in a picture; matplotlib leaves each in a comment of the SVG."""
        svg = (self.out / f"p-{name}.svg").read_text()
        return "\n".join(re.findall(r"<!-- (.*?) -->", svg))

    def need(self, name: str, *texts: str) -> None:
        found = self.text(name)
        for text in texts:
            self.assertIn(text, found)
