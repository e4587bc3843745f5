"""Where things are: the labs, their files, and the build folders."""
from __future__ import annotations

import dataclasses
import difflib
import functools
import pathlib

from . import build_folder, lab_facts, language
from .language import _
from .problem import Problem


@dataclasses.dataclass(frozen=True)
class Lab:
    """One folder of labs/, such as 01-coalescing."""

    folder: pathlib.Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def number(self) -> str:
        return self.name[:2]

    @property
    def topic(self) -> str:
        return self.name[3:]

    def is_called(self, text: str) -> bool:
        """1, 01, coalescing and 01-coalescing are the same lab."""
        return text in (self.name, self.topic) or (text.isascii() and text.isdigit() and text.lstrip("0").zfill(2) == self.number)

    @functools.cached_property
    def facts(self) -> lab_facts.Facts:
        try:
            return lab_facts.read(self.folder)
        except lab_facts.Broken as broken:
            raise Problem(str(broken)) from broken

    @property
    def starter(self) -> pathlib.Path:
        """The file that the student edits."""
        return self.folder / f"{self.facts.kernel}.cu"

    @property
    def kept_starter(self) -> pathlib.Path:
        """The same file as it was given out, for ./warpbook reset."""
        return self.folder / f"{self.facts.kernel}.cu.starter"

    @property
    def kept_starters(self) -> list[pathlib.Path]:
        """The same file as it may have been given out: with comments in one language or another."""
        wanted = [self.kept_starter.with_name(language.translated_name(self.kept_starter.name, each)) for each in language.ALL.values()]
        return [path for path in wanted if path.is_file()]


#: CMake, Ninja, the C++ preprocessor or a shell between them cannot pass these on within a path.
_UNUSABLE = ';[]$"\\#<>|'


def unusable_character(path: str | pathlib.Path) -> str:
    """What keeps files below `path` from being built, as a reader names it; "" if nothing does."""
    text = str(path)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "a byte that is not UTF-8"
    found = next((character for character in text if character in _UNUSABLE or not character.isprintable()), "")
    if not found:
        return ""
    return f"a {found}" if found.isprintable() else "a newline" if found == "\n" else "a control character"


class Workbook:
    """The tree that ./warpbook stands in."""

    def __init__(self, root: str | pathlib.Path):
        self.root = pathlib.Path(root).resolve()
        self.build_root = pathlib.Path(build_folder.of(self.root))

    def require_usable_folders(self) -> None:
        """Raises a Problem of one sentence if nothing can be built here, or not in the build folder."""
        for folder, remedy in ((self.root, "move or rename the folder"), (self.build_root, "name another build folder")):
            character = unusable_character(folder)
            if character:
                shown = str(folder) if str(folder).isprintable() else repr(str(folder))
                raise Problem(f"The path {shown} holds {character}, which CMake and Ninja cannot pass on: {remedy}.")
        if self.build_root.exists() and not self.build_root.is_dir():
            raise Problem(f"{self.build_root} is a file, and the build folder has to be a folder.")
        if self.build_root.resolve() == self.root:
            raise Problem(f"The build folder cannot be {self.root} itself: what is built would mix with the workbook's files.")

    def labs(self) -> list[Lab]:
        folder = self.root / "labs"
        if not folder.is_dir():
            raise Problem(f"{folder} is missing: run warpbook from a complete copy of the repository.")
        return [Lab(path) for path in lab_facts.folders(folder)]

    def lab(self, wanted: str) -> Lab:
        """The lab called `wanted`."""
        labs = self.labs()
        text = wanted.strip().rstrip("/").rsplit("/", 1)[-1].lower()
        for lab in labs:
            if lab.is_called(text):
                return lab
        names = [name for lab in labs for name in (lab.name, lab.topic)]
        near = difflib.get_close_matches(text, names, n=1, cutoff=0.5)
        guess = _(" Did you mean {name}?", name=near[0]) if near else ""
        raise Problem(_("There is no lab '{name}'.", name=wanted) + guess, [_("The labs are: {names}", names=", ".join(lab.name for lab in labs))])

    def solution(self, lab: Lab) -> pathlib.Path:
        return self.root / "solutions" / lab.name / lab.starter.name

    def shown(self, path: str | pathlib.Path) -> str:
        """`path` as a reader wants it: relative to the workbook where it lies inside."""
        try:
            return str(pathlib.Path(path).relative_to(self.root))
        except ValueError:
            return str(path)
