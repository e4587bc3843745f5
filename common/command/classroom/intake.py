"""What was given, as a class: whose file is which hand-in, which version counts, and what was left aside, with a sentence for each.

`source` is a folder, a zip or a tar, in the form that a learning platform exports or that a person made by hand (naming.py has
the rules). One bad name or file costs itself alone, and nothing that was seen goes unlisted.
"""
from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import pathlib
import re
import shutil
from typing import Iterable, Sequence

from .. import files, lab_facts
from ..workbook import Lab
from . import blackboard, clones, harmless, naming, trees
from .assignments import Assignments
from .by_hand import named_by_hand
from .mapping import Mapping
from .model import Class, Fault, HandIn, Person
from .people import People
from .roster import Row
from .rules import Rules
from .texts import some
from .times_known import KnownTimes
from .times_told import Times
from .trees import Unreadable
from .versions import Version, in_order, of_several, why_weak
from .walking import Leaf, Trace, Walk
from .who import Who, key_of, shown_path, submitters, who_of, word_of


def take_in(source: pathlib.Path, labs: list[Lab], scratch: pathlib.Path, rules: Rules | None = None,
            rosters: Sequence[pathlib.Path] = (), times: Iterable[pathlib.Path] = ()) -> Class:
    """The class that `source` holds. The hand-ins for `labs` are copied to `scratch`/<id>/KERNEL.cu.

    `rosters` are lists of the class, and may say whose file is which where names do not. `rules` give the time zone of
    systems that do not say theirs, and how many attempts count. `times` are files for times_told.py. Raises a Problem if one of the
    files cannot be read at all.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    taken = scratch / ".taken"
    shutil.rmtree(taken, ignore_errors=True)
    taken.mkdir()
    try:
        all_labs = _all_labs(labs)
        said, rules = Mapping(rosters), rules or Rules(all_labs)
        said.check_labs(all_labs)
        walk = Walk(source, scratch, taken, all_labs, said, rules.zone)
        told = Times(times, walk.names, rules.zone, said.rosters)
        return _Intake(walk, {lab.name for lab in labs}, rules, told).run()
    finally:
        shutil.rmtree(taken, ignore_errors=True)


class _Intake:
    def __init__(self, walk: Walk, wanted: set[str], rules: Rules, times: Times):
        self.walk, self.wanted, self.rules, self.times = walk, wanted, rules, times
        self.labs, self.mapping, self.given = walk.labs, walk.mapping, walk.source.resolve().name
        self.names = walk.names
        self.listed = {key for row in self.mapping.entries for key in row.keys.items()}
        self.functions = [_functions(lab) for lab in self.labs]
        self.notes: list[str] = times.notes
        self.asks: list[str] = []
        self.not_read: dict[str, str] = {}
        self.several_in: dict[str, set[str]] = {}  # whom what was not read as an export names
        self.not_wanted: list[Leaf] = []  # files for labs that are not graded this time
        self.doubtful: dict[str, list[str]] = {}  # by the person's id: folders that may be several people's
        self.assignments = Assignments(walk, self.given, self.not_wanted)
        self.known_times = KnownTimes(self.assignments, times, rules)

    def run(self) -> Class:
        self.walk.run()
        listed = {row.keys["login"].casefold() for row in self.mapping.entries if "login" in row.keys}
        self.mapping.logins = blackboard.logins(self.walk.leaves, [trace.path for trace in self.walk.traces], listed)
        versions = self.identified()
        found = [*self.named, *(version.who for version in versions)]
        self.assignments.tell(versions)
        versions = [version for version in versions if not self.is_stray_starter(version)]
        traces = self.traced(found)
        people = People(list(dict.fromkeys([*found, *(who for _, whose in traces for who in whose)])), self.mapping, self.notes, self.asks)
        self.tell_named_inside(versions, people)
        self.known_times.extend(versions, people)
        hand_ins = self.chosen(versions, people)
        self.notes += self.mapping.unused()
        hand_ins.sort(key=lambda hand_in: (hand_in.person.id, hand_in.lab.name, hand_in.version))
        everyone, unlisted = sorted(people.all(), key=lambda person: (person.name.casefold(), person.id)), people.on_no_roster()
        self.notes += [f"{person.name} is on no roster: {unlisted[person.id]}." for person in everyone if person.id in unlisted] + people.said_of_no_students()
        seen = self.seen_of(traces, versions, people)
        self.ask_who(everyone, hand_ins, seen, people)
        submitted = self.submitted(everyone, versions, people)
        return Class(self.walk.source, everyone, hand_ins, self.walk.others(), list(dict.fromkeys(self.notes)), seen,
                     people.on_rosters_alone(), set(unlisted), self.mapping.rosters, list(dict.fromkeys(self.asks)), self.not_read, submitted, self.excused(everyone), people.may_be(),
                     self.assignments.numbers(versions, traces, people), [shown for shown, whom in self.several_in.items() if len(whom) > 1])

    def ask_who(self, everyone: list[Person], hand_ins: list[HandIn], seen: dict[str, list[tuple[str, str, str]]], people: People) -> None:
        """Who is on no roster may be one of those on it who have handed in nothing, or nothing for a lab of theirs."""
        unlisted, alone = people.on_no_roster(), people.on_rosters_alone()
        strangers = list(dict.fromkeys(hand_in.person for hand_in in hand_ins if hand_in.person.id in unlisted))
        there = {(hand_in.person.id, hand_in.lab.name) for hand_in in hand_ins} | {(id_, lab) for id_, found in seen.items() for lab, _, _ in found}
        labs = [lab for lab in self.labs if any((person.id, lab.name) in there for person in strangers)]
        nothing = [person.name for person in everyone if person.id in alone]
        for person in (person for person in everyone if person.id not in unlisted and person.id not in alone and (person.id, "") not in there):
            if lost := [lab.number for lab in labs if (person.id, lab.name) not in there]:
                nothing.append(f"{person.name} (lab {', '.join(lost)})")
        if strangers and nothing:
            self.asks.append(f"On no roster: {some([f'{person.name} ({unlisted[person.id]})' for person in strangers])}. On a roster, with nothing handed in: {some(nothing)}. Where one "
                             "of these is one of those, a roster's row with the path, or with a key of both, says it.")

    def excused(self, everyone: list[Person]) -> list[tuple[str, Person, str]]:
        """Who is excused by the files of times."""
        return [(file, person, lab.name) for person in everyone for at, lab in enumerate(self.labs) if lab.name in self.wanted
                if (file := self.times.excused.get((person.keys.get("canvas_id", ""), at)))]

    def submitted(self, everyone: list[Person], versions: list[Version], people: People) -> list[tuple[str, str, Person, str]]:
        """Who has submitted something by the files of times."""
        names = collections.Counter(word_of(person.name) for person in everyone)
        found = [(file, system, person, lab.name) for person in everyone for at, lab in enumerate(self.labs) if lab.name in self.wanted
                 for file, system in self.times.submissions(person, at, names[word_of(person.name)])]
        labs_of: dict[str, set[int]] = {}  # an assignment that names no lab is for those that its clones have files for
        here = {pushed.repository: pushed.file for pushed in self.times.pushed}
        for version in (version for version in versions if version.leaf.around.repository):
            labs_of.setdefault(here.get(version.leaf.around.repository.base.casefold(), ""), set()).add(version.lab)
        cloned = {repository.base.casefold() for repository in self.walk.repositories}
        given, unknown = self.given_clones(versions, people), []
        for pushed in self.times.pushed:
            person = people.told(pushed.identifier, pushed.user)
            if person is None:
                unknown += [harmless.shown(pushed.repository)] if pushed.repository not in cloned else []
            elif not given & {(pushed.repository, ""), (pushed.repository, person.id)}:
                given.add((pushed.repository, person.id))
                labs = {pushed.lab} if pushed.lab is not None else labs_of.get(pushed.file) or {*range(len(self.labs))}
                found += [(pushed.file, "GitHub", person, self.labs[at].name) for at in sorted(labs) if self.labs[at].name in self.wanted]
        self.asks += [f"GitHub Classroom's grades list {some(list(dict.fromkeys(unknown)))}, and neither the clone nor whose it is "
                      "is here: clone it, or give the classroom's roster."] if unknown else []
        return found

    def given_clones(self, versions: list[Version], people: People) -> set[tuple[str, str]]:
        """Which clone was given to whom: the repository's name and an id; none where a roster's row with the path has decided it."""
        found = {(version.leaf.around.repository.base.casefold(), people.of(version.who).id) for version in versions if version.leaf.around.repository}
        named = set(self.named)
        for repository in self.walk.repositories:
            row, name = self.mapping.row(repository.path), repository.base.casefold()
            found |= {(name, people.of(who).id) for who in self.users[repository.path][0] if who in named} if repository.path in self.users else set()
            if row and row.names_person and row.person and row.lab != "-" and len(self.times.members(name)) > 1:  # the row is about one member of a team
                found.add((name, row.person.id))
            elif self.mapping.says_whose(repository.path):
                found.add((name, ""))
        return found

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

    def seen_of(self, traces: list[tuple[Trace, list[Who]]], versions: list[Version], people: People) -> dict[str, list[tuple[str, str, str]]]:
        found: dict[str, list[tuple[str, str, str]]] = {}
        for version in (version for version in versions if version.is_stray):
            found.setdefault(people.of(version.who).id, []).append((self.labs[version.assignment].name, f"{version.leaf.shown}: It is for {self.labs[version.lab].name}.",
                                                                    version.system_name))
        for trace, whose in traces:
            named = [part.lab for part in map(self.names.read, map(naming.stem, trace.path)) if part.strength > 1]
            at = trace.lab if trace.lab is not None else named[-1] if named else None
            lab = self.labs[at].name if at is not None else ""
            owner, _ = self.mapping.owner_in(trace.path)
            system = owner.system if owner else "GitHub" if any("github" in who.keys for who in whose) else ""
            for person in {people.of(who).id for who in whose}:
                found.setdefault(person, []).append((lab, f"{shown_path(trace.path)}: {trace.why}", system))
        return found

    # ---- whose, and for which lab -----------------------------------------------------------------------------------------

    def identified(self) -> list[Version]:
        """The files that are for a lab, each with its person. What says whose a file is is the outermost thing that does, if it is the
        class's: what lies in one person's folder or archive speaks for no other person."""
        versions: list[Version] = []
        found: list[tuple[Leaf, list[naming.Named], naming.Owner | None, int | None, str]] = []
        self.users = users = clones.users_of_clones(self.walk, self.times, self.given, self.notes, self.asks)
        named_by_clones = {who for whose, _ in users.values() for who in whose}
        for leaf in self.walk.leaves:
            row = self.mapping.row(leaf.path)
            if row and row.lab == "-":
                self.walk.see(leaf.path, "aside", f"{row.where}, leaves it out.")
                continue
            owner, at = self.mapping.owner_in(leaf.path)
            parts = self.parts(leaf, owner, at)
            if not self.has_lab(leaf, parts, row):
                if leaf.fault:
                    self.walk.see(leaf.path, "fault", f"It {leaf.fault.why}.")
                continue
            submission, repository = leaf.around.submission, leaf.around.repository
            if row and row.names_person:
                clone = repository.path if repository and repository.path in users else None
                versions.append(self.version(leaf, self.mapping.who(row), parts, owner, clone))
                continue
            whose, user_at = users.get(repository.path, ([], 0)) if repository else ([], 0)
            places = {"owner": at if owner else None, "submission": leaf.around.submission_at if submission and submission.people else None,
                      "user": user_at if whose else None}
            place, kind = min(((place, kind) for kind, place in places.items() if place is not None), default=(None, "hand"))
            found.append((leaf, parts, owner, place, kind))
        people = [(path, at, who) for path, at, who in [*self.walk.people, *self.clones_and_owners(users)] if not self.mapping.owner_in(path[:at])[0]
                  and not self.mapping.says_whose(path)]
        named = [(path, at) for path, at, _ in people]
        rooted = self.folders_of_the_class([*named, *((leaf.path, place) for leaf, _, _, place, _ in found)])
        self.named = [who for path, at, who in people if path[:at] in rooted]
        systems = [(path, at, "GitHub" if who in named_by_clones else "Gradescope") for path, at, who in people]
        systems += [(leaf.path, place, "GitHub" if kind == "user" else "Gradescope") for leaf, _, _, place, kind in found if place is not None]
        for path, at, system in systems:
            if path[:at] not in rooted:
                owner = self.mapping.owner_of(path[at])
                self.not_read.setdefault(owner.system if owner else system, shown_path(path[:at]))
                self.several_in.setdefault(shown_path(path[:at]), set()).add(_named(owner) if owner else path[at])
        for path, folders in self.walk.not_read.items():
            self.not_read.setdefault("Gradescope", shown_path(path))
            self.several_in.setdefault(shown_path(path), set()).update(folders)
            above = f"{shown_path(path[:-1])} is a person's. Move {path[-1]} up, out of it"
            by_name = "the folder is a person's. Give it the name of the download, such as assignment_1234_export"
            self.asks.append(f"{shown_path(path)} has Gradescope's list of several people, which was not read: by its name "
                             f"{above if naming.may_be_export(path[-1]) and path[:-1] else by_name}, or give it to grade by itself.")
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
                clone = leaf.around.repository.path
                versions += [self.version(leaf, who, parts, None, clone) for who in users[clone][0]]
        found_by_hand = list(named_by_hand(by_hand, self.names.read(naming.stem(self.given)).rest, self.walk))
        in_archives = [(leaf.path, place or 0 if self.archive_above(leaf.path, place or 0) else None) for leaf, _, _, place in found_by_hand]
        rooted = self.folders_of_the_class([*named, *by_system, *in_archives])
        for (leaf, parts, words, named_at), (path, place) in zip(found_by_hand, in_archives):
            if words is None or (place is not None and path[:place] not in rooted):
                self.walk.see(leaf.path, "unknown", f"It is for {self.labs[leaf.lab or 0].name}, but its path does not say whose it is.")
                continue
            where = leaf.path[:(named_at or 0) + 1]
            versions.append(self.version(leaf, Who(words, key_of(words), by_hand=True, path=where, source=leaf.shown), parts, None))
            if named_at is None:
                versions[-1].folder = ()
        return versions

    def clones_and_owners(self, users: dict[tuple[str, ...], tuple[list[Who], int]]) -> list[tuple[tuple[str, ...], int, Who]]:
        """Whom clones, and systems' names of what is no hand-in, name: they are in the class, whatever they have handed in."""
        found = [((*path, ""), at, who) for path, (whose, at) in users.items() for who in whose]
        inside = {path[:at + 1] for path, at, _ in [*self.walk.people, *found]}
        for trace in self.walk.traces:
            owner, at = self.mapping.owner_in(trace.path)
            if owner and not any(trace.path[:length] in inside for length in range(1, at + 1)):
                found.append((trace.path, at, who_of(owner, trace.path[:at + 1])))
        return found

    def archive_above(self, path: tuple[str, ...], place: int) -> bool:
        return any(path[:length] in self.walk.archives for length in range(1, place + 1))

    def folders_of_the_class(self, names: list[tuple[tuple[str, ...], int | None]]) -> set[tuple[str, ...]]:
        """The folders and archives that are the class's and not one person's. `names` are the paths of files, each with the component
        that names its person, or None where a folder at hand does.

        What was given is the class's; in it those that have the names inside, if they are more than those beside them which are
        persons' themselves, and what is_export() finds. Another archive that has a person's name is that person's, and names no other.
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
            fit = fit if 2 * len(fit) > len(below) else set()
            fit |= holding if self.hold_classes(place, below) else set()
            fit |= {child for child in holding if self.is_export(child, below[child])}
            waiting += [(child, below[child]) for child in fit]
            self.asks += [f"{shown_path(child)} was taken for one person's, and the names of others in it were kept apart. If it holds a class, give it "
                          "alone; else a roster's row with its path says whose it is." for child in holding - fit]
        return rooted

    def hold_classes(self, place: tuple[str, ...], below: dict[tuple[str, ...], list[tuple[tuple[str, ...], int | None]]]) -> bool:
        """Whether all that lies in a place are archives of a system's names, each of several people: of one student's, another one would lie beside."""
        for child, inside in below.items():
            owners = [self.mapping.owner_of(path[at]) if at == len(child) else None for path, at in inside]
            if child not in self.walk.archives or None in owners or len(set(map(_named, owners))) < 2:
                return False
        others = [trace for trace in self.walk.traces if trace.path[:len(place)] == place and trace.path[:len(place) + 1] not in below]
        return not others and (len(below) > 1 or all(self.are_listed([self.mapping.owner_of(path[at]) for path, at in inside]) for inside in below.values()))

    def are_listed(self, owners: list[naming.Owner]) -> bool:
        """Whether most of them are a roster's."""
        return 2 * sum(any(key in self.listed for key in owner.keys) for owner in owners) > len(owners)

    def is_export(self, place: tuple[str, ...], inside: list[tuple[tuple[str, ...], int | None]]) -> bool:
        """Whether a folder or archive holds a system's names, and is called as it calls an export, or has not a person's name and most of its
        names are a roster's."""
        own = {path[at] for path, at in inside if at == len(place)}
        owners = [owner for name in own if (owner := self.mapping.owner_of(name))]
        is_listed = self.are_listed(owners) and 2 * len(owners) > len(own)
        is_called_so, is_persons = naming.may_be_export(place[-1]), self.walk.names_person(place[-1])
        return (is_called_so or not is_persons) if is_listed else bool(own) and is_called_so and not is_persons

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
            leaf.lab = next(index for index, lab in enumerate(self.labs) if lab.is_called(row.lab))
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
                if naming.is_blackboards_text(leaf.path[-1]) and not leaf.fault:
                    self.walk.see(leaf.path, "aside", "It is Blackboard's text on an attempt.")
                    return False
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
            self.not_wanted += [] if leaf.fault else [leaf]
            leaf.fault = None
            return False
        return True

    def defined(self, leaf: Leaf, lab: int) -> set[str]:
        """The functions of a lab that a file defines."""
        try:
            return _definitions(leaf.read().decode("utf-8", "replace")) & self.functions[lab]
        except Unreadable:
            return set()

    def lab_by_content(self, leaf: Leaf) -> tuple[int | None, set[str]]:
        """The lab most of whose functions a file defines, if it is one, and these functions."""
        defined = [self.defined(leaf, lab) for lab in range(len(self.labs))]
        most = max(map(len, defined), default=0)
        if most == 0 or sum(len(each) == most for each in defined) > 1:
            return None, set()
        return next((lab, each) for lab, each in enumerate(defined) if len(each) == most)

    def version(self, leaf: Leaf, who: Who, parts: list[naming.Named], owner: naming.Owner | None, clone: tuple[str, ...] | None = None) -> Version:
        assert leaf.lab is not None
        submission = leaf.around.submission
        row = self.mapping.row(leaf.path)
        submitted = row.submitted if row else None
        if submitted is None and submission:
            submitted = submission.time
        if submitted is None and owner and owner.time and self.rules.zone:
            submitted = owner.time.replace(tzinfo=self.rules.zone)
        system, word = (owner.version, owner.version_word) if owner else ((), "")
        if submission and submission.time:
            system, word = (submission.time.timestamp(),), "Gradescope's time"
        if submission and submission.earlier:
            self.notes.append(f"{leaf.shown} is upload number {submission.earlier + 1}; the earlier ones are not in Gradescope's export.")
        source = ("Gradescope",) if submission else (owner.system, owner.number * (owner.system == "Moodle")) if owner else ("", *clone) if clone else ()
        folder = who.path[:-1] if who.path == leaf.path else who.path
        return Version(leaf, who, leaf.lab, source, folder, system, word, parts[-1].version, submitted, bool(owner and owner.late),
                        leaf.elsewhere or not naming.is_source(leaf.path[-1]), by_roster=bool(row and row.submitted))

    def tell_named_inside(self, versions: list[Version], people: People) -> None:
        """What is named as another person in one's folder or archive stays this one's, and is said."""
        called: dict[str, set[Person]] = {}
        for person in people.all():
            for word in {person.name, *person.keys.values()}:
                called.setdefault(word_of(word), set()).add(person)
        whose: dict[tuple[str, ...], set[Person]] = {}
        for version in versions:
            whose.setdefault(version.leaf.path, set()).add(people.of(version.who))
        for version in versions:
            own, path = people.of(version.who), version.leaf.path
            for at in range(len(version.who.path), len(path)):
                owner = self.mapping.owner_of(naming.strip_archive(path[at]))
                words = {owner.name, *dict(owner.keys).values()} if owner else {self.names.read(naming.stem(path[at])).rest}
                meant = set().union(*(called.get(word_of(word), set()) for word in words))
                if not whose[path] & meant and (meant or owner):
                    others = ", ".join(sorted(person.name for person in meant)) or harmless.name(owner.name)
                    self.notes.append(f"{shown_path(path[:at + 1])} names {others}, and stays {own.name}'s, in whose folder or archive it lies.")

    def is_stray_starter(self, version: Version) -> bool:
        """Whether a file that was handed in for another lab is as it was given out; lists it."""
        is_starter = version.is_stray and self.walk.is_starter(version.leaf)
        if is_starter:
            self.walk.see(version.leaf.path, "given", f"It is the starter of {self.labs[version.lab].name}, unchanged.", lab=version.assignment)
        return is_starter

    # ---- which version ----------------------------------------------------------------------------------------------------

    def chosen(self, versions: list[Version], people: People) -> list[HandIn]:
        groups: dict[tuple[str, int], list[Version]] = {}
        for version in versions:
            group = groups.setdefault((people.of(version.who).id, version.lab), [])
            group += [version] if all(other.leaf is not version.leaf for other in group) else []  # of a team, a person may have two logins
        hand_ins = []
        self.doubtful, merged = of_several([(version, people.of(version.who)) for version in versions], self.names)
        self.asks += [f"By the name alone, folders in several others are one person's here: {some(merged)}. Where they are those of several people, a roster's row with each path "
                      "says whose it is."] if merged else []
        called = {(word_of(person.name), person.id) for person in people.all()}
        called |= {(word_of(version.who.name), people.of(version.who).id) for version in versions}
        names = collections.Counter(name for name, _ in called)
        for (_, lab), group in groups.items():
            person = people.of(group[0].who)
            for version in group:
                self.known_times.tell(version, names[word_of(version.who.name)], person)
            for_lab = self.hand_ins_of(person, self.labs[lab], group)
            for hand_in in for_lab:
                hand_in.doubt = self.doubtful.get(person.id, []) if any(not version.source for version in group) else []
            hand_ins += for_lab
        notes, asks = self.known_times.said()
        self.notes += notes
        self.asks += asks
        return hand_ins

    def hand_ins_of(self, person: Person, lab: Lab, group: list[Version]) -> list[HandIn]:
        for version in group if len(group) > 1 else []:
            version.leaf.probe()
        group = self.without_second_downloads(group)
        given = sorted((version.digest, str(version.submitted or "")) for version in group)
        own = [version for version in group if version.assignment == version.lab and not version.leaf.fault and not self.walk.is_idle(version.leaf)
               and (self.defined(version.leaf, version.lab) or not self.functions[version.lab])]
        strays = [version for version in group if own and version.is_stray]
        group = [version for version in group if version not in strays]
        readable = [version for version in group if not version.leaf.fault]
        idle = [version for version in readable if len(group) > 1 and self.walk.is_idle(version.leaf)]
        worked = [version for version in readable if version not in idle]
        with_functions = [version for version in worked if len(worked) > 1 and self.defined(version.leaf, version.lab)]
        idle += [version for version in worked if with_functions and version not in with_functions]
        candidates, most = [version for version in readable if version not in idle] or readable or group, self.rules.attempts.most
        attempts = [version for version in candidates if not version.weak] if most else []  # a weak file is no earlier attempt than the right one
        order, by = in_order(attempts or candidates)
        counted = order[:most]
        newest = counted[-1]
        strays = self.tell_strays(person, lab, newest, strays, own)
        rest = [version for version in [*(each for each in group if each not in order), *order] if version is not newest]
        self.tell(person, lab, newest, rest, order, by, [] if newest in idle else idle)
        made = []
        systems = frozenset("another assignment" if version.is_stray else version.system_name for version in group)
        for number, version in enumerate(reversed(counted) if self.rules.grades_all_attempts else [newest]):
            made.append(self.hand_in(person, lab, version, number, [other.leaf.shown for other in [*rest, *strays]] if number == 0 else []))
            made[-1].systems, made[-1].given = systems, given
        return made

    def without_second_downloads(self, group: list[Version]) -> list[Version]:
        """What a system has exported twice counts once: the same bytes, in the same place below what holds an export, and handed in at the same time."""
        found: dict[tuple, Version] = {}
        for version in group:
            named = version.source and version.source[0] and not version.by_roster and not version.leaf.fault
            key = (version.source, version.system, version.leaf.path[self.assignments.place(version):], version.digest, version.submitted, version.late) if named else (id(version),)
            if (first := found.setdefault(key, version)) is not version:
                self.walk.see(version.leaf.path, "given", f"It is the same as {first.leaf.shown}.", trace=False)
        return [*found.values()]

    def hand_in(self, person: Person, lab: Lab, version: Version, number: int, others: list[str]) -> HandIn:
        hand_in = HandIn(person, lab, pathlib.Path(), version.leaf.shown, submitted=version.submitted, late=version.late, late_by=version.late_by,
                         others=others, version=number)
        if not version.by_roster:
            hand_in.draft = self.times.drafts.get(version.moodles_number, "")
        hand_in.file = self.walk.scratch / hand_in.id / f"{lab.facts.kernel}.cu"
        try:
            data = version.leaf.read()
        except Unreadable as why:
            hand_in.fault = Fault(why.id, f"{hand_in.shown} {why.why}.")
            with contextlib.suppress(OSError):  # no file of an earlier run stands in for one that cannot be read now
                hand_in.file.unlink()
            return hand_in
        hand_in.sha256 = version.digest
        files.write(hand_in.file, data)
        return hand_in

    def tell_strays(self, person: Person, lab: Lab, newest: Version, strays: list[Version], own: list[Version]) -> list[Version]:
        """What is to be said of files that were handed in for another lab. Returns those that do not count and are not the same as one handed in for
        this one."""
        who = f"{person.name}, {lab.name}"
        if newest.is_stray:
            self.notes.append(f"{who}: {newest.leaf.shown} counts, which was handed in for {self.labs[newest.assignment].name}: no work was handed in for {lab.name} itself.")
        same = {version.leaf.read() for version in own} if strays else set()
        others = []
        for version in strays:
            if not version.leaf.fault and version.leaf.read() in same:
                self.walk.see(version.leaf.path, "given", f"It was handed in for {self.labs[version.assignment].name}, and is the same as what was handed in for {lab.name}.", trace=False)
            else:
                others.append(version)
        if others:
            listed = some([f"{version.leaf.shown} (for {self.labs[version.assignment].name})" for version in others])
            self.notes.append(f"{who}: what was handed in for another lab does not count where there is work that was handed in for this one: {listed}.")
        return others

    def tell(self, person: Person, lab: Lab, newest: Version, rest: list[Version], order: list[Version], by: list[str],
             idle: list[Version]) -> None:
        """What is to be said of one person's files for one lab, of which those in `order` are attempts, each newer than the one before `by` something."""
        who = f"{person.name}, {lab.name}"
        leaf = newest.leaf
        if leaf.by_content:
            self.notes.append(f"{who}: {leaf.shown} was recognised by what it defines ({leaf.by_content} of the lab's functions).")
        if not rest:
            return
        most, best = self.rules.attempts.most, self.rules.grades_all_attempts
        place, is_cut = order.index(newest), bool(most) and len(order) > (most or 0)
        why = [*([by[place]] if place and not best else []), *([by[place + 1]] if is_cut else [])]  # what tells it from the attempts before and after it
        reason = " and ".join(dict.fromkeys(why))
        if len(order) == 1:
            reason = "because the other " + rest[0].leaf.fault.why if rest[0].leaf.fault else why_weak(rest[0]) if rest[0].weak and rest[0] not in idle else (
                "because the other is as it was given out where the TODOs are, empty, or without a function of the lab")
        elif "" in why and not newest.source and person.id in self.doubtful:
            return  # whose they are is asked about first
        elif "" in why:
            known = "; ".join(f"{version.leaf.shown}, {self.rules.when(version.submitted)}" for version in [newest, *reversed(rest)][:4])
            self.asks.append(f"{who}: {leaf.shown} counts for now, because nothing that a system vouches for says which file is the newest ({known}). In a roster "
                             "of your own a row for each path, with the time in the column submitted, says it; or the lab - leaves one out.")
            return
        elif best:  # which one it is is known when they are graded
            counts = f"the best of the first {most} attempts counts" if most and most > 1 else "the first attempt alone counts"
            self.notes += [f"{who}: {counts}, {reason}; not: {', '.join(version.leaf.shown for version in order[most:])}."] if is_cut else []
            return
        elif is_cut:
            reason = f"as the last of the {most} attempts that count, {reason}" if most != 1 else f"as the first attempt, which alone counts, {reason}"
        elif reason.startswith("by "):
            reason = f"as the newest {reason}"
        without = f" Without work, whatever their times are: {', '.join(version.leaf.shown for version in idle)}." if idle and len(order) > 1 else ""
        self.notes.append(f"{who}: {leaf.shown} counts, {reason}; not: {some([version.leaf.shown for version in rest])}.{without}")


# ---- labs and files -------------------------------------------------------------------------------------------------------

def _all_labs(labs: list[Lab]) -> list[Lab]:
    """All labs of the workbook, so that a file for another lab than the wanted ones is known as such."""
    if not labs:
        return []
    return [Lab(path) for path in lab_facts.folders(labs[0].folder.parent)] or labs


def _named(owner: naming.Owner) -> str:
    """Whom a system names, where that is known."""
    return str((owner.system, owner.name, owner.keys))


_DEFINITION = re.compile(r"\b(\w+)\s*\([^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*\)\s*(?:noexcept\s*)?\{")


@functools.lru_cache(16)
def _definitions(text: str) -> frozenset[str]:
    return frozenset(_DEFINITION.findall(text))


def _functions(lab: Lab) -> set[str]:
    """The functions of a lab's contract."""
    try:
        text = (lab.folder / "lab.hpp").read_text(encoding="utf-8")
    except OSError:
        return set()
    return lab_facts.contract_functions(text)
