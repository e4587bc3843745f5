"""Every command line in a block of the README or of docs is run as it is written there, or needs what no test has:
documents_test.py SOURCE BUILD CMAKE [unittest arguments]

They run in a copy of the workbook, with the wheel that wheel_test.py makes of this build's programs, so that nothing is built.
"""
from __future__ import annotations

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from wheel_test import BUILD, FILE, LAB, SOURCE, environment, place

#: A command's first word, behind a prompt, if there is one.
COMMAND = re.compile(r"^(?:\$ )?((?:\w+=\S* )*(?:\./warpbook|warpbook|cmake|ctest|git|pip|python3|docker|nvcc|sudo|ninja|build/sim/bin/\S+)\s.*)", re.DOTALL)

BUILDS = "a build from source, as the one that this test is part of"
GPU, NETWORK, PERSON = "a GPU", "a network", "a person"
STUDENTS = "a folder that was given out and a later version; wheel_test.py and test_update.py have both"
CLASS = "a class's export, and what its system says of the class; test_rosters.py and test_class_of_200.py have both"
#: What is not run here, by its beginning, and what it needs.
NEEDS = {
    "./warpbook demo": BUILDS, "./warpbook test": BUILDS, "cmake --preset sim": BUILDS, "cmake --build": BUILDS, "ctest --preset": BUILDS,
    "build/sim/bin/grade-01 --submission me": BUILDS, "build/sim/bin/fuzz-translator": BUILDS,
    "cmake --preset cuda": GPU, "python3 common/bench/measure_ratios.py": GPU, "nvcc": GPU, "ctest --test-dir build/cuda": GPU,
    "python3 -m venv": NETWORK, "pip install": NETWORK, "docker run": NETWORK,
    "build/sim/bin/simtcc --fatbin -o vectorAdd_kernel64": NETWORK, "./warpbook sim vectorAddDrv.cpp": NETWORK,  # NVIDIA's samples
    "./warpbook update": STUDENTS,
    './warpbook grade "CUDA-Lab 1-4711.zip"': CLASS, "./warpbook grade cuda-labs-submissions": CLASS,
    "git clone": PERSON, "./warpbook watch": PERSON,  # who fills in the address, or presses a key
}
#: Lines that end with status 1, as points are missing.
GRADES = re.compile(r"(?:^|&& )(?:\./)?warpbook (?:check|see)\b")


def blocks(text: str) -> list[list[str]]:
    """The command lines of each block that has some."""
    found = []
    for block in re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE):
        lines = [line.strip() for line in block.replace("\\\n", " ").splitlines()]
        found.append([match[1] for line in lines if "──" not in line and (match := COMMAND.match(line))])
    return [commands for commands in found if commands]


@unittest.skipUnless(importlib.util.find_spec("venv"), "this Python cannot make virtual environments (Debian's package python3-venv)")
class Documents(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="warpbook-test-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()
        self.files = self.folder / "files"  # those that the lines are about
        self.files.mkdir()
        for name in ("first.cu", "program.cu"):
            (self.files / name).write_text("__global__ void kernel() {}\nint main() {\n  kernel<<<1, 1>>>();\n  return cudaDeviceSynchronize();\n}\n")
        with zipfile.ZipFile(self.files / "handins.zip", "w") as archive:
            archive.write(SOURCE / "solutions" / LAB / FILE, f"alice/{FILE}")

    def folders(self, name: str) -> tuple[pathlib.Path, pathlib.Path]:
        """A copy of the workbook beside this build, and an empty folder."""
        book = shutil.copytree(SOURCE, self.folder / name / "book", symlinks=True, ignore=shutil.ignore_patterns("build", ".git", "*.bak"))
        shutil.copy(book / "labs" / LAB / f"{FILE}.starter", book / "labs" / LAB / FILE)
        (book / "build").mkdir()
        (book / "build/sim").symlink_to(BUILD)
        (self.folder / name / "empty").mkdir()
        return book, self.folder / name / "empty"

    def run_block(self, lines: list[str], folder: pathlib.Path) -> None:
        """Each line begins where the one before it has ended."""
        script = "".join(f"cp -n {self.files}/* .\n{line}\necho \"status $?\"\n" for line in lines)
        done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment(), stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        *said, rest = re.split(r"^status (\d+)\n", done.stdout, flags=re.MULTILINE)
        self.assertEqual(rest, "")
        for line, output, status in zip(lines, said[::2], said[1::2], strict=True):
            with self.subTest(line=line):
                self.assertIn(int(status), (0, 1) if GRADES.search(line) else (0,), output)
                self.assertNotIn("Traceback", output)

    def test_every_line_can_be_run_or_needs_what_no_test_has(self):
        unused, count = set(NEEDS), 0
        for path in [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]:
            found = blocks(path.read_text(encoding="utf-8"))
            needs = {line: next((begin for begin in NEEDS if line.startswith(begin)), None) for block in found for line in block}
            unused -= set(needs.values())
            if None not in needs.values():
                continue
            book, empty = self.folders(path.stem)
            for block in found:
                lines = [line for line in block if needs[line] is None]
                count += len(lines)
                with self.subTest(path.name):
                    self.run_block(lines, empty if block[0].startswith(("warpbook", "python3 -m venv")) else book)
        self.assertEqual(unused, set(), "no document has these lines any more")
        self.assertGreater(count, 15)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
