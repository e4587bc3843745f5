"""What was given, as a class: whose file is which hand-in, which version counts, and what was left aside, with a sentence for each.

`source` is a folder, a zip or a tar, in the form that a learning platform exports or that somebody made by hand (naming.py has
the rules). One bad name or file costs itself alone, and nothing that was seen goes unlisted.
"""
from __future__ import annotations

import collections
import csv
import dataclasses
import datetime
import functools
import hashlib
import io
import os
import pathlib
import re
import shutil
import unicodedata

from .. import lab_facts
from ..problem import Problem
from ..workbook import Lab
from . import harmless, naming, trees
from .model import Class, Fault, HandIn, Person, Seen
from .trees import Node, Unreadable

#: Folders and files that systems and editors leave behind; of no interest, and often many.
_BORING_FOLDERS = {".git", "__macosx", ".svn", ".hg", ".idea", ".vscode", "node_modules", "__pycache__"}
_BORING_FILES = re.compile(r"(\._.*|\.ds_store|thumbs\.db|desktop\.ini|.*\.crdownload|~\$.*)", re.I | re.S)
OWN_FOLDER = ".warpbook-lock"  # what every folder has that ./warpbook grade writes to
_MOST_LISTED = 30  # unknown files of one clone, each with a line of its own

MAPPING_COLUMNS = ("path", "name", "lab", "id", "email", "login", "github", "moodle_id", "canvas_id", "submitted")
_KEYS = ("email", "login", "github", "moodle_id", "canvas_id")


def take_in(source: pathlib.Path, labs: list[Lab], scratch: pathlib.Path, mapping: pathlib.Path | None = None,
            rules=None) -> Class:
    """The class that `source` holds. The hand-ins for `labs` are copied to `scratch`/<id>/KERNEL.cu.

    `mapping` is a CSV file that says whose file is which where names do not. `rules` (rules.Rules) gives the time zone of
    systems that do not say theirs, and how many attempts count. Raises a Problem if `source` or `mapping` cannot be read at all.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    taken = scratch / ".taken"
    shutil.rmtree(taken, ignore_errors=True)
    taken.mkdir()
    try:
        return _Intake(source, labs, scratch, taken, _Mapping(mapping), rules).run()
    finally:
        shutil.rmtree(taken, ignore_errors=True)


# ---- what is found --------------------------------------------------------------------------------------------------------

@dataclasses.dataclass
class _Repository:
    """A clone that lies in no other; `archive` is the innermost archive around it."""

    path: tuple[str, ...]
    archive: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        return naming.repository_name(naming.strip_archive(self.path[-1])) if self.path else ""


@dataclasses.dataclass(frozen=True)
class _Around:
    """What a folder lies in. The outermost of these says whose it is: what lies inside is the student's own work."""

    repository: _Repository | None = None
    submission: naming.Submission | None = None  # Gradescope's
    submission_at: int = 0  # the component that names it
    archive: tuple[str, ...] = ()
    budget: trees.Budget | None = None  # of the archive; None: the folder lies on disk


@dataclasses.dataclass
class _Leaf:
    """A file that may be a hand-in."""

    path: tuple[str, ...]
    node: Node
    kept: pathlib.Path | None = None  # its bytes, if it lay in an archive
    fault: Unreadable | None = None
    around: _Around = _Around()
    lab: int | None = None
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
        return _shown(self.path)


@dataclasses.dataclass
class _Who:
    """A person as one file shows it. `key` is what makes two files one person's."""

    key: tuple[str, ...]
    name: str
    base: str  # what the id is made from
    keys: dict[str, str] = dataclasses.field(default_factory=dict)
    id: str = ""  # of the mapping
    number: str = ""  # the system's, which is another one in each assignment
    place: tuple = ()  # the assignment: where its files lie, and the lab


@dataclasses.dataclass
class _Version:
    """One file of one person for one lab."""

    leaf: _Leaf
    who: _Who
    lab: int
    at: int  # the component that names the person; -1: the mapping file does
    system: tuple[float, ...] = ()
    system_word: str = ""
    number: int = 0
    submitted: datetime.datetime | None = None
    late: bool = False
    weak: bool = False  # not called .cu


def _shown(path: tuple[str, ...]) -> str:
    return harmless.shown("/".join(path)) or "./"


class _Intake:
    def __init__(self, source, labs, scratch, taken, mapping, rules):
        self.source, self.scratch, self.taken, self.mapping, self.rules = source, scratch, taken, mapping, rules
        self.wanted = {lab.name for lab in labs}
        self.labs = _all_labs(labs)
        mapping.check_labs(self.labs)
        self.names = naming.LabNames([(lab.number, lab.topic, lab.facts.kernel) for lab in self.labs])
        self.starters = [_starter(lab) for lab in self.labs]
        self.functions = [_functions(lab) for lab in self.labs]
        self.leaves: list[_Leaf] = []
        self.repositories: list[_Repository] = []
        self.others: list[Seen] = []
        self.notes: list[str] = []
        self.seen_people: list[_Who] = []  # whom a system names, also without a hand-in

    def run(self) -> Class:
        self.walk_source()
        versions = self.identified()
        people = _People(self.seen_people + [version.who for version in versions], self.mapping, self.notes)
        hand_ins = self.chosen(versions, people)
        self.notes += self.mapping.unused()
        hand_ins.sort(key=lambda hand_in: (hand_in.person.id, hand_in.lab.name, hand_in.version))
        self.others.sort(key=lambda seen: (seen.kind, seen.shown))
        return Class(self.source, sorted(people.all(), key=lambda person: person.id), hand_ins, self.others,
                     list(dict.fromkeys(self.notes)))

    def see(self, path: tuple[str, ...], kind: str, why: str, count: int = 1) -> None:
        self.others.append(Seen(_shown(path), kind, why, count))

    # ---- walking ----------------------------------------------------------------------------------------------------------

    def walk_source(self) -> None:
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
            self.walk(node, (), _Around())
            return
        if node.fault:
            raise Problem(f"{self.source} {node.fault.why}.")
        if naming.is_source(node.name):
            raise Problem(f"{self.source} is one file.", ["grade takes the folder, the zip or the tar that holds the class's hand-ins;"
                                                          f" one file is graded by ./warpbook check LAB {self.source}"])
        try:
            budget = trees.given_budget()
            with trees.unpacked(node, budget, self.taken) as (tree, partly):
                self.walk(tree, (), _Around(budget=budget))
                if partly:
                    self.see((node.name,), "fault", f"The archive {partly.why}. What lies behind that is missing here.")
        except Unreadable as why:
            raise Problem(f"{self.source} {why.why}.", ["A folder, a .zip, or a .tar, also as .tar.gz, .tar.bz2 or .tar.xz, "
                                                        "can be graded."]) from None

    def walk(self, folder: Node, path: tuple[str, ...], around: _Around) -> None:
        """Lists what a folder holds."""
        try:
            entries = folder.entries()
        except Unreadable as why:
            self.see(path, "fault", f"The folder {why.why}.")
            return
        if len(path) > trees.MOST_FOLDERS:
            self.see(path, "fault", f"The folder lies in more than {trees.MOST_FOLDERS} others; it was not looked into.",
                     trees.count(folder))
            return
        if around.budget is None and path and self.is_own(path, entries):
            self.see((*path, ""), "given", "What ./warpbook grade wrote.", trees.count(folder))
            return
        is_workbook = self.is_workbook(entries)
        if around.repository is None and (is_workbook or any(entry.name == ".git" for entry in entries)):
            around = dataclasses.replace(around, repository=_Repository(path, around.archive))
            self.repositories.append(around.repository)
        if is_workbook:
            self.walk_workbook(folder, path, around)
            return
        is_own_work = around.submission or around.repository or _owner(path)[0]
        submissions = {} if is_own_work else self.gradescope(entries, path)
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
                own = submissions.get(entry.name)
                self.walk(entry, below, dataclasses.replace(around, submission=own, submission_at=len(path)) if own else around)
            elif entry in boring or (submissions and entry.name == trees.GRADESCOPE):
                continue
            elif entry.is_archive:
                self.walk_archive(entry, below, around)
            else:
                self.found(_Leaf(below, entry, None, entry.fault, around))

    def is_own(self, path: tuple[str, ...], entries: list[Node]) -> bool:
        """Whether a folder on disk is the output of a grading run: its copies are no hand-ins."""
        if any(entry.name == OWN_FOLDER for entry in entries):
            return True
        try:
            return os.path.samefile(self.source.joinpath(*path), self.scratch)
        except (OSError, ValueError):
            return False

    def walk_archive(self, node: Node, path: tuple[str, ...], around: _Around) -> None:
        budget = trees.Budget() if around.budget is None or around.budget.given else around.budget
        before = len(self.leaves), len(self.others)
        try:
            with trees.unpacked(node, budget, self.taken) as (tree, partly):
                self.walk(tree, path, dataclasses.replace(around, budget=budget, archive=path))
                if partly:
                    self.see(path, "fault", f"The archive {partly.why}. What lies behind that is missing here.")
        except Unreadable as why:
            self.see(path, "fault", f"The archive {why.why}.")
        if before == (len(self.leaves), len(self.others)):
            self.see(path, "unknown", "The archive holds no file.")
        self.owner_without_file(path, around.submission)

    def found(self, leaf: _Leaf) -> None:
        """Keeps a file that may be a hand-in; its bytes are read now if they lie in an archive."""
        name = leaf.path[-1]
        if leaf.fault and leaf.fault.id == trees.LOST:
            self.see(leaf.path, "fault", f"It {leaf.fault.why}.")
            return
        mapped = self.mapping.row(leaf.path)
        if not (mapped or naming.is_source(name) or naming.may_be_source(name)):
            self.owner_without_file(leaf.path, leaf.around.submission)
            if leaf.fault:
                self.see(leaf.path, "fault", f"It {leaf.fault.why}.")
            elif leaf.node.is_other_archive:
                self.see(leaf.path, "fault", "Archives of this kind are not opened: unpack it, or pack it as a zip or a tar.")
            else:
                self.see(leaf.path, "unknown", "It is no .cu file.")
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

    def walk_workbook(self, root: Node, path: tuple[str, ...], around: _Around) -> None:
        """A copy of the whole workbook: only the files that students edit are hand-ins, where they differ from the starter."""
        workbook = self.labs[0].folder.parent.parent if self.labs else pathlib.Path("/")
        given, unknown = 0, []
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
                    leaf = _Leaf((*path, *here), entry, None, entry.fault, around, lab=kernels[here])
                    if self.is_starter(leaf, entries):
                        self.see(leaf.path, "given", "It is the starter, unchanged.")
                    else:
                        self.found(leaf)
                elif _BORING_FILES.fullmatch(entry.name) or _is_file_of(workbook, here):
                    given += 1
                else:
                    unknown.append((here, entry))
            if folder is not root and (folder.folder or around.budget):
                folder.children = None if folder.folder else []  # a whole class of clones is not kept in memory
        if given:
            self.see((*path, ""), "given", "Files of the workbook itself.", given)
        self.see_unknown(path, unknown)

    def see_unknown(self, path: tuple[str, ...], unknown: list[tuple[tuple[str, ...], Node]]) -> None:
        """The files of a clone that the workbook does not have."""
        counts = collections.Counter(here[0] for here, _ in unknown)
        grouped = {first for first, count in counts.items() if count > _MOST_LISTED}
        for first in sorted(grouped):
            self.see((*path, first, ""), "unknown", "The workbook has no such files; in a copy of it only labs/NN-name/KERNEL.cu "
                     "is a hand-in.", counts[first])
        for here, node in unknown:
            if here[0] in grouped:
                continue
            why = (f"It {node.fault.why}." if node.fault else "In a copy of the workbook only labs/NN-name/KERNEL.cu is a hand-in, "
                   "and this is another file." if naming.is_source(here[-1]) else "The workbook has no such file.")
            self.see((*path, *here), "fault" if node.fault else "unknown", why)

    def is_starter(self, leaf: _Leaf, beside: list[Node]) -> bool:
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

    def gradescope(self, entries: list[Node], path: tuple[str, ...]) -> dict[str, naming.Submission]:
        file = next((entry for entry in entries if entry.name == trees.GRADESCOPE and not entry.is_folder), None)
        if file is None:
            return {}
        try:
            found = naming.gradescope_people(file.read(trees.MOST_METADATA).decode("utf-8", "replace"))
        except Unreadable as why:
            self.see((*path, file.name), "fault", f"Gradescope's list of names {why.why}; the folders beside it have no names.")
            return {}
        self.see((*path, file.name), "given", f"Gradescope's list of names, {len(found)} of them.")
        for submission in found.values():
            self.seen_people += _submitters(submission)
        return found

    def owner_without_file(self, path: tuple[str, ...], submission: naming.Submission | None) -> None:
        """A person whom a system names is in the class, even if nothing that they handed in can be graded."""
        if submission:
            return
        for component in path:
            owner = naming.owner_of(component)
            if owner:
                self.seen_people.append(_who_of(owner))
                return

    # ---- whose, and for which lab -----------------------------------------------------------------------------------------

    def identified(self) -> list[_Version]:
        """The files that are for a lab, each with its person. What says whose a file is is the outermost thing that does."""
        versions: list[_Version] = []
        by_hand: list[tuple[_Leaf, list[naming.Named]]] = []
        users = self.users()
        for leaf in self.leaves:
            row = self.mapping.row(leaf.path)
            if row and row.lab == "-":
                self.see(leaf.path, "unknown", "The mapping file leaves it out.")
                continue
            owner, at = _owner(leaf.path)
            parts = self.parts(leaf, owner, at)
            if not self.has_lab(leaf, parts, row):
                if leaf.fault:
                    self.see(leaf.path, "fault", f"It {leaf.fault.why}.")
                self.owner_without_file(leaf.path, leaf.around.submission)
                continue
            submission, repository = leaf.around.submission, leaf.around.repository
            places = {"owner": at if owner else None, "submission": leaf.around.submission_at if submission and submission.people else None,
                      "user": len(repository.path) - 1 if repository and repository.path in users else None}
            said = [(place, kind) for kind, place in places.items() if place is not None]
            place, kind = min(said, default=(-1, "hand"))
            if row and row.name_or_key:
                versions.append(self.version(leaf, self.mapping.who(row), -1, parts, owner))
            elif kind == "submission":
                versions += [self.version(leaf, who, place, parts, None) for who in _submitters(submission)]
            elif kind == "owner":
                who = dataclasses.replace(_who_of(owner), place=(leaf.path[:at], leaf.lab))
                versions.append(self.version(leaf, who, place, parts, owner))
            elif kind == "user":
                user = users[repository.path]
                versions.append(self.version(leaf, _Who(("github", user.casefold()), user, user, {"github": user}), place, parts, None))
            else:
                by_hand.append((leaf, parts))
        for leaf, parts, words, place in _named_by_hand(by_hand, self.names.read(naming.stem(self.source.name)).rest):
            if words is None:
                self.see(leaf.path, "unknown", "It is for " + self.labs[leaf.lab or 0].name + ", but its path names nobody.")
                continue
            key = _key(words)
            versions.append(self.version(leaf, _Who(("name", key), words, key), place, parts, None))
        self.keep_apart(versions)
        return versions

    def users(self) -> dict[tuple[str, ...], str]:
        """The GitHub names of clones, where the clones' folders are what tells persons apart: clones side by side or in a folder
        that a tool made, and the zips that GitHub makes of them. The others lie in folders or archives of persons, and are called alike, or as somebody liked."""
        found = {}
        beside = collections.Counter(repository.path[:-1] for repository in self.repositories)
        bases = [repository.base for repository in self.repositories]
        for repository in self.repositories:
            archive = naming.repository_name(naming.strip_archive(repository.archive[-1])) if repository.archive else None
            folder = [self.source.name, *repository.path][-2] if repository.path else ""
            alone = archive is None and len(beside) == 1
            if repository.path and (beside[repository.path[:-1]] > 1 or alone or archive == repository.base or naming.assignment_of(folder)):
                user = naming.user_of_repository(repository.base, folder, bases)
                if not naming.is_no_name(user):
                    found[repository.path] = user
        return found

    def keep_apart(self, versions: list[_Version]) -> None:
        """A student's own folder or archive cannot speak for another student.

        Where a file's person is named inside of a folder or archive that has a person's name itself, and another place of the
        class has a file of that person for that lab, the first is kept apart, as a person of its own. If there are several such
        folders and archives, and more than of the persons' own, they are the class's, such as one for each section or each week,
        and nothing is kept apart.
        """
        paths = [version.leaf.path[:-1] for version in versions]
        shared = len(os.path.commonprefix(paths)) if paths else 0
        places: dict[tuple, set[str]] = {}
        inside: dict[str, list[_Version]] = {}
        own: set[str] = set()
        for version in versions:
            top = version.leaf.path[min(shared, len(version.leaf.path) - 1)]
            places.setdefault((version.who.key, version.lab), set()).add(top)
            above = [self.names.read(naming.stem(part)).rest for part in version.leaf.path[shared:version.at]] if version.at > shared else []
            if any(not naming.is_no_name(words) for words in above):
                inside.setdefault(top, []).append(version)
            elif version.at == shared:
                own.add(top)
        if len(inside) > max(1, len(own - set(inside))):
            return
        for top, several in inside.items():
            for version in several:
                who = version.who
                if len(places[who.key, version.lab]) > 1:
                    self.notes.append(f"{version.leaf.shown} names {harmless.name(who.name)}, who has handed in elsewhere, too; it was kept "
                                      "apart. Please look.")
                    version.who = _Who(("apart", top, *who.key), f"{who.name} (in {top})", f"{who.base} in {top}")

    def parts(self, leaf: _Leaf, owner: naming.Owner | None, at: int) -> list[naming.Named]:
        """What each component says that a person wrote; for the component of a system only what stands behind."""
        said = []
        for index, component in enumerate(leaf.path):
            if owner and index == at:
                component = owner.rest
            said.append(self.names.read(naming.stem(component)))
        return said

    def has_lab(self, leaf: _Leaf, parts: list[naming.Named], row: "_Row | None") -> bool:
        """Finds the lab of a file. Lists the file among the others, and returns False, if there is none or another is graded."""
        if row and row.lab:
            leaf.lab = next(index for index, lab in enumerate(self.labs) if row.lab in (lab.number, lab.name, lab.topic))
        weak = not naming.is_source(leaf.path[-1])
        if leaf.lab is None:
            own = self.names.read(naming.stem(self.source.name))
            best = max([*reversed(parts), own], key=lambda part: part.strength)
            if best.strength > 1:
                leaf.lab = best.lab
            if best.strength < 2 or weak:
                by_content = self.lab_by_content(leaf)
                if leaf.lab is None:
                    leaf.lab = by_content if by_content is not None else best.lab
                if weak and (by_content is None or by_content != leaf.lab) and not (row and row.lab):
                    self.see(leaf.path, "fault" if leaf.fault else "unknown",
                             f"It {leaf.fault.why}." if leaf.fault else "It is no .cu file, and defines no function of a lab.")
                    leaf.fault = None
                    return False
        if leaf.lab is None:
            if not leaf.fault:
                self.see(leaf.path, "unknown", "Neither its name nor its folders name a lab, and it defines no function of one.")
            return False
        if self.labs[leaf.lab].name not in self.wanted:
            self.see(leaf.path, "given", f"It is for {self.labs[leaf.lab].name}, which is not graded this time.")
            leaf.fault = None
            return False
        return True

    def lab_by_content(self, leaf: _Leaf) -> int | None:
        try:
            text = leaf.read().decode("utf-8", "replace")
        except Unreadable:
            return None
        defined = set(_DEFINITION.findall(text))
        counts = [len(defined & functions) for functions in self.functions]
        most = max(counts, default=0)
        if most == 0 or counts.count(most) > 1:
            return None
        leaf.by_content = most
        return counts.index(most)

    def version(self, leaf: _Leaf, who: _Who, at: int, parts: list[naming.Named], owner: naming.Owner | None) -> _Version:
        assert leaf.lab is not None
        submission = leaf.around.submission
        row = self.mapping.row(leaf.path)
        submitted = row.submitted if row else None
        if submitted is None and submission:
            submitted = submission.time
        if submitted is None and owner and owner.time and getattr(self.rules, "zone", None):
            submitted = owner.time.replace(tzinfo=self.rules.zone)
        system, word = (owner.version, owner.version_word) if owner else ((), "")
        if submission and submission.time:
            system, word = (submission.time.timestamp(),), "Gradescope's time"
        if submission and submission.earlier:
            self.notes.append(f"{leaf.shown} was uploaded after {submission.earlier} others, which are only in Gradescope.")
        return _Version(leaf, who, leaf.lab, at, system, word, parts[-1].version, submitted, bool(owner and owner.late),
                        not naming.is_source(leaf.path[-1]))

    # ---- which version ----------------------------------------------------------------------------------------------------

    def chosen(self, versions: list[_Version], people: "_People") -> list[HandIn]:
        groups: dict[tuple[str, int], list[_Version]] = {}
        for version in versions:
            groups.setdefault((people.of(version.who).id, version.lab), []).append(version)
        hand_ins = []
        for (_, lab), group in groups.items():
            person = people.of(group[0].who)
            hand_ins += self.hand_ins_of(person, self.labs[lab], sorted(group, key=_age))
        return hand_ins

    def hand_ins_of(self, person: Person, lab: Lab, oldest_first: list[_Version]) -> list[HandIn]:
        for version in oldest_first if len(oldest_first) > 1 else []:
            version.leaf.probe()
        strong = [version for version in oldest_first if not version.weak]
        order = [version for version in oldest_first if version.weak] + strong if strong else oldest_first
        good = [version for version in order if not version.leaf.fault]
        usable = good or order
        most = getattr(self.rules, "most_attempts", None)
        counted = usable[:most] if most else usable
        newest = counted[-1]
        rest = [version for version in order if version is not newest]
        self.tell(person, lab, newest, [version for version in order if version is not newest], usable, most)
        grades_all = getattr(self.rules, "grades_all_attempts", False)
        made = []
        for number, version in enumerate(reversed(counted) if grades_all else [newest]):
            older = [other.leaf.shown for other in rest] if number == 0 else []
            made.append(self.hand_in(person, lab, version, number, older))
        return made

    def hand_in(self, person: Person, lab: Lab, version: _Version, number: int, older: list[str]) -> HandIn:
        hand_in = HandIn(person, lab, pathlib.Path(), version.leaf.shown, submitted=version.submitted, late=version.late,
                         older=older, version=number)
        hand_in.file = self.scratch / hand_in.id / f"{lab.facts.kernel}.cu"
        try:
            data = version.leaf.read()
        except Unreadable as why:
            hand_in.fault = Fault(why.id, f"{hand_in.shown} {why.why}.")
            _remove(hand_in.file)
            return hand_in
        hand_in.sha256 = hashlib.sha256(data).hexdigest()
        _write(hand_in.file, data)
        return hand_in

    def tell(self, person: Person, lab: Lab, newest: _Version, rest: list[_Version], usable: list[_Version], most: int | None) -> None:
        """The notes on one person's files for one lab."""
        who = f"{person.name}, {lab.name}"
        leaf = newest.leaf
        if leaf.by_content:
            self.notes.append(f"{who}: {leaf.shown} was recognised by what it defines ({leaf.by_content} of the lab's functions).")
        if not rest:
            return
        others = [version.leaf.shown for version in rest]
        listed = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        if most and len(usable) > most:
            by = f"as the last of the {most} attempts that count"
        else:
            by = _reason(newest, max(rest, key=_age) if rest else newest)
        self.notes.append(f"{who}: {leaf.shown} counts, {by}; older: {listed}.")


def _age(version: _Version):
    """Sorts from old to new: by the system's number or time, then the number in the name, then the file's time. Among equals a
    plain name is the newest, and in an archive the later entry."""
    return (version.system, version.number, version.leaf.node.time or 0, -len(version.leaf.path[-1]), version.leaf.node.order,
            version.leaf.path)


def _reason(newest: _Version, second: _Version) -> str:
    """Why one version counts and another does not."""
    if second.leaf.fault and not newest.leaf.fault:
        return f"because the other {second.leaf.fault.why}"
    if newest.weak != second.weak:
        return "because it is the one called .cu"
    if newest.system != second.system:
        return f"as the newest by {newest.system_word or second.system_word}"
    if newest.number != second.number:
        return "as the newest by the number in its name"
    first, other = newest.leaf.node.time or 0, second.leaf.node.time or 0
    if first != other:
        return "as the newest by the files' times"
    return "although nothing says which is newer (please look)"


# ---- names made by hand ---------------------------------------------------------------------------------------------------

def _named_by_hand(found: list[tuple[_Leaf, list[naming.Named]]], given: str):
    """For each file its words for a person, or None, and the component that they stand in: (leaf, parts, words, place).

    The person is the first component, below the folders that all files share, with words that are neither a lab's name nor
    such as `final`. A folder in which several folders or files hold the same lab's file under different names is a group, and
    each of these a person: a file too many in the class is seen, and one student's file taken for another's older version is not.
    """
    names = [[None if naming.is_no_name(part.rest) else part.rest for part in parts] for _, parts in found]
    for (leaf, parts), words in zip(found, names):
        # A number in front of a file's name is the lab's only if nothing else names one; otherwise it belongs to the person.
        last = parts[-1]
        if last.strength == 1 and (last.lab != leaf.lab or any(part.strength > 1 for part in parts[:-1])):
            words[-1] = f"{last.in_words} {last.rest}".strip() or None
        for index, part in enumerate(parts[:-1]):
            if part.strength == 1 and part.rest:
                words[index] = f"{part.in_words} {part.rest}"
        if leaf.around.repository:  # neither the clone's name nor what it holds is somebody's
            inside = max(0, len(leaf.around.repository.path) - 1)
            words[inside:] = [None] * (len(words) - inside)
    folders = [leaf.path[:-1] for leaf, _ in found]
    shared = len(os.path.commonprefix(folders)) if folders else 0
    level = [_first_name(words, shared) for words in names]
    for _ in range(4):
        groups = _groups(found, names, level)
        if not groups:
            break
        for index, (leaf, _) in enumerate(found):
            at = level[index]
            if at is not None and at + 1 < len(leaf.path) and leaf.path[:at] in groups:
                deeper = _first_name(names[index], at + 1, fall_back=False)
                level[index] = at if deeper is None else deeper
    nobody = all(at is None for at in level) and not naming.is_no_name(given)
    for (leaf, parts), words, at in zip(found, names, level):
        yield (leaf, parts, words[at], at) if at is not None else (leaf, parts, given if nobody else None, 0)


def _first_name(words: list[str | None], shared: int, fall_back: bool = True) -> int | None:
    behind = next((index for index in range(shared, len(words)) if words[index]), None)
    if behind is not None or not fall_back:
        return behind
    return next((index for index in range(min(shared, len(words))) if words[index]), None)


def _groups(found, names, level) -> set[tuple[str, ...]]:
    """The folders whose folders are groups of persons: in most of these, one lab's file is there under several names."""
    inside: dict[tuple[str, ...], dict[int, set[str]]] = {}
    for (leaf, _), words, at in zip(found, names, level):
        if at is not None and at + 1 < len(leaf.path):
            below = inside.setdefault(leaf.path[:at + 1], {})
            name = next((word for word in words[at + 1:] if word and not re.fullmatch(r"\d{1,2}", word)), None)
            if name and not _same(name, words[at]):
                below.setdefault(leaf.lab, set()).add(_key(name))
            else:
                below.setdefault(leaf.lab, set())
    groups: dict[tuple[str, ...], list[bool]] = {}
    for path, labs in inside.items():
        groups.setdefault(path[:-1], []).append(any(len(names) > 1 for names in labs.values()))
    return {path for path, are in groups.items() if sum(are) * 2 > len(are)}


def _same(first: str, second: str) -> bool:
    return _key(first).casefold() == _key(second).casefold()


def _key(name: str) -> str:
    """What makes two spellings of a name one: composed and decomposed letters, and blanks around."""
    return unicodedata.normalize("NFC", name).strip()


# ---- people ---------------------------------------------------------------------------------------------------------------

def _owner(path: tuple[str, ...]) -> tuple[naming.Owner | None, int]:
    """The outermost component that a system named, and its place."""
    for index, component in enumerate(path):
        owner = naming.owner_of(unicodedata.normalize("NFC", component))
        if owner:
            return owner, index
    return None, 0


def _who_of(owner: naming.Owner) -> _Who:
    keys = dict(owner.keys)
    if owner.system == "Canvas":
        number = keys["canvas_id"]
        base = owner.name if owner.name == number else f"{owner.name}-{number}"
        return _Who(("canvas", number), owner.name or number, base, keys)
    if owner.system == "Blackboard":
        return _Who(("login", owner.name), owner.name, owner.name, keys)
    return _Who(("name", _key(owner.name)), owner.name, _key(owner.name), keys, number=owner.number)


def _submitters(submission: naming.Submission) -> list[_Who]:
    found = []
    for person in submission.people:
        keys = {key: person[key] for key in ("sid", "email") if person.get(key)}
        name = person.get("name") or person.get("email") or person.get("sid") or ""
        identity = person.get("email", "").casefold() or person.get("sid") or _key(name)
        found.append(_Who(("gradescope", identity), name, _key(name), keys))
    return found


class _People:
    """The persons of a class, each with an id that is ASCII, unique, and as far as possible independent of the others."""

    def __init__(self, found: list[_Who], mapping: "_Mapping", notes: list[str]):
        self.persons: dict[tuple[str, ...], Person] = {}
        self.part_same_names(found, notes)
        merged: dict[tuple[str, ...], _Who] = {}
        for who in found:
            known = merged.setdefault(who.key, dataclasses.replace(who, keys=dict(who.keys)))
            for key, value in who.keys.items():
                known.keys.setdefault(key, value)
            known.id = known.id or who.id
        mapping.complete(list(merged.values()))
        for who in mapping.without_file():
            merged.setdefault(who.key, who)
        wanted = {key: who.id or _id(who.base) for key, who in merged.items()}
        count = collections.Counter(id.casefold() for id in wanted.values())
        for key, who in merged.items():
            id = wanted[key]
            if count[id.casefold()] > 1:
                id = f"{id[:50]}-{_hash('/'.join(key))}"
                notes.append(f"{harmless.name(who.name)} is called {id} here, because another name gives the same id.")
            self.persons[key] = Person(id, harmless.name(who.name) or "(no name)", who.keys)

    def part_same_names(self, found: list[_Who], notes: list[str]) -> None:
        """In Moodle and Brightspace two people of one name differ in their numbers, and these are other ones in each assignment.
        So a name is one person, unless one assignment has it with two numbers; then each number is a person."""
        numbers: dict[tuple, set[str]] = {}
        for who in found:
            if who.number and who.place:
                numbers.setdefault((who.key, who.place), set()).add(who.number)
        twice = {key for (key, _), several in numbers.items() if len(several) > 1}
        for key in sorted(twice):
            notes.append(f"Several people are called {harmless.name(key[-1])}: each number of the system was taken for a person, so "
                         "that one who handed in several labs may be there several times. A mapping file can say more.")
        for who in found:
            if who.key in twice and who.number:
                who.key = (*who.key, who.number)
                who.base = f"{who.base}-{who.number}"

    def of(self, who: _Who) -> Person:
        return self.persons[who.key]

    def all(self) -> list[Person]:
        return list(self.persons.values())


def _id(name: str) -> str:
    """An id for a name: its words joined by -, if that is the name; otherwise the nearest ASCII and a short hash."""
    words = " ".join(name.split())
    ascii = harmless.ascii_words(words)
    if ascii and len(ascii) <= 48 and words.replace(" ", "-") == ascii:
        return ascii
    return f"{ascii[:40].strip('-') or 'person'}-{_hash(name)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]


# ---- the mapping file -----------------------------------------------------------------------------------------------------

@dataclasses.dataclass
class _Row:
    line: int
    path: tuple[str, ...]
    values: dict[str, str]
    submitted: datetime.datetime | None = None
    used: bool = False

    @property
    def lab(self) -> str:
        return self.values.get("lab", "")

    @property
    def name_or_key(self) -> bool:
        return bool(self.values.get("name") or self.values.get("id") or any(self.values.get(key) for key in _KEYS))


class _Mapping:
    """The instructor's word on files and people: a CSV file with a heading. A row with a path is about that file, or all files
    of that folder or archive; a row without one completes the person who has one of its keys."""

    def __init__(self, file: pathlib.Path | None):
        self.file = file
        self.rows: dict[tuple[str, ...], _Row] = {}
        self.roster: list[_Row] = []
        if file is None:
            return
        try:
            text = file.read_bytes().decode("utf-8-sig")
        except OSError as error:
            raise Problem(f"The mapping file {file} cannot be read: {error.strerror}.") from None
        except UnicodeDecodeError:
            raise Problem(f"The mapping file {file} is not UTF-8.") from None
        first = text.partition("\n")[0]
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ",",
                                strict=True)
        try:
            unknown = [name for name in reader.fieldnames or [] if name.strip().lower() not in MAPPING_COLUMNS]
            if unknown or not reader.fieldnames:
                raise Problem(f"The mapping file {file} has the column '{harmless.shown(unknown[0])}'." if unknown else
                              f"The mapping file {file} is empty.", ["Its columns can be " + ", ".join(MAPPING_COLUMNS) + "."])
            for row in reader:
                self.add(reader.line_num, row)
        except csv.Error as error:
            raise Problem(f"The mapping file {file}, line {reader.line_num}: {error}.") from None

    def add(self, line: int, cells: dict) -> None:
        if None in cells:
            raise Problem(f"The mapping file {self.file}, line {line}: more cells than columns.")
        values = {name.strip().lower(): (value or "").strip() for name, value in cells.items()}
        if not any(values.values()):
            return
        path = tuple(unicodedata.normalize("NFC", part) for part in values.pop("path", "").split("/") if part not in ("", "."))
        row = _Row(line, path, values)
        if values.get("submitted"):
            try:
                row.submitted = datetime.datetime.fromisoformat(values["submitted"].replace("Z", "+00:00"))
            except ValueError:
                row.submitted = None
            if row.submitted is None or row.submitted.tzinfo is None:
                raise Problem(f"The mapping file {self.file}, line {line}: '{values['submitted']}' is no time with its zone, such as "
                              "2026-11-30T23:59:00+01:00.")
        if row.path:
            self.rows[row.path] = row
        else:
            self.roster.append(row)

    def check_labs(self, labs: list[Lab]) -> None:
        for row in self.rows.values():
            if row.lab and row.lab != "-" and not any(row.lab in (lab.number, lab.name, lab.topic) for lab in labs):
                raise Problem(f"The mapping file {self.file}, line {row.line}: there is no lab '{harmless.shown(row.lab)}'.")

    def row(self, path: tuple[str, ...]) -> _Row | None:
        """The row about a file: its own, or that of the innermost folder around it."""
        if not self.rows:
            return None
        path = tuple(unicodedata.normalize("NFC", part) for part in path)
        for length in range(len(path), 0, -1):
            if row := self.rows.get(path[:length]):
                row.used = True
                return row
        return None

    def who(self, row: _Row) -> _Who:
        keys = {key: row.values[key] for key in _KEYS if row.values.get(key)}
        name = row.values.get("name") or row.values.get("id") or next(iter(keys.values()))
        identity = row.values.get("id") or keys.get("email", "").casefold() or _key(name)
        return _Who(("mapping", identity), name, _key(name), keys, self.id(row))

    def complete(self, people: list[_Who]) -> None:
        """Takes over what the rows without a path say of persons: by a key, or by the name where no other has it."""
        names = collections.Counter(_key(who.name).casefold() for who in people)
        for row in self.roster:
            name = _key(row.values.get("name", "")).casefold()
            for who in people:
                by_key = any(row.values.get(key) and row.values[key].casefold() == who.keys.get(key, "").casefold() for key in _KEYS)
                if by_key or (name and names[name] == 1 and name == _key(who.name).casefold()):
                    row.used = True
                    who.name = row.values.get("name") or who.name
                    who.id = who.id or self.id(row)
                    for key in _KEYS:
                        if row.values.get(key):
                            who.keys.setdefault(key, row.values[key])

    def without_file(self) -> list[_Who]:
        """Those of the class who have handed in nothing."""
        return [self.who(row) for row in self.roster if not row.used and row.name_or_key]

    def id(self, row: _Row) -> str:
        id = row.values.get("id", "")
        if id and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", id):
            raise Problem(f"The mapping file {self.file}, line {row.line}: the id '{harmless.shown(id)}' may have ASCII letters, "
                          "digits, - and _, and at most 64 of them.")
        return id

    def unused(self) -> list[str]:
        return [f"The mapping file names {_shown(row.path)} (line {row.line}), which is not there." for row in self.rows.values()
                if not row.used]


# ---- labs and files -------------------------------------------------------------------------------------------------------

def _all_labs(labs: list[Lab]) -> list[Lab]:
    """All labs of the workbook, so that a file for another lab than the wanted ones is known as such."""
    if not labs:
        return []
    return [Lab(path) for path in lab_facts.folders(labs[0].folder.parent)] or labs


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


_DECLARATION = re.compile(r"^(?:[A-Za-z_][\w:<>]*[ *&]+)+(\w+)\s*\([^;{]*\)\s*;", re.M)
_DEFINITION = re.compile(r"\b(\w+)\s*\([^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*\)\s*(?:noexcept\s*)?\{")


def _functions(lab: Lab) -> set[str]:
    """The functions of a lab's contract."""
    try:
        text = (lab.folder / "lab.hpp").read_text(encoding="utf-8")
    except OSError:
        return set()
    return set(_DECLARATION.findall(re.sub(r"//[^\n]*", "", text)))


@functools.lru_cache(1 << 14)
def _is_file_of(workbook: pathlib.Path, place: tuple[str, ...]) -> bool:
    try:
        return os.path.isfile(os.path.join(workbook, *place))
    except (OSError, ValueError):
        return False


def _write(path: pathlib.Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_bytes(data)
    os.replace(new, path)


def _remove(path: pathlib.Path) -> None:
    """No file of an earlier run stands in for one that cannot be read now."""
    try:
        path.unlink()
    except OSError:
        pass
