"""What was given, as a class: whose file is which hand-in, which version counts, and what was left aside, with a sentence for each.

`source` is a folder, a zip or a tar, in the form that a learning platform exports or that a person made by hand (naming.py has
the rules). One bad name or file costs itself alone, and nothing that was seen goes unlisted.
"""
from __future__ import annotations

import collections
import contextlib
import dataclasses
import datetime
import hashlib
import pathlib
import re
import shutil
from collections.abc import Iterable

from .. import files, lab_facts
from ..workbook import Lab
from . import harmless, naming
from .by_hand import named_by_hand
from .mapping import Mapping, Row
from .model import Class, Fault, HandIn, Person
from .people import People
from .times_told import Times
from .trees import Unreadable
from .walking import Leaf, Repository, Walk
from .who import Who, key_of, owner_in, shown_path, submitters, who_of


def take_in(source: pathlib.Path, labs: list[Lab], scratch: pathlib.Path, mapping: pathlib.Path | None = None,
            rules=None, times: Iterable[pathlib.Path] = ()) -> Class:
    """The class that `source` holds. The hand-ins for `labs` are copied to `scratch`/<id>/KERNEL.cu.

    `mapping` is a CSV file that says whose file is which where names do not. `rules` (rules.Rules) gives the time zone of
    systems that do not say theirs, and how many attempts count. `times` are files for times_told.py. Raises a Problem if `source`,
    `mapping` or one of `times` cannot be read at all.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    taken = scratch / ".taken"
    shutil.rmtree(taken, ignore_errors=True)
    taken.mkdir()
    try:
        all_labs = _all_labs(labs)
        said = Mapping(mapping)
        said.check_labs(all_labs)
        walk = Walk(source, scratch, taken, all_labs, said)
        told = Times(times, walk.names, getattr(rules, "zone", None))
        return _Intake(walk, {lab.name for lab in labs}, rules, told).run()
    finally:
        shutil.rmtree(taken, ignore_errors=True)


@dataclasses.dataclass
class _Version:
    """One file of one person for one lab."""

    leaf: Leaf
    who: Who
    lab: int
    system: tuple[float, ...] = ()
    system_word: str = ""
    number: int = 0
    submitted: datetime.datetime | None = None
    late: bool = False
    weak: bool = False  # not called .cu
    late_by: datetime.timedelta | None = None


class _Intake:
    def __init__(self, walk: Walk, wanted: set[str], rules, times: Times):
        self.walk, self.wanted, self.rules, self.times = walk, wanted, rules, times
        self.labs, self.mapping, self.given = walk.labs, walk.mapping, walk.source.resolve().name
        self.names = walk.names
        self.functions = [_functions(lab) for lab in self.labs]
        self.notes: list[str] = []

    def run(self) -> Class:
        self.walk.run()
        versions = self.identified()
        people = People(self.named + [version.who for version in versions], self.mapping, self.notes)
        hand_ins = self.chosen(versions, people)
        self.notes += self.mapping.unused()
        hand_ins.sort(key=lambda hand_in: (hand_in.person.id, hand_in.lab.name, hand_in.version))
        return Class(self.walk.source, sorted(people.all(), key=lambda person: (person.name.casefold(), person.id)), hand_ins, self.walk.others(),
                     list(dict.fromkeys(self.notes)))

    # ---- whose, and for which lab -----------------------------------------------------------------------------------------

    def identified(self) -> list[_Version]:
        """The files that are for a lab, each with its person. What says whose a file is is the outermost thing that does, if it is the
        class's: what lies in one person's folder or archive speaks for no other person."""
        versions: list[_Version] = []
        found: list[tuple[Leaf, list[naming.Named], naming.Owner | None, int | None, str]] = []
        users = self.users()
        for leaf in self.walk.leaves:
            row = self.mapping.row(leaf.path)
            if row and row.lab == "-":
                self.walk.see(leaf.path, "unknown", "The mapping file leaves it out.")
                continue
            owner, at = owner_in(leaf.path)
            parts = self.parts(leaf, owner, at)
            if not self.has_lab(leaf, parts, row):
                if leaf.fault:
                    self.walk.see(leaf.path, "fault", f"It {leaf.fault.why}.")
                self.walk.owner_without_file(leaf.path, leaf.around.submission)
                continue
            submission, repository = leaf.around.submission, leaf.around.repository
            if row and row.name_or_key:
                versions.append(self.version(leaf, self.mapping.who(row), parts, owner))
                continue
            user, user_at = users.get(repository.path, ("", 0)) if repository else ("", 0)
            places = {"owner": at if owner else None, "submission": leaf.around.submission_at if submission and submission.people else None,
                      "user": user_at if user else None}
            place, kind = min(((place, kind) for kind, place in places.items() if place is not None), default=(None, "hand"))
            found.append((leaf, parts, owner, place, kind))
        named = [(path, at) for path, at, _ in self.walk.people]
        rooted = self.folders_of_the_class([*named, *((leaf.path, place) for leaf, _, _, place, _ in found)])
        self.named = [who for path, at, who in self.walk.people if path[:at] in rooted]
        by_hand: list[tuple[Leaf, list[naming.Named]]] = []
        by_system: list[tuple[tuple[str, ...], int]] = []
        for leaf, parts, owner, place, kind in found:
            if place is None or leaf.path[:place] not in rooted:
                leaf.around = dataclasses.replace(leaf.around, submission=None)
                by_hand.append((leaf, parts))
                continue
            by_system.append((leaf.path, place))
            if kind == "submission":
                versions += [self.version(leaf, who, parts, None) for who in submitters(leaf.around.submission)]
            elif kind == "owner":
                who = dataclasses.replace(who_of(owner), place=(leaf.path[:place], leaf.lab))
                versions.append(self.version(leaf, who, parts, owner))
            else:
                user, _ = users[leaf.around.repository.path]
                versions.append(self.version(leaf, Who(("github", user.casefold()), user, user, {"github": user}), parts, None))
        found_by_hand = list(named_by_hand(by_hand, self.names.read(naming.stem(self.given)).rest, self.walk))
        in_archives = [(leaf.path, place if self.archive_above(leaf.path, place) else None) for leaf, _, _, place in found_by_hand]
        rooted = self.folders_of_the_class([*named, *by_system, *in_archives])
        for (leaf, parts, words, _), (path, place) in zip(found_by_hand, in_archives):
            if words is None or (place is not None and path[:place] not in rooted):
                self.walk.see(leaf.path, "unknown", f"It is for {self.labs[leaf.lab or 0].name}, but its path does not say whose it is.")
                continue
            key = key_of(words)
            versions.append(self.version(leaf, Who(("name", key), words, key), parts, None))
        return versions

    def archive_above(self, path: tuple[str, ...], place: int) -> bool:
        return any(path[:length] in self.walk.archives for length in range(1, place + 1))

    def folders_of_the_class(self, names: list[tuple[tuple[str, ...], int | None]]) -> set[tuple[str, ...]]:
        """The folders and archives that are the class's and not one person's. `names` are the paths of files, each with the component
        that names its person, or None where a folder at hand does.

        What was given is the class's; in it those that have the names inside, if they are more than those beside them which are
        persons' themselves. An archive that has a person's name is that person's, and what is in it names no other.
        """
        rooted: set[tuple[str, ...]] = set()
        waiting = [((), names)]
        while waiting:
            place, inside = waiting.pop()
            rooted.add(place)
            below: dict[tuple[str, ...], list] = {}
            for path, at in inside:
                below.setdefault(path[:len(place) + 1], []).append((path, at))
            holding = {child for child, several in below.items() if any(at is not None and at > len(place) for _, at in several)}
            fit = {child for child in holding if not (child in self.walk.archives and self.walk.names_person(child[-1]))}
            if 2 * len(fit) > len(below):
                waiting += [(child, below[child]) for child in fit]
            for child in holding if 2 * len(fit) <= len(below) else holding - fit:
                self.notes.append(f"{shown_path(child)} was taken for one person's, and the names of others in it were kept apart. "
                                  "Please look. If it holds a class, give it alone.")
        return rooted

    def users(self) -> dict[tuple[str, ...], tuple[str, int]]:
        """The GitHub names of clones, and the components that they stand in, where the clones' folders are what tells persons apart: clones
        side by side, alone or in a folder that a tool made, and the zips that GitHub makes of them. The others lie in folders or archives
        of persons, and are called alike, or as a person liked."""
        found = {}
        beside = collections.Counter(repository.path[:-1] for repository in self.walk.repositories)
        places = [repository.path[:self.user_at(repository)] for repository in self.walk.repositories]
        bases: dict[tuple[str, ...], list[str]] = {}
        for place, repository in zip(places, self.walk.repositories):
            bases.setdefault(place, []).append(repository.base)
        for place, repository in zip(places, self.walk.repositories):
            folder = [self.given, *repository.path][-2] if repository.path else ""
            alone = not repository.archive and (len(repository.path) == 1 or len(beside) == 1)
            in_its_zip = len(place) == len(repository.archive) - 1
            if repository.path and (beside[repository.path[:-1]] > 1 or alone or in_its_zip or naming.assignment_of(folder)):
                user = naming.user_of_repository(repository.base, folder, bases[place])
                if not naming.is_no_name(user):
                    found[repository.path] = user, len(place)
        return found

    @staticmethod
    def user_at(repository: Repository) -> int:
        """The component that has a clone's name: its folder, or the zip around it that is called alike, as GitHub calls it."""
        archive = naming.repository_name(naming.strip_archive(repository.archive[-1])) if repository.archive else None
        return len(repository.archive if archive == repository.base else repository.path) - 1

    def parts(self, leaf: Leaf, owner: naming.Owner | None, at: int) -> list[naming.Named]:
        """What each component says that a person wrote; for the component of a system only what stands behind."""
        said = []
        for index, component in enumerate(leaf.path):
            if owner and index == at:
                component = owner.rest
            said.append(self.names.read(naming.stem(component)))
        return said

    def has_lab(self, leaf: Leaf, parts: list[naming.Named], row: Row | None) -> bool:
        """Finds the lab of a file. Lists the file among the others, and returns False, if there is none or another is graded."""
        if row and row.lab:
            leaf.lab = next(index for index, lab in enumerate(self.labs) if row.lab in (lab.number, lab.name, lab.topic))
        weak = not naming.is_source(leaf.path[-1])
        if leaf.lab is None:
            own = self.names.read(naming.stem(self.given))
            best = max([*reversed(parts), own], key=lambda part: part.strength)
            if best.strength > 1:
                leaf.lab = best.lab
            if best.strength < 2 or weak:
                by_content = self.lab_by_content(leaf)
                if leaf.lab is None:
                    leaf.lab = by_content if by_content is not None else best.lab
                if weak and (by_content is None or by_content != leaf.lab) and not (row and row.lab):
                    self.walk.see(leaf.path, "fault" if leaf.fault else "unknown",
                             f"It {leaf.fault.why}." if leaf.fault else "It is not a .cu file and defines no function of a lab.")
                    leaf.fault = None
                    return False
        if leaf.lab is None:
            if not leaf.fault:
                self.walk.see(leaf.path, "unknown", "Neither its name nor its folders name a lab, and it defines no function of one.")
            return False
        if self.labs[leaf.lab].name not in self.wanted:
            self.walk.see(leaf.path, "given", f"It is for {self.labs[leaf.lab].name}, which is not graded this time.")
            leaf.fault = None
            return False
        return True

    def lab_by_content(self, leaf: Leaf) -> int | None:
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

    def version(self, leaf: Leaf, who: Who, parts: list[naming.Named], owner: naming.Owner | None) -> _Version:
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
            self.notes.append(f"{leaf.shown} is upload number {submission.earlier + 1}; the earlier ones are not in Gradescope's export.")
        return _Version(leaf, who, leaf.lab, system, word, parts[-1].version, submitted, bool(owner and owner.late),
                        not naming.is_source(leaf.path[-1]))

    # ---- which version ----------------------------------------------------------------------------------------------------

    def chosen(self, versions: list[_Version], people: People) -> list[HandIn]:
        groups: dict[tuple[str, int], list[_Version]] = {}
        for version in versions:
            groups.setdefault((people.of(version.who).id, version.lab), []).append(version)
        hand_ins = []
        names = collections.Counter(key_of(person.name).casefold() for person in people.all())
        for (_, lab), group in groups.items():
            person = people.of(group[0].who)
            oldest_first = sorted(group, key=_age)
            self.tell_time(oldest_first[-1], names[key_of(person.name).casefold()])
            hand_ins += self.hand_ins_of(person, self.labs[lab], oldest_first)
        return hand_ins

    def tell_time(self, newest: _Version, namesakes: int) -> None:
        """What the files of times say is said of the newest version."""
        repository = newest.leaf.around.repository
        told = self.times.of(newest.who, newest.lab, repository.base if repository else "", namesakes)
        if told and newest.submitted is None:
            newest.submitted, newest.late_by, newest.late = told.time, told.late_by, newest.late or bool(told.late_by)

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
        self.tell(person, lab, newest, rest, usable, most)
        grades_all = getattr(self.rules, "grades_all_attempts", False)
        made = []
        for number, version in enumerate(reversed(counted) if grades_all else [newest]):
            older = [other.leaf.shown for other in rest] if number == 0 else []
            made.append(self.hand_in(person, lab, version, number, older))
        return made

    def hand_in(self, person: Person, lab: Lab, version: _Version, number: int, older: list[str]) -> HandIn:
        hand_in = HandIn(person, lab, pathlib.Path(), version.leaf.shown, submitted=version.submitted, late=version.late, late_by=version.late_by,
                         older=older, version=number)
        hand_in.file = self.walk.scratch / hand_in.id / f"{lab.facts.kernel}.cu"
        try:
            data = version.leaf.read()
        except Unreadable as why:
            hand_in.fault = Fault(why.id, f"{hand_in.shown} {why.why}.")
            with contextlib.suppress(OSError):  # no file of an earlier run stands in for one that cannot be read now
                hand_in.file.unlink()
            return hand_in
        hand_in.sha256 = hashlib.sha256(data).hexdigest()
        files.write(hand_in.file, data)
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
        counts = "counts unless an older one has more points" if getattr(self.rules, "grades_all_attempts", False) else "counts"
        if most and len(usable) > most:
            by = f"as the last of the {most} attempts that count"
        else:
            by = _reason(newest, max(rest, key=_age))
        self.notes.append(f"{who}: {leaf.shown} {counts}, {by}; older: {listed}.")


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
    return "but nothing says which version is newer, so please look"


# ---- labs and files -------------------------------------------------------------------------------------------------------

def _all_labs(labs: list[Lab]) -> list[Lab]:
    """All labs of the workbook, so that a file for another lab than the wanted ones is known as such."""
    if not labs:
        return []
    return [Lab(path) for path in lab_facts.folders(labs[0].folder.parent)] or labs


_DEFINITION = re.compile(r"\b(\w+)\s*\([^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*\)\s*(?:noexcept\s*)?\{")


def _functions(lab: Lab) -> set[str]:
    """The functions of a lab's contract."""
    try:
        text = (lab.folder / "lab.hpp").read_text(encoding="utf-8")
    except OSError:
        return set()
    return lab_facts.contract_functions(text)
