"""What the tests of the command share: fake tools on a fake PATH, and a small workbook."""
from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

#: What runs a program as a user who owns nothing here: root would be stopped by no permission.
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = not sys.pycache_prefix  # never beside sources
for name in ("WARPBOOK_BUILD", "WARPBOOK_CACHE"):
    os.environ.pop(name, None)  # a user's folders are none of the tests' business
os.environ["WARPBOOK_LANGUAGE"] = "en"    # nor is the language of a user's system
sys.path.insert(0, str(ROOT / "common"))

GXX = "g++ (Debian {0}-14+deb12u1) {0}"
CLANG = "Debian clang version {0}\nTarget: x86_64-pc-linux-gnu"


class Scratch(unittest.TestCase):
    """A test with a folder of its own, and a PATH that holds only what the test puts there."""

    def make_folder(self) -> pathlib.Path:
        folder = tempfile.TemporaryDirectory(prefix="warpbook-test-")
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def setUp(self) -> None:
        self.folder = self.make_folder()
        self.bin = self.folder / "bin"
        self.bin.mkdir()

    def use_fake_path(self, **environment: str) -> None:
        kept = {name: value for name, value in os.environ.items()
                if name not in ("CXX", "CMAKE_PREFIX_PATH", "CUDACXX", "CUDA_HOME", "CUDA_PATH", "WARPBOOK_BACKEND")}
        patch = mock.patch.dict(os.environ, {**kept, "PATH": str(self.bin), **environment}, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def tool(self, name: str, script: str) -> pathlib.Path:
        """An executable shell script on the fake PATH. It may use shell built-ins only."""
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + script + "\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def answering(self, name: str, text: str) -> pathlib.Path:
        cat = shutil.which("cat", path="/usr/bin:/bin")
        return self.tool(name, f"{cat} <<'END'\n{text}\nEND")

    def compiler(self, name: str, version_line: str, include: pathlib.Path, library: pathlib.Path) -> pathlib.Path:
        """A compiler that answers --version, -E -v and -print-search-dirs."""
        return self.tool(name, f'''case "$*" in
*--version*) printf '%s\\n' "{version_line}" ;;
*-print-search-dirs*) printf '%s\\n' "install: /x" "libraries: ={library}" ;;
*-v*) printf '%s\\n' "#include <...> search starts here:" " {include}" "End of search list." >&2 ;;
esac''')

    def write(self, path: str | pathlib.Path, text: str = "") -> pathlib.Path:
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def write_lab(self, name: str) -> pathlib.Path:
        """The folder of a lab with its facts, below labs/."""
        return self.write(f"labs/{name}/lab.json", facts(name[3:].replace("-", "_"))).parent


def facts(kernel: str) -> str:
    """The least that a lab.json says."""
    return json.dumps({"title": "a lab", "about": "what it is about", "kernel": kernel})


def result(item: str, status: str = "passed", **more) -> dict:
    """A result as a grader says it."""
    most = more.pop("max_points", 2)
    more["details"] = [{"kind": "note", "text": line} for line in more.get("details", [])]
    return {"lab": "01-coalescing", "submission": "starter", "kind": "starter", "backend": "sim", "item": item,
            "status": status, "points": most if status == "passed" else 0, "max_points": most, "diagnoses": [],
            "reason": "", "todo": None, "seed": 1, "seconds": 0.1, "counters": {}, **more}


def require_readers() -> None:
    """Skips the test where other users cannot read the workbook."""
    file = str(ROOT / "common/command/cli.py")
    if AS_NOBODY and subprocess.run([*AS_NOBODY, "test", "-r", file], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise unittest.SkipTest("the workbook lies where only root can read")


def pseudo_terminal() -> tuple[int, int]:
    """Skips the test where the machine has none."""
    try:
        return os.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"no pseudo terminals here (/dev/ptmx): {error.strerror}") from None


@contextlib.contextmanager
def captured():
    """stdout and stderr as two StringIO."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield out, err
