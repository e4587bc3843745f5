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
from typing import Iterable, Sequence

from .. import files, lab_facts
from ..workbook import Lab
from . import naming, trees
from .by_hand import named_by_hand
from .mapping import Mapping
from .model import Class, Fault, HandIn, Person
from .people import People
from .roster import Row
from .times_told import Times
from .trees import Unreadable
from .walking import Leaf, Repository, Trace, Walk
from .who import Who, key_of, owner_in, shown_path, submitters, who_of, word_of


def take_in(source: pathlib.Path, labs: list[Lab], scratch: pathlib.Path, rules=None,
            rosters: Sequence[pathlib.Path] = (), times: Iterable[pathlib.Path] = ()) -> Class:
    """The class that `source` holds. The hand-ins for `labs` are copied to `scratch`/<id>/KERNEL.cu.

    `rosters` are lists of the class, and may say whose file is which where names do not. `rules` (rules.Rules) gives the time zone of
    systems that do not say theirs, and how many attempts count. `times` are files for times_told.py. Raises a Problem if one of the
    files cannot be read at all.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    taken = scratch / ".taken"
    shutil.rmtree(taken, ignore_errors=True)
    taken.mkdir()
    try:
        all_labs = _all_labs(labs)
        said = Mapping(rosters)
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
    weak: bool = False  # not called .cu, or in another place of a clone
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
        found = [*self.named, *(version.who for version in versions)]
        traces = self.traced(found)
        people = People(list(dict.fromkeys([*found, *(who for _, whose in traces for who in whose)])), self.mapping, self.notes)
        hand_ins = self.chosen(versions, people)
        self.notes += self.mapping.unused()
        hand_ins.sort(key=lambda hand_in: (hand_in.person.id, hand_in.lab.name, hand_in.version))
        return Class(self.walk.source, sorted(people.all(), key=lambda person: (person.name.casefold(), person.id)), hand_ins,
                     self.walk.others(), list(dict.fromkeys(self.notes)), self.seen_of(traces, people), people.on_rosters_alone(), self.mapping.rosters)

    # ---- who is there without a hand-in -----------------------------------------------------------------------------------

    def traced(self, known: list[Who]) -> list[tuple[Trace, list[Who]]]:
        """What is no hand-in, with those whose it is: who is named by a folder or archive around it, or, where such folders lie side by
        side, the one beside them that it lies in."""
        whose: dict[tuple[str, ...], list[Who]] = {}
        for who in known:
            whose.setdefault(who.path, []).append(who)
        beside = {who.path[:-1] for who in known if who.by_hand}
        found = []
        for trace in self.walk.traces:
            row = self.mapping.row(trace.path)
            if row and row.lab == "-":
                continue
            if row and row.names_person:
                found.append((trace, whose.setdefault(row.path, [self.mapping.who(row)])))
                continue
            place = next((length for length in range(1, len(trace.path) + 1) if trace.path[:length] in whose), 0)
            if not place:
                place = next((length for length in range(len(trace.path), 0, -1) if trace.path[:length - 1] in beside), 0)
                words = self.words_for_person(trace.path, place) if place else ""
                if not words:
                    continue
                whose[trace.path[:place]] = [Who(words, key_of(words), by_hand=True, path=trace.path[:place], source=shown_path(trace.path[:place]))]
            found.append((trace, whose[trace.path[:place]]))
        return found

    def words_for_person(self, path: tuple[str, ...], place: int) -> str:
        """What the component at a place says of a person, beside others that name people: a folder or archive, or a file with a lab's name."""
        component = path[place - 1]
        is_folder = place < len(path) or bool(trees.ANY_ARCHIVE.search(component))
        read = self.names.read(trees.ANY_ARCHIVE.sub("", component) if is_folder else component.rpartition(".")[0] or component)
        if naming.is_no_name(read.rest) or naming.is_export(component) or (read.strength < 2 and not is_folder):
            return ""
        return f"{read.in_words} {read.rest}" if read.strength == 1 else read.rest

    def seen_of(self, traces: list[tuple[Trace, list[Who]]], people: People) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for trace, whose in traces:
            lab = self.labs[trace.lab].name if trace.lab is not None else ""
            for person in {people.of(who).id for who in whose}:
                found.setdefault(person, []).append((lab, f"{shown_path(trace.path)}: {trace.why}"))
        return found

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
                self.walk.see(leaf.path, "unknown", f"{row.where}, leaves it out.")
                continue
            owner, at = owner_in(leaf.path)
            parts = self.parts(leaf, owner, at)
            if not self.has_lab(leaf, parts, row):
                if leaf.fault:
                    self.walk.see(leaf.path, "fault", f"It {leaf.fault.why}.")
                continue
            submission, repository = leaf.around.submission, leaf.around.repository
            if row and row.names_person:
                versions.append(self.version(leaf, self.mapping.who(row), parts, owner))
                continue
            user, user_at = users.get(repository.path, ("", 0)) if repository else ("", 0)
            places = {"owner": at if owner else None, "submission": leaf.around.submission_at if submission and submission.people else None,
                      "user": user_at if user else None}
            place, kind = min(((place, kind) for kind, place in places.items() if place is not None), default=(None, "hand"))
            found.append((leaf, parts, owner, place, kind))
        people = [*self.walk.people, *self.clones_and_owners(users)]
        named = [(path, at) for path, at, _ in people]
        rooted = self.folders_of_the_class([*named, *((leaf.path, place) for leaf, _, _, place, _ in found)])
        self.named = [who for path, at, who in people if path[:at] in rooted]
        by_hand: list[tuple[Leaf, list[naming.Named]]] = []
        by_system: list[tuple[tuple[str, ...], int]] = []
        for leaf, parts, owner, place, kind in found:
            if place is None or leaf.path[:place] not in rooted:
                leaf.around = dataclasses.replace(leaf.around, submission=None)
                by_hand.append((leaf, parts))
                continue
            by_system.append((leaf.path, place))
            if kind == "submission":
                versions += [self.version(leaf, who, parts, None) for who in submitters(leaf.around.submission, leaf.path[:place + 1])]
            elif kind == "owner":
                who = dataclasses.replace(who_of(owner, leaf.path[:place + 1]), place=(leaf.path[:place], leaf.lab))
                versions.append(self.version(leaf, who, parts, owner))
            else:
                user, _ = users[leaf.around.repository.path]
                versions.append(self.version(leaf, _user(user, leaf.path[:place + 1]), parts, None))
        found_by_hand = list(named_by_hand(by_hand, self.names.read(naming.stem(self.given)).rest, self.walk))
        in_archives = [(leaf.path, place if self.archive_above(leaf.path, place) else None) for leaf, _, _, place in found_by_hand]
        rooted = self.folders_of_the_class([*named, *by_system, *in_archives])
        for (leaf, parts, words, _), (path, place) in zip(found_by_hand, in_archives):
            if words is None or (place is not None and path[:place] not in rooted):
                self.walk.see(leaf.path, "unknown", f"It is for {self.labs[leaf.lab or 0].name}, but its path does not say whose it is.")
                continue
            where = leaf.path[:(place or 0) + 1]
            versions.append(self.version(leaf, Who(words, key_of(words), by_hand=True, path=where, source=shown_path(where)), parts, None))
        return versions

    def clones_and_owners(self, users: dict[tuple[str, ...], tuple[str, int]]) -> list[tuple[tuple[str, ...], int, Who]]:
        """Whom clones, and systems' names of what is no hand-in, name: they are in the class, whatever they have handed in."""
        found = [((*path, ""), at, _user(user, path[:at + 1])) for path, (user, at) in users.items()]
        inside = {path[:at + 1] for path, at, _ in [*self.walk.people, *found]}
        for trace in self.walk.traces:
            owner, at = owner_in(trace.path)
            if owner and not any(trace.path[:length] in inside for length in range(1, at + 1)):
                found.append((trace.path, at, who_of(owner, trace.path[:at + 1])))
        return found

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
        known = {row.keys["github"].casefold() for row in self.mapping.entries if "github" in row.keys}
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
                user = _listed_user(repository.base, user, len(set(bases[place])) == 1, known)
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
        weak = leaf.elsewhere or not naming.is_source(leaf.path[-1])
        if leaf.lab is None:
            own = self.names.read(naming.stem(self.given))
            best = max([*reversed(parts), own], key=lambda part: part.strength)
            by_content, defined = self.lab_by_content(leaf)
            if best.strength > 1 and (by_content is None or defined & self.functions[best.lab]):
                leaf.lab = best.lab
            else:
                leaf.lab = by_content if by_content is not None else best.lab
                leaf.by_content = len(defined) if by_content is not None else 0
            if weak and (by_content is None or by_content != leaf.lab) and not (row and row.lab):
                what = "" if naming.is_source(leaf.path[-1]) else "is not a .cu file and "
                self.walk.see(leaf.path, "fault" if leaf.fault else "unknown",
                              f"It {leaf.fault.why}." if leaf.fault else f"It {what}defines no function of a lab.")
                leaf.fault = None
                return False
            if leaf.elsewhere and self.walk.is_starter(leaf):
                self.walk.see(leaf.path, "given", "It is the starter, unchanged.", lab=leaf.lab)
                return False
        if leaf.lab is None:
            if not leaf.fault:
                self.walk.see(leaf.path, "unknown", "Neither its name nor its folders name a lab, and it defines no function of one.")
            return False
        if self.labs[leaf.lab].name not in self.wanted:
            self.walk.see(leaf.path, "given", f"It is for {self.labs[leaf.lab].name}, which is not graded this time.", lab=leaf.lab)
            leaf.fault = None
            return False
        return True

    def lab_by_content(self, leaf: Leaf) -> tuple[int | None, set[str]]:
        """The lab most of whose functions a file defines, if it is one, and these functions."""
        try:
            text = leaf.read().decode("utf-8", "replace")
        except Unreadable:
            return None, set()
        names = set(_DEFINITION.findall(text))
        defined = [names & functions for functions in self.functions]
        most = max(map(len, defined), default=0)
        if most == 0 or sum(len(each) == most for each in defined) > 1:
            return None, set()
        return next((lab, each) for lab, each in enumerate(defined) if len(each) == most)

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
                        leaf.elsewhere or not naming.is_source(leaf.path[-1]))

    # ---- which version ----------------------------------------------------------------------------------------------------

    def chosen(self, versions: list[_Version], people: People) -> list[HandIn]:
        groups: dict[tuple[str, int], list[_Version]] = {}
        for version in versions:
            groups.setdefault((people.of(version.who).id, version.lab), []).append(version)
        hand_ins = []
        called = {(word_of(person.name), person.id) for person in people.all()}
        called |= {(word_of(version.who.name), people.of(version.who).id) for version in versions}
        names = collections.Counter(name for name, _ in called)
        for (_, lab), group in groups.items():
            person = people.of(group[0].who)
            oldest_first = sorted(group, key=_age)
            for version in group:
                self.tell_time(version, names[word_of(version.who.name)])
            hand_ins += self.hand_ins_of(person, self.labs[lab], oldest_first)
        return hand_ins

    def tell_time(self, version: _Version, namesakes: int) -> None:
        """What the files of times say is said of all versions whose time is not known: which of them was the last one handed in is for
        the student to say, by the times of files."""
        repository = version.leaf.around.repository
        told = self.times.of(version.who, version.lab, repository.base if repository else "", namesakes)
        if told and version.submitted is None:
            version.submitted, version.late_by, version.late = told.time, told.late_by, version.late or bool(told.late_by)

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
        return "because it lies where the workbook has the lab's file" if second.leaf.elsewhere else "because it is the one called .cu"
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


def _listed_user(name: str, user: str, alone: bool, known: set[str]) -> str:
    """The GitHub name in a clone's name by those `known` from rosters. All clones may begin with a part of their users' names; an end that is
    shorter than `user` is another one's name, unless the clone is `alone`, so that what stands before the user is not known."""
    ends = (name[at:] for at in range(len(name)) if not at or name[at - 1] == "-")
    return next((end for end in ends if end.casefold() in known and (alone or len(end) >= len(user))), user)


def _user(user: str, path: tuple[str, ...]) -> Who:
    return Who(user, user, {"github": user}, named=False, path=path, source=shown_path(path))


_DEFINITION = re.compile(r"\b(\w+)\s*\([^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*\)\s*(?:noexcept\s*)?\{")


def _functions(lab: Lab) -> set[str]:
    """The functions of a lab's contract."""
    try:
        text = (lab.folder / "lab.hpp").read_text(encoding="utf-8")
    except OSError:
        return set()
    return lab_facts.contract_functions(text)
