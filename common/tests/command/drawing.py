"""What the tests of the pictures share: a script of plots/ run on a small table, and the texts that it drew.

Importing matplotlib takes longer than drawing: one process imports it, and each run of a script is a fork of that.
"""
from __future__ import annotations

import functools
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from fakes import ROOT, Scratch

from command import probe

PYTHON = next((path for path in probe.python_candidates(ROOT) if "matplotlib" in probe.python_modules(path)), "")

# Reads a script with its arguments, one JSON list a line, and answers each with the exit status. The script finds
# what python3 would have given it: its own folder first on the path, its arguments, its end as the end of a process.
SERVER = """
import json, os, runpy, sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.backends.backend_agg, matplotlib.backends.backend_svg, matplotlib.pyplot

def become(script, arguments, out, error):
    for descriptor, path, flags in ((0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY), (2, error, os.O_WRONLY)):
        os.dup2(os.open(path, flags), descriptor)
    sys.argv = [script, *arguments]
    sys.path[0] = os.path.dirname(script)
    runpy.run_path(script, run_name="__main__")

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        become(*json.loads(line))
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@functools.cache
def _server() -> subprocess.Popen:
    folder = tempfile.TemporaryDirectory(prefix="warpbook-test-")
    server = subprocess.Popen([PYTHON, "-B", "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env={"MPLCONFIGDIR": folder.name, "PATH": "/usr/bin:/bin"})

    def stop() -> None:
        server.communicate()  # closes its standard input, which ends it
        folder.cleanup()
        _server.cache_clear()

    unittest.addModuleCleanup(stop)
    return server


@unittest.skipUnless(PYTHON, "no interpreter here has matplotlib")
class Drawing(Scratch):
    """A test of `script`, which reads the table m.csv of the test's folder and draws out/p-NAME.png and .svg."""

    script = ""

    def run_script(self, script: str, *arguments: str) -> subprocess.CompletedProcess:
        streams = [self.write(name) for name in ("stdout.txt", "stderr.txt")]
        command = [str(ROOT / "plots" / script), list(arguments), *map(str, streams)]
        server = _server()
        server.stdin.write(json.dumps(command) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        return subprocess.CompletedProcess(command, status, *(path.read_text() for path in streams))

    def draw(self, text: str) -> subprocess.CompletedProcess:
        return self.run_script(self.script, str(self.write("m.csv", text)), "-o", str(self.folder / "out/p.png"))

    def pictures(self, suffix: str = "") -> list[str]:
        return sorted(path.name for path in (self.folder / "out").glob(f"*{suffix}"))

    def text(self, name: str) -> str:
        """Every text in a picture; matplotlib leaves each in a comment of the SVG."""
        svg = pathlib.Path(self.folder, f"out/p-{name}.svg").read_text()
        return "\n".join(re.findall(r"<!-- (.*?) -->", svg))

    def need(self, name: str, *texts: str) -> None:
        found = self.text(name)
        for text in texts:
            self.assertIn(text, found)
