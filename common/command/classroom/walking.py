"""Everything that lies in what was given: files that may be hand-ins, and whatever else is seen, with a sentence for each."""
from __future__ import annotations

import dataclasses
import datetime
import functools
import os
import pathlib
import re
from typing import Iterable, Sequence

from .. import regions
from ..give_out import MARKER
from ..problem import Problem
from ..workbook import Lab
from . import commits, naming, trees
from .harmless import shown
from .mapping import Mapping
from .model import Seen
from .texts import some
from .trees import Node, Unreadable
from .who import Who, shown_path, submitters

#: Folders and files that systems and editors leave behind; of no interest, and often many.
_BORING_FOLDERS = {".git", "__macosx", ".svn", ".hg", ".idea", ".vscode", "node_modules", "__pycache__"}
_BORING_FILES = re.compile(r"(\._.*|\.ds_store|thumbs\.db|desktop\.ini|.*\.crdownload|~\$.*)", re.I | re.S)
OWN_FOLDER = ".warpbook-lock"  # what every folder has that ./warpbook grade writes to
_MOST_LISTED = 30  # files of one folder that are left aside for one reason, each with a line of its own


@dataclasses.dataclass
class Repository:
    """A clone that lies in no other; `archive` is the innermost archive around it."""

    path: tuple[str, ...]
    archive: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        return naming.repository_name(naming.strip_archive(self.path[-1])) if self.path else ""


@dataclasses.dataclass(frozen=True)
class Around:
    """What a folder lies in. The outermost of these says whose it is: what lies inside is the student's own work."""

    repository: Repository | None = None
    submission: naming.Submission | None = None  # Gradescope's
    submission_at: int = 0  # the component that names it
    archive: tuple[str, ...] = ()
    budget: trees.Budget | None = None  # of the archive; None: the folder lies on disk
    named: bool = False  # a folder or archive around has a person's name


@dataclasses.dataclass(frozen=True)
class Trace:
    """Something that is no hand-in, and tells that a person is there: of a folder the path ends in "". `lab` is the one that it is about."""

    path: tuple[str, ...]
    why: str
    lab: int | None = None


@dataclasses.dataclass
class Leaf:
    """A file that may be a hand-in."""

    path: tuple[str, ...]
    node: Node
    kept: pathlib.Path | None = None  # its bytes, if it lay in an archive
    fault: Unreadable | None = None
    around: Around = Around()
    lab: int | None = None
    elsewhere: bool = False  # in a clone of the workbook, and not where the workbook has the lab's file
    by_content: int = 0  # how many of the lab's functions it defines, where that decided

    def read(self) -> bytes:
        """Raises Unreadable."""
        if self.fault:
            raise self.fault
        return self.kept.read_bytes() if self.kept else self.node.read()

    def probe(self) -> None:
        """Finds out whether it can be read."""
        try:
            self.read()
        except Unreadable as why:
            self.fault = why

    @property
    def shown(self) -> str:
        return shown_path(self.path)


class Walk:
    """Goes through what was given."""

    def __init__(self, source: pathlib.Path, scratch: pathlib.Path, taken: pathlib.Path, labs: list[Lab], mapping: Mapping,
                 zone: datetime.tzinfo | None = None):
        """`scratch` is where the class's copies go, `taken` a folder for files of archives; `zone` is that of times in zips."""
        self.zone = zone
        self.source, self.scratch, self.taken, self.labs, self.mapping = source, scratch, taken, labs, mapping
        self.names = naming.LabNames([(lab.number, lab.topic, lab.facts.kernel) for lab in labs])
        self.starters = [_starter(lab) for lab in labs]
        self.leaves: list[Leaf] = []
        self.repositories: list[Repository] = []
        self.archives: set[tuple[str, ...]] = set()
        self.people: list[tuple[tuple[str, ...], int, Who]] = []  # whom a system names, also without a hand-in: by which component
        self.not_read: dict[tuple[str, ...], Iterable[str]] = {}  # folders of a person by their name, with the submissions that Gradescope names in them
        self.traces: list[Trace] = []
        self._seen: list[tuple[tuple[str, ...], Seen]] = []

    def others(self) -> list[Seen]:
        """What was seen and is no hand-in. Of many files alike in one folder of the class there is one entry, with their number."""
        shared = len(os.path.commonprefix([path[:-1] for path, _ in self._seen] + [leaf.path[:-1] for leaf in self.leaves]))
        alike: dict[tuple, list[Seen]] = {}
        for path, seen in self._seen:
            alike.setdefault((path[:shared + 1], seen.kind, seen.why) if len(path) > shared + 1 else path, []).append(seen)
        found = []
        for key, several in alike.items():
            if len(several) > _MOST_LISTED and isinstance(key[0], tuple):
                found.append(Seen(shown_path((*key[0], "")), key[1], key[2], sum(seen.count for seen in several)))
            else:
                found += several
        return sorted(found, key=lambda seen: (seen.kind, seen.shown))

    def see(self, path: tuple[str, ...], kind: str, why: str, count: int = 1, lab: int | None = None, trace: bool = True) -> None:
        self._seen.append((path, Seen(shown_path(path), kind, why, count)))
        if trace and (kind != "given" or lab is not None or not count):
            self.traces.append(Trace(path, why, lab))

    def names_person(self, component: str) -> bool:
        """Whether the name of a folder or archive may be a person's: it is neither a lab's, nor one that systems give to exports."""
        return not (naming.is_export(component) or naming.is_no_name(self.names.read(naming.stem(component)).rest))

    def run(self) -> None:
        """Fills the lists. Raises a Problem if the whole cannot be read."""
        try:
            os.lstat(self.source)
        except OSError as error:
            raise Problem(f"There is no folder or archive {self.source}." if isinstance(error, FileNotFoundError)
                          else f"{self.source} cannot be read: {error.strerror}.",
                          ["grade takes the folder, the zip or the tar that holds the class's hand-ins."]) from None
        node = trees.on_disk(self.source.resolve())
        if node.is_folder:
            try:
                node.entries()
            except Unreadable as why:
                raise Problem(f"{self.source} {why.why}.") from None
            self.walk(node, (), Around())
            return
        if node.fault:
            raise Problem(f"{self.source} {node.fault.why}.")
        if naming.is_source(node.name):
            raise Problem(f"{self.source} is one file.", ["grade takes the folder, the zip or the tar that holds the class's hand-ins;"
                                                          f" one file is graded by ./warpbook check LAB {self.source}"])
        try:
            budget = trees.Budget(trees.MOST_GIVEN_MEMBERS, trees.MOST_GIVEN_UNPACKED, given=True, zone=self.zone)
            with trees.unpacked(node, budget, self.taken) as (tree, partly):
                self.walk(tree, (), Around(budget=budget))
                if partly:
                    self.see((node.name,), "fault", f"The archive {partly.why}. The files after that are missing.")
        except Unreadable as why:
            raise Problem(f"{self.source} {why.why}.", ["A folder, a .zip, or a .tar, also as .tar.gz, .tar.bz2 or .tar.xz, "
                                                        "can be graded."]) from None

    def walk(self, folder: Node, path: tuple[str, ...], around: Around) -> None:
        """Lists what a folder holds."""
        try:
            entries = folder.entries()
        except Unreadable as why:
            self.see(path, "fault", f"The folder {why.why}.")
            return
        if not entries and path and path not in self.archives:
            self.see((*path, ""), "given", "The folder is empty.", 0)
        if len(path) > trees.MOST_FOLDERS:
            self.see(path, "fault", f"The folder is nested in more than {trees.MOST_FOLDERS} others and was not read.",
                     trees.count(folder))
            return
        if around.budget is None and path and self.is_own(path, entries):
            self.see((*path, ""), "given", "What ./warpbook grade wrote.", trees.count(folder))
            return
        is_workbook = self.is_workbook(entries)
        if around.repository is None and (is_workbook or any(entry.name == ".git" for entry in entries)):
            around = dataclasses.replace(around, repository=Repository(path, around.archive))
            self.repositories.append(around.repository)
        if is_workbook:
            self.walk_workbook(folder, path, around)
            return
        if path and not around.named and self.names_person(path[-1]):
            around = dataclasses.replace(around, named=True)
        is_of_system = around.submission or around.repository or self.mapping.owner_in(path)[0]
        submissions = {} if around.named or is_of_system else self.gradescope(entries, path)
        if around.named and not is_of_system:
            _, found = self.listed_by_gradescope(entries, path)
            if len(found) > 1:
                self.not_read[path] = found.keys()
        boring = [entry for entry in entries if not entry.is_folder and _BORING_FILES.fullmatch(entry.name)]
        if boring:
            self.see((*path, boring[0].name) if len(boring) == 1 else (*path, ""), "given",
                     "Left behind by an operating system or an editor.", len(boring))
        for entry in entries:
            below = (*path, entry.name)
            if entry.is_folder and entry.name.casefold() in _BORING_FOLDERS:
                if count := trees.count(entry):
                    self.see((*below, ""), "given", "Left behind by git, an operating system or an editor.", count)
            elif entry.is_folder:
                own = submissions.get(naming.without_copy(entry.name)[0])
                self.walk(entry, below, dataclasses.replace(around, submission=own, submission_at=len(path)) if own else around)
            elif entry in boring or (submissions and entry.name == trees.GRADESCOPE):
                continue
            elif entry.is_archive:
                self.walk_archive(entry, below, around)
            else:
                self.found(Leaf(below, entry, None, entry.fault, around))

    def is_own(self, path: tuple[str, ...], entries: list[Node]) -> bool:
        """Whether a folder on disk is the output of a grading run: its copies are no hand-ins."""
        if any(entry.name == OWN_FOLDER for entry in entries):
            return True
        try:
            return os.path.samefile(self.source.joinpath(*path), self.scratch)
        except (OSError, ValueError):
            return False

    def walk_archive(self, node: Node, path: tuple[str, ...], around: Around) -> None:
        budget = trees.Budget(zone=self.zone) if around.budget is None or around.budget.given else around.budget
        before = len(self.leaves), len(self._seen)
        self.archives.add(path)
        try:
            with trees.unpacked(node, budget, self.taken) as (tree, partly):
                self.walk(tree, path, dataclasses.replace(around, budget=budget, archive=path))
                if partly:
                    self.see(path, "fault", f"The archive {partly.why}. The files after that are missing.")
        except Unreadable as why:
            self.see(path, "fault", f"The archive {why.why}.")
        if before == (len(self.leaves), len(self._seen)):
            self.see(path, "unknown", "The archive holds no file.")

    def found(self, leaf: Leaf) -> None:
        """Keeps a file that may be a hand-in; its bytes are read now if they lie in an archive."""
        name = leaf.path[-1]
        if leaf.fault and leaf.fault.id == trees.LOST:
            self.see(leaf.path, "fault", f"It {leaf.fault.why}.")
            return
        mapped = self.mapping.row(leaf.path)
        if not (mapped or naming.is_source(name) or naming.may_be_source(name)):
            if leaf.fault:
                self.see(leaf.path, "fault", f"It {leaf.fault.why}.")
            elif leaf.node.is_other_archive:
                self.see(leaf.path, "fault", "Archives of this kind are not opened: unpack it, or pack it as a zip or a tar.")
            else:
                self.see(leaf.path, "aside", "It is not a .cu file.")
            return
        in_archive = leaf.around.budget is not None
        if in_archive and leaf.fault is None:
            try:
                data = leaf.node.read()
                leaf.kept = self.taken / f"{len(self.leaves)}"
                leaf.kept.write_bytes(data)
            except Unreadable as why:
                leaf.fault = why
        if in_archive:
            leaf.node.opened = None
        self.leaves.append(leaf)

    def is_workbook(self, entries: list[Node]) -> bool:
        """Whether a folder is a copy of the workbook, or what is left of one."""
        labs = next((entry for entry in entries if entry.name == "labs" and entry.is_folder), None)
        if labs is None or not {entry.name for entry in entries} & {"warpbook", "common", "CMakeLists.txt", ".git"}:
            return False
        try:
            return any(entry.is_folder and entry.name in {lab.name for lab in self.labs} for entry in labs.entries())
        except Unreadable:
            return False

    def walk_workbook(self, root: Node, path: tuple[str, ...], around: Around) -> None:
        """A copy of the whole workbook: the files that students edit are hand-ins, where they differ from the starter, and further
        files may be. What lies where the workbook has its own files, solutions among them, is not the student's."""
        workbook = self.labs[0].folder.parent.parent if self.labs else pathlib.Path("/")
        given = 0
        kernels = {("labs", lab.name, f"{lab.facts.kernel}.cu"): index for index, lab in enumerate(self.labs)}
        waiting: list[tuple[Node, tuple[str, ...]]] = [(root, ())]
        while waiting:
            folder, place = waiting.pop()
            try:
                entries = folder.entries()
            except Unreadable as why:
                self.see((*path, *place), "fault", f"The folder {why.why}.")
                continue
            for entry in entries:
                here = (*place, entry.name)
                if entry.is_folder and (entry.name.casefold() in _BORING_FOLDERS or len(here) > trees.MOST_FOLDERS
                                        or here[0] == "build"):
                    if count := trees.count(entry):
                        self.see((*path, *here, ""), "given", "Left behind by git, a build or an editor.", count)
                elif entry.is_folder:
                    waiting.append((entry, here))
                elif here in kernels:
                    leaf = Leaf((*path, *here), entry, None, entry.fault, around, lab=kernels[here])
                    if self.is_starter(leaf, entries):
                        self.see(leaf.path, "given", f"It is the starter, unchanged.{self.on_branches(leaf)}", lab=leaf.lab)
                    else:
                        self.found(leaf)
                elif _BORING_FILES.fullmatch(entry.name) or here == (MARKER,) or _is_of(workbook, here, os.path.isfile):
                    given += 1
                elif here[0] != "labs" and len(here) > 1 and _is_of(workbook, here[:1], os.path.isdir):
                    self.see((*path, *here), "unknown" if naming.is_source(entry.name) else "aside", "The workbook has no such file.", trace=False)
                else:
                    self.found(Leaf((*path, *here), entry, None, entry.fault, around, elsewhere=True))
            if folder is not root and (folder.folder or around.budget):
                folder.children = None if folder.folder else []  # a whole class of clones is not kept in memory
        if given:
            self.see((*path, ""), "given", "Files of the workbook itself.", given)

    def on_branches(self, leaf: Leaf) -> str:
        """Words on other branches of the clone that have changed a file."""
        repository = leaf.around.repository
        if repository is None or leaf.around.budget is not None:
            return ""
        found = commits.branches_with(self.source.joinpath(*repository.path), "/".join(leaf.path[len(repository.path):]))
        return f" Another branch has changed it: {shown(some(found))}. What is checked out counts." if found else ""

    def is_starter(self, leaf: Leaf, beside: Sequence[Node] = ()) -> bool:
        """Whether a file is as it was given out, by the starter here or by the one that was given out with it."""
        assert leaf.lab is not None
        try:
            text = _plain(leaf.read())
        except Unreadable:
            return False
        if text == self.starters[leaf.lab]:
            return True
        kept = next((entry for entry in beside if entry.name == f"{leaf.path[-1]}.starter"), None)
        try:
            return kept is not None and _plain(kept.read()) == text
        except Unreadable:
            return False

    def is_idle(self, leaf: Leaf) -> bool:
        """Whether there is no work in a file: it is empty, or each of its TODOs is as the starter has it."""
        assert leaf.lab is not None
        lab = self.labs[leaf.lab]
        try:
            text, *starters = (data.decode("utf-8", "replace") for data in (leaf.read(), *(path.read_bytes() for path in lab.kept_starters)))
        except (Unreadable, OSError):
            return False
        numbers = {region.number for starter in starters for region in regions.well_formed(starter)}
        return not text.strip("\ufeff \t\r\n") or (bool(numbers) and set().union(*(regions.untouched(text, starter) for starter in starters)) == numbers)

    def listed_by_gradescope(self, entries: list[Node], path: tuple[str, ...]) -> tuple[Node | None, dict[str, naming.Submission]]:
        """Gradescope's file, and the submissions that it names, if most of their folders lie beside it."""
        file = next((entry for entry in entries if entry.name == trees.GRADESCOPE and not entry.is_folder), None)
        if file is None:
            return None, {}
        try:
            found = naming.gradescope_people(file.read(trees.MOST_METADATA).decode("utf-8", "replace"))
        except Unreadable as why:
            self.see((*path, file.name), "fault", f"Gradescope's list of names {why.why}; the folders beside it have no names.")
            return file, {}
        folders = {entry.name for entry in entries if entry.is_folder}
        return file, found if 2 * len(folders & found.keys()) > len(found) else {}

    def gradescope(self, entries: list[Node], path: tuple[str, ...]) -> dict[str, naming.Submission]:
        """The submissions that Gradescope's file names in a folder that is no one's own."""
        file, found = self.listed_by_gradescope(entries, path)
        if not file or not found:
            return {}
        self.see((*path, file.name), "given", f"Gradescope's list of names, {len(found)} of them.")
        for folder, submission in found.items():
            self.people += [((*path, folder), len(path), who) for who in submitters(submission, (*path, folder))]
        return found


def _starter(lab: Lab) -> bytes | None:
    for path in (lab.kept_starter, lab.starter):
        try:
            return _plain(path.read_bytes())
        except OSError:
            continue
    return None


def _plain(data: bytes) -> bytes:
    """A text without what an editor or git changes by itself: line ends, and blanks at the end."""
    return data.replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf").rstrip()


@functools.lru_cache(1 << 14)
def _is_of(workbook: pathlib.Path, place: tuple[str, ...], kind) -> bool:
    try:
        return kind(os.path.join(workbook, *place))
    except (OSError, ValueError):
        return False
