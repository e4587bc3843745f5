"""Warpbook in a notebook of Jupyter, Colab or VS Code: `%load_ext command.notebook`, with common/ on the path of modules.

  %warpbook check 01 --todo 1    runs ./warpbook, and shows the page that a verb such as see has made below the cell
  %todo 01 1                     puts the text of TODO(1), as your file has it, into a cell that begins with %%todo
  %%todo 01 1 [FILE]             puts the cell into TODO(1) of your file, or of a copy of your file that is written to FILE

The command runs as a process of its own, as in a terminal: the Python of a notebook need not have what the command needs. Imports
IPython where a notebook has loaded it, and nothing else that is not in the standard library.
"""
from __future__ import annotations

import html
import os
import pathlib
import shlex
import textwrap
import time

from . import files, progress, regions, reset
from .problem import SETUP, Problem
from .workbook import Lab, Workbook

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE_HEIGHT = 780  # pixels
#: What a notebook's kernel sets for programs that it starts, and what would end in a cell as escape codes or as an error.
UNWANTED = ("FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "MPLBACKEND")
USAGE = "Usage: %%todo LAB N, or %%todo LAB N FILE to leave your own file alone. The cell below it is the text of TODO(N)."


# ---- the command ------------------------------------------------------------------------------------------


def environment() -> dict[str, str]:
    """What ./warpbook gets: it writes into a cell, which is no terminal."""
    return {**{name: value for name, value in os.environ.items() if name not in UNWANTED}, "TERM": "dumb"}


def run(words: list[str], show=None) -> int:
    """Runs ./warpbook with `words`, and gives each line of its output to `show` as it comes. Returns its status. What interrupts
    the cell ends the command, with all that it has started."""
    return progress.run(["sh", str(ROOT / "warpbook"), *words], env=environment(), on_line=show or print).status


def pages_since(folder: pathlib.Path, begin: int) -> list[pathlib.Path]:
    """The pages in `folder` that were written after `begin`, in nanoseconds of the clock that files have."""
    return sorted(page for page in folder.glob("*.html") if page.stat().st_mtime_ns >= begin)


def frame(page: str, title: str) -> str:
    """A page, which brings all that it needs, as a frame in a cell's output. It can neither reach the notebook nor be reached by it."""
    content = page.replace("&", "&amp;").replace("'", "&#39;")  # all that has to be escaped between these quotes
    return (f"<div><iframe title='{html.escape(title)}' sandbox='allow-scripts' style='width: 100%; height: {PAGE_HEIGHT}px; border: 1px solid #888' "
            f"srcdoc='{content}'></iframe></div>")


# ---- a TODO's text ----------------------------------------------------------------------------------------


class Todos:
    """Brings texts of TODOs from cells to files. Whatever a cell replaces, and did not come from a cell, is kept as a copy."""

    def __init__(self, workbook: Workbook):
        self.workbook = workbook
        self.written: dict[pathlib.Path, bytes] = {}  # what this notebook has written last

    def asked(self, line: str) -> tuple[Lab, int, pathlib.Path | None]:
        """The lab, the number and the file, if one is named, of `%%todo LAB N [FILE]`."""
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise Problem(f"%%todo {line}: {error}.", [USAGE]) from None
        if len(words) not in (2, 3):
            raise Problem("%%todo needs a lab and the number of a TODO.", [USAGE])
        number = words[1].removeprefix("TODO(").removesuffix(")")
        if not (number.isascii() and number.isdigit()):
            raise Problem(f"'{words[1]}' is not the number of a TODO.", [USAGE])
        return self.workbook.lab(words[0]), int(number), pathlib.Path(words[2]) if len(words) == 3 else None

    def of_file(self, lab: Lab) -> str:
        """The student's file. What is no UTF-8 stays as it is."""
        try:
            return lab.starter.read_bytes().decode("utf-8", errors="surrogateescape")
        except FileNotFoundError:
            raise Problem(f"{self.workbook.shown(lab.starter)} is missing.", [f"Take the starter back: %warpbook reset {lab.number}"]) from None

    def region(self, lab: Lab, number: int, text: str) -> regions.Region:
        """TODO(`number`) of the student's file."""
        try:
            found = regions.regions(text)
        except regions.Malformed as broken:
            raise Problem(f"The TODOs of {self.workbook.shown(lab.starter)} cannot be read: {broken}.",
                          [f"Correct the markers, or take the starter back: %warpbook reset {lab.number}"]) from None
        region = next((each for each in found if each.number == number), None)
        if region is None:
            raise Problem(f"{self.workbook.shown(lab.starter)} has no TODO({number}).",
                          ["Its TODOs have the numbers " + ", ".join(str(each.number) for each in found) + "."])
        return region

    def text(self, lab: Lab, number: int) -> str:
        """The text of a TODO in the student's file, without what all its lines are indented by."""
        own = self.of_file(lab)
        region = self.region(lab, number, own)
        return textwrap.dedent("".join(line + "\n" for line in own.splitlines()[region.first:region.last]))

    def put(self, lab: Lab, number: int, cell: str, file: pathlib.Path | None = None) -> str:
        """Puts `cell` into TODO(`number`) of the student's file, or of a copy of it in `file`. Returns what has happened."""
        own = self.of_file(lab)
        wanted = self._with(own, self.region(lab, number, own), cell)
        target, shown = (file, str(file)) if file else (lab.starter, self.workbook.shown(lab.starter))
        place = f"TODO({number}) of {shown}"
        begun = not self._is_untouched(lab, number, own)
        if file is None and begun and self._is_untouched(lab, number, wanted):
            return (f"The cell is the starter's text, and {place} is written already: it stays as it is. "
                    f"%todo {lab.number} {number} puts it into a cell; %warpbook reset {lab.number} --todo {number} takes it back.")
        kept = self._write(target, wanted, begun or file is not None)
        region = self.region(lab, number, wanted)
        lines = f", lines {region.first + 1} to {region.last}" if region.last > region.first + 1 else f", line {region.first + 1}" if region.last > region.first else ""
        said = f"{place}{lines}: the text of this cell."
        return f"{said}\nWhat was there: {self.workbook.shown(kept)}" if kept else said

    @staticmethod
    def _is_untouched(lab: Lab, number: int, text: str) -> bool:
        """Whether a TODO is as the starter has it. Without the starter's text that is not known of any."""
        try:
            readable = text.encode("utf-8", errors="replace").decode("utf-8")
            return number in regions.untouched(readable, lab.kept_starter.read_text(encoding="utf-8"))
        except OSError:
            return False

    def _with(self, own: str, region: regions.Region, cell: str) -> str:
        """`own` with `cell` in `region`, indented as its marker is. A cell may bring the marker lines along."""
        lines = own.splitlines()
        if not any(regions.BEGIN.match(line) or regions.END.match(line) for line in cell.splitlines()):
            marker = lines[region.first - 1]
            margin = marker[:len(marker) - len(marker.lstrip())]
            body = textwrap.indent(textwrap.dedent(cell).strip("\n"), margin)
            cell = "\n".join([marker, *([body] if body else []), lines[region.last]])
        try:
            return regions.with_region(own, region.number, cell)
        except regions.Malformed as broken:
            raise Problem(f"The cell has lines that mark TODOs, and they are not those of TODO({region.number}): {broken}.",
                          ["Leave the lines // TODO(…) and // END TODO(…) out: they stay in the file."]) from None

    def _write(self, path: pathlib.Path, text: str, precious: bool) -> pathlib.Path | None:
        """Writes `text` to `path`. Returns the copy of what was there, if that was `precious` and came from elsewhere."""
        data = text.encode("utf-8", errors="surrogateescape")
        before = path.read_bytes() if path.is_file() else None
        key, kept = path.resolve(), None
        if before is not None and before != data and precious and before != self.written.get(key):
            kept = reset.backup_of(path)
            kept.write_bytes(before)
        if before != data:
            files.write(path, data)
        self.written[key] = data
        return kept


# ---- the extension ----------------------------------------------------------------------------------------


def load_ipython_extension(shell) -> None:
    """Gives a notebook %warpbook, %todo and %%todo."""
    from IPython.core.error import UsageError  # a sentence without a traceback, after which 'Run all' stops
    from IPython.display import display

    workbook = Workbook(ROOT)
    todos = Todos(workbook)

    def saying(action):
        try:
            return action()
        except Problem as problem:
            raise UsageError("\n".join([problem.sentence, *problem.details])) from None

    def warpbook(line: str) -> None:
        """./warpbook in a cell: %warpbook check 01"""
        begin = time.time_ns() - 20_000_000  # a file's time may be that of the last tick
        try:
            status = run(shlex.split(line))
        except ValueError as error:
            raise UsageError(f"%warpbook {line}: {error}.") from None
        if status >= SETUP and line.split()[:1] != ["sim"]:  # whose status is the program's own
            raise UsageError(f"./warpbook {line} could not do its work; what it says is above.")
        for page in pages_since(workbook.build_root / "see", begin):
            display({"text/html": frame(page.read_text(encoding="utf-8"), page.stem), "text/plain": f"The page {page}"}, raw=True)

    def todo(line: str, cell: str | None = None) -> None:
        """%todo 01 1 puts a TODO's text into a cell, and %%todo 01 1 a cell's text into the TODO."""
        lab, number, file = saying(lambda: todos.asked(line))
        if cell is None:
            shell.set_next_input(f"%%todo {lab.number} {number}\n" + saying(lambda: todos.text(lab, number)), replace=True)
        else:
            print(saying(lambda: todos.put(lab, number, cell, file)))

    shell.register_magic_function(warpbook, "line", "warpbook")
    shell.register_magic_function(todo, "line_cell", "todo")
