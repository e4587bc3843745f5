"""What the parts of ./warpbook grade pass to each other."""
from __future__ import annotations

import dataclasses
import datetime
import pathlib
from typing import Iterable

from .. import results
from ..results import Verdict, number
from ..workbook import Lab
from . import harmless


@dataclasses.dataclass(frozen=True)
class Person:
    """One student, or one team.

    `id` is unique in the class, ASCII letters, digits, - and _, and stands in file names and test names. `name` is what people
    read, in full Unicode. `keys` are what the systems call this person: moodle_id, canvas_id, login, email, github, sid.
    """

    id: str
    name: str
    keys: dict[str, str] = dataclasses.field(default_factory=dict, hash=False)

    @property
    def folder(self) -> str:
        """What the person's folder of feedback is called: the id, which is ASCII, behind a name that ASCII cannot spell."""
        words = harmless.words_of_any_script(self.name)
        return f"{words[:40]}-{self.id}" if any(not harmless.ascii_words(letter) for letter in words if letter.isalnum()) else self.id


@dataclasses.dataclass(frozen=True)
class Fault:
    """Why a file cannot be graded: a stable id, as diagnoses have, and a sentence."""

    id: str
    sentence: str


@dataclasses.dataclass
class HandIn:
    """One person's newest file for one lab.

    `file` is the copy that is graded; `shown` says where it came from, below the folder or archive that was given. A hand-in
    with a `fault` gets 0 points and its sentence, and costs the rest of the class nothing.
    """

    person: Person
    lab: Lab
    file: pathlib.Path
    shown: str
    sha256: str = ""
    submitted: datetime.datetime | None = None  # aware, where the system that collected it says so
    late: bool = False  # the system's own mark
    late_by: datetime.timedelta | None = None  # by the system's own deadline, where it says so
    others: list[str] = dataclasses.field(default_factory=list)  # versions that do not count, as `shown`
    systems: frozenset[str] = frozenset()  # that gave the person's files for the lab; "": no one knows
    given: list[tuple[str, str]] = dataclasses.field(default_factory=list)  # what each of the person's files for the lab is, and when it was submitted
    version: int = 0  # 0: the newest; 1, 2, …: attempts before it, only where the course's rules let the best one count
    fault: Fault | None = None
    doubt: list[str] = dataclasses.field(default_factory=list)  # the folders that may be those of several people
    draft: str = ""  # the worksheet by which it is a draft that was not submitted

    @property
    def all_shown(self) -> str:
        """This file and those that do not count, in words."""
        return " and ".join([self.shown, *self.others])

    @property
    def id(self) -> str:
        """Unique in the class: 01.alice, and 01.alice.1 for the attempt before it."""
        return f"{self.lab.number}.{self.person.id}" + (f".{self.version}" if self.version else "")


@dataclasses.dataclass(frozen=True)
class Seen:
    """Something in what was given that is no hand-in, and why: `kind` is given (the starter's own text, a known file of
    a clone), aside (by its name no source: a PDF), unknown (no lab knows it) or fault (it could not be read). An entry may
    stand for a folder with `count` files."""

    shown: str
    kind: str
    why: str
    count: int = 1

    @property
    def is_left_over(self) -> bool:
        """Whether someone has to look at it."""
        return self.kind in ("unknown", "fault")


@dataclasses.dataclass
class Class:
    """Everything that intake found. Whatever was seen is a hand-in, another version of one, or in `others`."""

    source: pathlib.Path
    people: list[Person]
    hand_ins: list[HandIn]
    others: list[Seen]
    notes: list[str]  # decisions to report: which version won, which name was made unique
    seen_of: dict[str, list[tuple[str, str, str]]] = dataclasses.field(default_factory=dict)  # a person's: lab, or "", what is no hand-in, system
    on_rosters_alone: set[str] = dataclasses.field(default_factory=set)  # ids
    on_no_roster: set[str] = dataclasses.field(default_factory=set)  # ids, where a roster says who is in the class
    rosters: list = dataclasses.field(default_factory=list)  # roster.Roster, as they were given
    asks: list[str] = dataclasses.field(default_factory=list)  # what a person has to look at: a guess, or a file that was not written
    not_read: dict[str, str] = dataclasses.field(default_factory=dict)  # by systems' names: what may be an export of them, and was not read as one

    submitted: list[tuple[str, str, Person, str]] = dataclasses.field(default_factory=list)  # said by: file, system; of whom, for which lab
    excused: list[tuple[str, Person, str]] = dataclasses.field(default_factory=list)  # likewise: who is excused, by files of times
    may_be: dict[str, set[str]] = dataclasses.field(default_factory=dict)  # by id: who may be this person, for all that is known
    numbers: dict[str, dict[str, str]] = dataclasses.field(default_factory=dict)  # by the lab's name: Moodle's numbers in its assignment, by ids
    classes_not_read: list[str] = dataclasses.field(default_factory=list)  # of `not_read`, what names several people

    def saw(self, person: Person, lab: Lab) -> list[str]:
        """What there is of a person and is no hand-in for a lab, in sentences."""
        seen = self.seen_of.get(person.id, [])
        return list(dict.fromkeys([each for about, each, _ in seen if about == lab.name] + [each for about, each, _ in seen if not about]))

    def saw_from(self, system: str, person: Person, lab: Lab) -> bool:
        """Whether some of it may have come from a system."""
        return any(about in ("", lab.name) and of in ("", system) for about, _, of in self.seen_of.get(person.id, []))

    def why_missing(self, person: Person, lab: Lab) -> str:
        """Why a person has no hand-in for a lab, in sentences."""
        if said := self.saw(person, lab):
            more = f" (and {len(said) - 3} more)" if len(said) > 3 else ""
            return f"No work on this lab was found. {' '.join(said[:3])}{more}"
        return "Handed in nothing." if person.id in self.on_rosters_alone else "No file was handed in."


@dataclasses.dataclass(frozen=True)
class Correction:
    """What a person says of a mark: other points, or a comment alone."""

    author: str
    comment: str
    points: float | None = None

    def sentence(self, instead_of: float) -> str:
        return f"{self.author}: {self.comment}" + ("" if self.points is None else f" ({number(self.points)} points instead of {instead_of}.)")


NOT_BEGUN = "Nothing is written yet where the TODOs are."


@dataclasses.dataclass
class Mark:
    """What one person gets for one lab under the course's rules. Without a hand-in `verdict` is None and the points are 0.

    `judged` is the grader's, with the rubric's points; `verdict` has the items that count, with their points in this course. `points`
    and `max_points` are what counts, after items left out, weights and late points, and `lateness_cost` is what these are. All have
    two decimals at most. `notes` say each rule that changed something, and what a person said, in a sentence for the student.
    """

    person: Person
    lab: Lab
    hand_in: HandIn | None
    judged: Verdict | None
    verdict: Verdict | None
    raw_max: float
    points: float
    max_points: float
    lateness_cost: float = 0
    notes: list[str] = dataclasses.field(default_factory=list)
    missing: str = "No file was handed in."  # why there is no hand-in or no mark, where there is none
    correction: Correction | None = None
    is_open: bool = False  # there is no mark yet, or never: excused, a file that did not come, a draft, one of several people's of one name
    excused: str = ""  # the system's own word where there is never one, such as EX

    def excuse(self, word: str, why: str) -> None:
        """Makes it no mark, which counts in no sum; what a person has said of it stays."""
        self.excused, self.is_open, self.missing = word, True, why
        self.points = self.max_points = self.lateness_cost = 0
        self.notes = self.notes[-1:] if self.correction else []

    def hold(self, why: str) -> None:
        """Keeps the points and the verdict back; what a person has said of it stays."""
        self.is_open, self.missing, self.points, self.lateness_cost = True, why, 0, 0
        self.notes = self.notes[-1:] if self.correction else []

    @property
    def is_held(self) -> bool:
        """Whether it is not decided yet."""
        return self.is_open and not self.excused

    @property
    def raw(self) -> float:
        """The rubric's points."""
        return self.judged.points if self.judged else 0

    @property
    def is_given(self) -> bool:
        """Whether a person has said the points. A comment alone decides nothing."""
        return self.correction is not None and self.correction.points is not None

    @property
    def undecided(self) -> bool:
        """Whether an item was not judged although the file was built: a defect here, not in the hand-in. Points that a person
        gives stand nevertheless."""
        return (not self.is_given and not self.excused and self.verdict is not None and self.verdict.build_failure is None
                and any(not result.graded for result in self.verdict.results))

    @property
    def not_begun(self) -> bool:
        """Whether the file is as the starter has it where something is to be written."""
        scores = self.verdict.scores() if self.verdict and not self.verdict.build_failure else []
        return bool(scores) and all(score.status == "failed" and not score.begun for score in scores)

    @property
    def unreadable(self) -> bool:
        """Whether the file is none that a compiler could read, which is more than a mistake in it."""
        failure = self.verdict.build_failure if self.verdict else None
        return failure is not None and not {"compile-error", "empty-file"} & set(failure.diagnoses)

    @property
    def why_no_file(self) -> str:
        """Why a file is none that can be judged, where a compiler has nothing to say of it: it is empty, or cannot be read."""
        failure = self.verdict.build_failure if self.verdict else None
        if self.hand_in and self.hand_in.fault:
            return self.hand_in.fault.sentence
        return failure.reason if failure and "compile-error" not in failure.diagnoses else ""

    @property
    def full(self) -> bool:
        return 0 < self.max_points == self.points and not self.undecided


def total(marks: Iterable[Mark]) -> tuple[float, float]:
    """What marks come to, and the most; of those that there are."""
    marks = [mark for mark in marks if not mark.is_open]
    return results.total(mark.points for mark in marks), results.total(mark.max_points for mark in marks)


@dataclasses.dataclass(frozen=True)
class Remark:
    """Something that the instructor may want to look at. It costs no points. `kind` is a stable id such as inline-assembly."""

    hand_in: str  # HandIn.id
    kind: str
    sentence: str
    line: int = 0


@dataclasses.dataclass(frozen=True)
class Likeness:
    """Two hand-ins for one lab that share text which the starter does not have. Shares are parts of one, 0 to 1."""

    first: str  # HandIn.id
    second: str
    share_of_first: float
    share_of_second: float
    lines: int


@dataclasses.dataclass
class Graded:
    """A class with its marks: what every output is made from."""

    class_: Class
    labs: list[Lab]
    marks: list[Mark]  # one per person and lab, people in the class's order
    rules: object  # rules.Rules
    confinement: str  # a sentence: how the hand-ins were confined
    seed: int
    backends: list[str]
    remarks: list[Remark] = dataclasses.field(default_factory=list)
    likenesses: list[Likeness] = dataclasses.field(default_factory=list)
    rubrics: dict[str, str] = dataclasses.field(default_factory=dict)  # by the lab's name: changes when what judges it does
    changes: list[list] = dataclasses.field(default_factory=list)  # all marks that a regrading has changed: rows of changes.COLUMNS

    def of(self, person: Person) -> list[Mark]:
        return [mark for mark in self.marks if mark.person == person]

    def by_lab(self, person: Person) -> dict[str, Mark]:
        return {mark.lab.number: mark for mark in self.of(person)}
