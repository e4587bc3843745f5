"""docs/notebook.ipynb, executed: what its cells print and draw, with nothing written, with a right answer and with wrong ones.

  test_notebook.py SOURCE_DIR BUILD_DIR [unittest arguments]

The notebook lies in a copy of the workbook, whose TODOs its cells write. The programs are those of BUILD_DIR: they are used as
several people use one built tree (common/command/prebuilt.py), so that nothing but the reader's file is compiled.
"""
from __future__ import annotations

import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

SOURCE, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
NAME = "docs/notebook.ipynb"
FILE = "labs/01-coalescing/coalescing.cu"
_STARTER = (SOURCE / f"{FILE}.starter").read_text(encoding="utf-8").splitlines()
TODO = next(number for number, line in enumerate(_STARTER, 1) if "// TODO(1)" in line)
WRITTEN = f"lines {TODO + 1} to {TODO + 2}"
RIGHT = """\
const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
if (i < n) a[offset + i] += T{1};
"""
TOO_FAR = "a[offset + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] += T{1};\n"
BROKEN = "if (i < n) a[offset + i] += T{1}\n"
SECONDS = 120  # for a cell


def copied(source: pathlib.Path, target: pathlib.Path) -> None:
    """The files that the command reads and that a lab is compiled with, older than any program: what is built is up to date."""
    for name in ("warpbook", "CMakePresets.json", "common", "labs", "docs"):
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name, ignore=shutil.ignore_patterns("__pycache__", "*.bak", "tests", "images"))
        else:
            shutil.copy(source / name, target / name)
    for lab in sorted((target / "labs").glob("[0-9]*")):  # the labs may be solved here
        for kept in lab.glob("*.cu.starter"):
            shutil.copy(kept, kept.with_suffix(""))
    for path in target.rglob("*"):
        os.utime(path, (1, 1))


class Executed(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="warpbook-test-"))).resolve()
        self.book = self.folder / "book"
        self.book.mkdir()
        copied(SOURCE, self.book)
        (self.book / "build").mkdir()
        (self.book / "build/sim").symlink_to(BUILD)
        own = {name: str(self.folder / name) for name in ("HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR")}
        # A checkout of the same build, which one user has made, and the folder of another one.
        own.update(WARPBOOK_BUILD=str(self.folder / "own"), WARPBOOK_BACKEND="sim", PYTHONDONTWRITEBYTECODE="1")
        self.enterContext(mock.patch.dict(os.environ, own))

    def execute(self, folder: pathlib.Path | None = None, cells: tuple[str, ...] = (), **changed: str) -> dict[str, str]:
        """Runs the notebook, or those of its `cells` that are named, with other texts for cells whose names are in `changed`, in a kernel
        that starts in `folder`. Returns what each cell has printed, and the pages that it shows, by the cells' names."""
        document = nbformat.read(self.book / NAME, 4)
        nbformat.validate(document)
        unknown = set(changed) - {cell.id.replace("-", "_") for cell in document.cells}
        self.assertFalse(unknown)
        if cells:
            document.cells = [cell for cell in document.cells if cell.id in cells]
        for cell in document.cells:
            cell.source = changed.get(cell.id.replace("-", "_"), cell.source)
        client = NotebookClient(document, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": str(folder or self.book / "docs")}})
        try:
            client.execute()
        finally:
            self.said = {cell.id: "".join(output.text if output.output_type == "stream" else "".join(output.get("data", {}).get("text/html", ""))
                                          for output in cell.outputs) for cell in document.cells if cell.cell_type == "code"}
        return self.said

    def own_file(self) -> str:
        return (self.book / FILE).read_text(encoding="utf-8")

    def check_page(self, said: str, *words: str) -> None:
        """A cell shows one page, which is whole, loads nothing and says `words`."""
        [content] = re.findall(r"<iframe [^>]* srcdoc='([^']*)'></iframe>", said)
        page = html.unescape(content)
        self.assertTrue(page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>"))
        self.assertIn("content=\"default-src 'none';", page)
        self.assertNotRegex(page, r"(?i)<(?:script|link|img|iframe)[^>]+(?:src|href)=")
        for each in words:
            self.assertIn(each, page)

    def test_a_right_answer_a_wrong_one_beside_it_and_the_cells_again(self):
        said = self.execute(write="%%todo 01 1\n" + RIGHT)
        self.assertEqual(said["get"], f"Warpbook is in {self.book}\n")
        self.assertRegex(said["check-all"], rf"TODO\(1\) at\s+\S*labs/01-coalescing/coalescing\.cu:{TODO} is still\s+to\s+be\s+written\.")
        self.assertRegex(said["check-all"], r"\nPoints: 0/34\n")
        self.assertEqual(said["write"], f"TODO(1) of {FILE}, {WRITTEN}: the text of this cell.\n")
        self.assertIn("read, written: 4.00 sectors per request, the least", said["check-todo"])
        self.assertRegex(said["check-todo"], r"\nPoints: 8/8\n")
        self.assertIn("All items of offset_add_f32 pass.", said["see"])
        self.check_page(said["see"], "<title>offset_add_f32</title>", "if (i \\u003c n) a[offset + i] += T{1};")

        self.assertEqual(said["write-wrong"], f"TODO(1) of build/chunks.cu, {WRITTEN}: the text of this cell.\n")
        self.assertEqual(said["check-wrong"].count("2/2  passed"), 2)
        self.assertRegex(said["check-wrong"], r"8192\s+sectors were read where at most 2048 are needed\.")
        self.assertRegex(said["check-wrong"], rf"chunks\.cu:{TODO + 2} \| for \(std::size_t i = first; .*\n +\|   16\.00 sectors per request, 512 requests\n")
        self.assertRegex(said["check-wrong"], r"\nPoints: 4/8\n")
        self.assertRegex(said["see-wrong"], rf"! line +{TODO + 2}  global read +512 requests,  16\.00 sectors per request, least 4\.00\n")
        self.check_page(said["see-wrong"], "uncoalesced", "i \\u003c first + 4")

        solved = self.own_file()
        self.assertIn("  // TODO(1): add one to this thread's element\n  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;\n"
                      "  if (i < n) a[offset + i] += T{1};\n  // END TODO(1)\n", solved)
        said = self.execute(folder=self.book, cells=("get", "write", "check-todo"))  # the starter's text, in another kernel
        self.assertIn("is written already: it stays as it is.", said["write"])
        self.assertRegex(said["check-todo"], r"\nPoints: 8/8\n")
        self.assertEqual(self.own_file(), solved)
        self.assertEqual(list((self.book / FILE).parent.glob("*.bak")), [])

    def test_as_it_is_committed_nothing_is_solved_and_every_cell_runs(self):
        said = self.execute()
        self.assertRegex(said["check-todo"], r"\nPoints: 0/8\n")
        self.assertIn("No kernel has accessed memory yet, so that there is nothing to draw.", said["see"])
        self.assertNotIn("<iframe", said["see"])
        self.assertRegex(said["check-wrong"], r"\nPoints: 4/8\n")
        self.assertEqual(self.own_file(), (self.book / f"{FILE}.starter").read_text(encoding="utf-8"))

    def test_a_wrong_answer_in_the_own_cell_is_judged_with_its_line_and_drawn(self):
        said = self.execute(cells=("get", "write", "check-todo", "see"), write="%%todo 01 1\n" + TOO_FAR)
        self.assertRegex(said["check-todo"], r"belongs to no variable\s+or\s+buffer: it lies\s+just past the end of a")
        self.assertRegex(said["check-todo"], rf"coalescing\.cu:{TODO + 1} \| {re.escape(TOO_FAR)}")
        self.assertRegex(said["check-todo"], r"\nPoints: 0/8\n")
        self.check_page(said["see"], "out-of-bounds")

    def test_what_does_not_compile_is_a_sentence_and_nothing_is_drawn(self):
        said = self.execute(cells=("get", "write", "check-todo", "see"), write="%%todo 01 1\n" + BROKEN)
        for cell in ("check-todo", "see"):
            self.assertIn("coalescing.cu does not compile.", said[cell])
        self.assertNotIn("<iframe", said["see"])

    def test_elsewhere_it_is_cloned_once_the_address_is_there(self):
        if not shutil.which("git"):
            self.skipTest("there is no git")
        for words in (("init", "-q"), ("add", "warpbook", "common/command", "labs/01-coalescing"),
                      ("-c", "user.name=A", "-c", "user.email=a@x", "commit", "-q", "-m", "A workbook")):
            subprocess.run(["git", "-C", self.book, *words], check=True, capture_output=True)
        away = self.folder / "away"
        away.mkdir()
        with self.assertRaisesRegex(CellExecutionError, "REPOSITORY is empty: write the address of Warpbook's repository"):
            self.execute(folder=away, cells=("get",))
        source = next(cell.source for cell in nbformat.read(self.book / NAME, 4).cells if cell.id == "get")
        filled = source.replace('REPOSITORY = ""', f'REPOSITORY = "{self.book.as_uri()}"', 1)
        self.assertNotEqual(filled, source)
        with self.assertRaisesRegex(CellExecutionError, r"git cannot clone .*/nowhere: .*repository"):
            self.execute(folder=away, cells=("get",), get=filled.replace(self.book.as_uri(), (self.folder / "nowhere").as_uri(), 1))
        for _ in range(2):  # the second time it is there
            said = self.execute(folder=away, cells=("get",), get=filled + "\n%todo 01 1\n")
            self.assertIn(f"Warpbook is in {away / 'warpbook'}\n", said["get"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
