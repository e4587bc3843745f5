"""Whose file is it, for which lab, and which version? What the names say that real systems give.

Each system has one function or pattern, with where its rule is written down. A path is looked at component by component, from
the outside in; archives count as folders.
"""
from __future__ import annotations

import dataclasses
import datetime
import functools
import os
import re
import unicodedata


# ---- systems that collect files -------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Owner:
    """What a component of a path says of a person: the system, the name, and what the system calls this person."""

    system: str
    name: str
    keys: tuple[tuple[str, str], ...] = ()
    version: tuple[float, ...] = ()  # grows with each upload
    version_word: str = ""  # what `version` is, for readers
    rest: str = ""  # the name that the student gave the file, if it stands behind
    late: bool = False
    time: datetime.datetime | None = None  # naive: the system's local time
    number: str = ""  # the person's, and another one in each assignment
    may_be: tuple[str, ...] = ()  # logins, where the name does not say which of them it has


#: moodle/moodle, mod/assign/classes/downloader.php: "<full name>_<id>_assignsubmission_file", a folder since Moodle 3.1 (with an
#: underscore at its end before 4.1), before that and by choice a prefix of the file's name. Underscores of the name are blanks.
#: A team has its group's name and number, and those without a group no number. The id is another one for each assignment.
_MOODLE = re.compile(r"(?P<name>[^/]*?)(?:_(?P<id>\d+))?_assignsubmission_(?:file|onlinetext|comments)(?:_(?P<rest>.*))?", re.S)

#: instructure/canvas-lms, lib/content_zipper.rb: "<sortable name, lower case, word characters only>_[LATE_]<user>_<attachment>_
#: <file>"; an anonymous assignment has "anon_<five characters>" for the first two. Attachments are numbered as they come: a short number may
#: be a student's own word, and counts behind a user's number that is known.
_CANVAS = re.compile(r"(?=_(?P<late>LATE_)?(?P<id>[1-9]\d*)_(?P<attachment>[1-9]\d*)_(?P<rest>.))", re.S)
_CANVAS_ANONYMOUS = re.compile(r"(?P<late>LATE_)?anon_(?P<id>[A-Za-z0-9]{2,12})_(?P<attachment>[1-9]\d{2,})_(?P<rest>.+)", re.S)

#: Blackboard Learn's "Assignment File Download", as kwurst/bb-file-cleanup describes it: "<assignment>_<user>_attempt_<date>_
#: <file>", and a text file for each attempt without the last part. Where the user begins, blackboard.py finds out; what stands behind
#: the first time is a student's word.
_BLACKBOARD = re.compile(r"(?P<stem>.+?_(?P<id>[^_]+?))_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<rest>.+)|\.txt)", re.S)

#: D2L Brightspace: a folder, or a prefix of the file's name: "39786-640693 - Jane Doe - Oct 10, 2025 1022 AM" (the tests of
#: cqc_cpcc's reader of such zips; "10 October, 2025 1022 AM" where the day comes first).
_BRIGHTSPACE = re.compile(
    r"(?P<id>\d+-\d+) - (?P<name>.+?) ?- (?P<time>(?:\w{3,9}\.? \d{1,2}|\d{1,2} \w{3,9}\.?), \d{4} \d{3,4} ?(?:[AP]M)?)"
    r"(?: - (?P<rest>.+))?", re.S)


@functools.lru_cache(1 << 12)
def owner_of(component: str, canvas_ids: frozenset[str] = frozenset()) -> Owner | None:
    """The person that a component names in the form of one of the systems; None if it has no such form. `canvas_ids` are known."""
    if match := _MOODLE.fullmatch(component) or _MOODLE.fullmatch(without_copy(component)[0]):
        keys = (("moodle_id", match["id"]),) if match["id"] else ()
        return Owner("Moodle", match["name"], keys, rest=match["rest"] or "", number=match["id"] or "")
    if match := _BLACKBOARD.fullmatch(component):
        time = _time(match["time"], "%Y-%m-%d-%H-%M-%S")
        return Owner("Blackboard", match["id"], (("login", match["id"]),), _ordinal(time), "Blackboard's time of the attempt",
                     match["rest"] or "", time=time)
    if match := _BRIGHTSPACE.fullmatch(component) or _BRIGHTSPACE.fullmatch(without_copy(component)[0]):
        time = _brightspace_time(match["time"])
        return Owner("Brightspace", match["name"], (), _ordinal(time), "Brightspace's time", match["rest"] or "", time=time,
                     number=match["id"])
    if match := _CANVAS_ANONYMOUS.fullmatch(component):
        name = f"anon_{match['id']}"
        return Owner("Canvas", name, (("canvas_id", name),), (int(match["attachment"]),), "Canvas's number of the file",
                     match["rest"], bool(match["late"]))
    for match in _CANVAS.finditer(component):
        if not re.fullmatch(r"\w*", name := component[:match.start()]):
            break
        if len(match["attachment"]) > 2 or match["id"] in canvas_ids:  # the first of these: behind it are the student's words
            return Owner("Canvas", name, (("canvas_id", match["id"]),), (int(match["attachment"]),),
                         "Canvas's number of the file", component[match.start("rest"):], bool(match["late"]))
    return None


def blackboards_stem(component: str) -> str:
    """Of a name of Blackboard's export what stands for the assignment and the user; "" for another name."""
    match = _BLACKBOARD.fullmatch(component)
    return match["stem"] if match else ""


def is_blackboards_text(component: str) -> bool:
    """Whether it is called as the text that Blackboard writes for each attempt."""
    match = _BLACKBOARD.fullmatch(component)
    return bool(match) and match["rest"] is None


def _time(text: str, form: str) -> datetime.datetime | None:
    try:
        return datetime.datetime.strptime(text, form)
    except ValueError:
        return None


def _brightspace_time(text: str) -> datetime.datetime | None:
    date, year_and_clock = text.split(", ")
    clock = re.fullmatch(r"(\d{4}) (\d{1,2})(\d\d) ?([AP]M)?", year_and_clock)
    if not clock:
        return None
    year, hour, minute, half = clock.groups()
    date = date.replace(".", "")
    day, month = sorted(date.split(), key=lambda word: not word.isdigit())
    return (_time(f"{day} {month[:3]} {year} {hour} {minute} {half or ''}".strip(), "%d %b %Y %I %M %p" if half else "%d %b %Y %H %M"))


def _ordinal(time: datetime.datetime | None) -> tuple[float, ...]:
    return (time.replace(tzinfo=datetime.timezone.utc).timestamp(),) if time else ()


#: What systems call the archive, or the folder, of all hand-ins for an assignment: Gradescope, Moodle ("<course>-<assignment>-<number>"),
#: Blackboard, Brightspace. A second download has a number in brackets.
_EXPORT = re.compile(r"assignment_\d+_export|[^-]+-.+-\d\d+|gradebook_.+|.+ Download \w+ \d+, \d+ \d+ [AP]M", re.S)


def is_export(component: str) -> bool:
    """Whether a folder or archive is called as systems call what they export of a whole class."""
    return bool(_EXPORT.fullmatch(without_copy(strip_archive(component))[0]) or assignment_of(component))


def may_be_export(component: str) -> bool:
    """The same, where the number at an archive's end may be the assignment's, and not one that a browser gives to a second download."""
    return is_export(component) or bool(_EXPORT.fullmatch(os.path.splitext(component)[0]))


# ---- Gradescope's file of metadata ----------------------------------------------------------------------------------------


@dataclasses.dataclass
class Submission:
    """An entry of submission_metadata.yml."""

    people: list[dict[str, str]]  # name, sid, email
    time: datetime.datetime | None = None  # aware
    earlier: int = 0  # uploads before it, which the export does not hold


def gradescope_people(text: str) -> dict[str, Submission]:
    """The folders that submission_metadata.yml names, and their submitters. Only what is needed of YAML: the file is written by
    Ruby, with symbols for keys (":submitters:", "- :name: Jane Doe", ":sid:", ":email:", ":created_at:", ":history:")."""
    found: dict[str, Submission] = {}
    anchors: dict[str, str] = {}
    current: Submission | None = None
    section = ""
    for line in text.splitlines():
        if not line.strip() or line.startswith(("#", "---")):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if indent == 0 and line.rstrip().endswith(":"):
            folder, current, section = line.rstrip()[:-1], Submission([]), ""
            if re.fullmatch(r"submission_\d+", folder):
                found[folder] = current
            continue
        match = re.fullmatch(r"(?P<dash>(?:- )?)(?P<key>:\w+):(?: (?P<value>.*))?", line.strip())
        if current is None or not match:
            continue
        value = _scalar((match["value"] or "").strip(), anchors)
        if indent == 2 and not match["dash"]:
            section = match["key"]
            if section == ":created_at":
                current.time = aware(value)
        elif section == ":submitters" and indent <= 6:
            if match["dash"]:
                current.people.append({})
            if current.people and value:
                current.people[-1][match["key"][1:]] = value
        elif section == ":history" and indent <= 4 and match["dash"]:
            current.earlier += 1
    return found


def _scalar(text: str, anchors: dict[str, str]) -> str:
    """A scalar of YAML: plain, quoted once or twice, with an anchor or as an alias."""
    if match := re.fullmatch(r"\*(\w+)", text):
        return anchors.get(match[1], "")
    anchor = re.match(r"&(\w+) ", text)
    value = text[anchor.end():] if anchor else text
    if len(value) > 1 and value[0] == value[-1] == "'":
        value = value[1:-1].replace("''", "'")
    elif len(value) > 1 and value[0] == value[-1] == '"':
        short = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b", "0": "\0"}
        value = re.sub(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))",
                       lambda m: short.get(m[4], m[4]) if m[4] else _character(m[1] or m[2] or m[3]), value[1:-1])
    elif value in ("~", "null"):
        value = ""
    if anchor:
        anchors[anchor[1]] = value
    return value


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code < 0x110000 and not 0xd800 <= code < 0xe000 else "\ufffd"


def aware(text: str) -> datetime.datetime | None:
    """A system's time; without a zone it is UTC. None for what is no time."""
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?(?:\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)?", text)
    if not match:
        return None
    zone = match[4] or "Z"
    zone = "+0000" if zone in ("Z", "UTC") else zone.replace(":", "")
    try:
        return datetime.datetime.strptime(f"{match[1]} {match[2]}{match[3] or ':00'} {zone}", "%Y-%m-%d %H:%M:%S %z")
    except ValueError:
        return None


# ---- GitHub Classroom and Classroom 50 ------------------------------------------------------------------------------------

def repository_name(folder: str) -> str:
    """A clone's name without what GitHub's zips add to it, the branch or the commit, and without what makes a copy's name: its own has no blank and no bracket."""
    folder = without_copy(folder)[0] if re.search(r"[\s(]", folder) else folder
    return re.sub(r"(-main|-master|-[0-9a-f]{40}|\.git)$", "", folder)


def assignment_of(folder: str) -> str:
    """What all clones in a folder of this name begin with, by the tools that make such folders: "<assignment>-submissions"
    (github/gh-classroom, clone/student-repos) or "<classroom>-<assignment>_submissions_<time>" (foundation50/classroom50, `gh
    teacher download`). "" for another name."""
    match = re.fullmatch(r"(.+?)(?:-submissions|_submissions_\d{4}_\d\d_\d\d_T_\d\d_\d\d_\d\d)", strip_archive(folder))
    return match[1] if match else ""


def without_number(name: str) -> str:
    """A repository's name without what GitHub appends where a name is taken: -1, -2, and so on."""
    return re.sub(r"(?<=.)-[1-9]\d?$", "", name)


def user_of_repository(name: str, folder: str, all_names: list[str]) -> str:
    """The GitHub name in a clone's name, "<assignment>-<user>" or "<classroom>-<assignment>-<user>". The part in front is known
    from the folder of the clones; otherwise it is what all clones begin with. GitHub does not tell upper from lower case."""
    assignment = assignment_of(folder) + "-"
    if len(assignment) > 1 and name.casefold().startswith(assignment.casefold()) and len(name) > len(assignment):
        return name[len(assignment):]
    if len({other.casefold() for other in all_names}) > 1:
        parts = [other.casefold().split("-") for other in all_names]
        shared = min(len(os.path.commonprefix(parts)), min(map(len, parts)) - 1)  # at least one part is the user's
        return "-".join(name.split("-")[shared:])
    return name


# ---- names that people gave -----------------------------------------------------------------------------------------------

def strip_archive(name: str) -> str:
    """A name without the suffix of an archive."""
    return re.sub(r"(-\d+)?\.(zip|tar|tgz|tbz2?|txz|tar(-\d+)?\.(gz|bz2|xz))$", "", name, flags=re.I)


#: What a CUDA source may be called; a browser or a mail program adds .txt.
_SOURCE = re.compile(r"\.cu(?P<text>\.txt)?$", re.I)
#: What a student's file is called by mistake: taken if it defines functions of a lab, and nothing better is there.
_MAYBE_SOURCE = re.compile(r"\.(cpp|cc|cxx|c|cuda|cuh|h|hh|hpp|inl|txt|bak|old|orig|cu\.\w{1,4})$", re.I)


def is_source(name: str) -> bool:
    return bool(_SOURCE.search(name))


def may_be_source(name: str) -> bool:
    return bool(_MAYBE_SOURCE.search(name)) or "." not in name


def stem(name: str) -> str:
    """A file's name without its suffix, or an archive's."""
    for pattern in (_SOURCE, _MAYBE_SOURCE):
        if pattern.search(name):
            return pattern.sub("", name)
    return strip_archive(name)


_COPY = r"(?:kopie|copy|copia|cópia|kopia|copie)"
_COPY_IN_FRONT = re.compile(rf"{_COPY}(?:\s*\((?P<number>\d{{1,3}})\))?\s+(?:von|of|de|di|z)\s+", re.I)
_COPY_BEHIND = re.compile(rf"(?<=[\s_-]){_COPY}(?:\s*(?P<number>\d{{1,3}}))?$", re.I)
_IN_BRACKETS = re.compile(r"\((\d{1,3})\)$")


def without_copy(text: str) -> tuple[str, int]:
    """A stem without what a browser or a file manager adds to a copy's name, and the copy's number: `a (2)`, `Kopie von a`,
    `a - Copy (3)`. 0: no number."""
    number = in_brackets = None
    text = text.rstrip("~").strip()
    if match := _COPY_IN_FRONT.match(text):
        text, number = text[match.end():], match["number"]
    if (match := _IN_BRACKETS.search(text)) and match.start() > 0:
        text, in_brackets = text[:match.start()].rstrip(), match[1]
    if (match := _COPY_BEHIND.search(text)) and (plain := text[:match.start()].rstrip(_BLANKS)):
        text, number = plain, match["number"] or number
    return text, int(in_brackets or number or 0)


#: What may lie between a name and the word for a copy: blanks, - and _.
_BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "_-"


@dataclasses.dataclass(frozen=True)
class Named:
    """What a component that a person chose says: a lab (the index in the list of labs, or None), how surely, the version's
    number, and the words that are left."""

    lab: int | None
    strength: int  # 3: the lab's name; 2: lab 01; 1: 01; 0: nothing
    version: int
    rest: str
    in_words: str = ""


class LabNames:
    """Recognises the labs' names in the names of files and folders."""

    def __init__(self, names: list[tuple[str, str, str]]):
        """For each lab its number ("01"), its topic ("shared-memory") and its kernel's file without suffix ("shared_memory")."""
        self.patterns: list[tuple[int, int, re.Pattern]] = []
        self.numbers = [number for number, _, _ in names]
        self.read = functools.lru_cache(1 << 14)(self.read)  # a folder's name is read for each file in it
        for index, (number, topic, kernel) in enumerate(names):
            lab = rf"(?:lab(?:or|oratory)?{_GAP})"
            short = number.lstrip("0") or "0"
            for words in {topic, kernel}:
                body = _GAP.join(re.escape(word) for word in re.split(r"[^A-Za-z0-9]+", words) if word)
                self.patterns.append((3, index, _whole(rf"(?:(?:{lab}0*{short}|{number}){_GAP})?{body}")))
            self.patterns.append((2, index, _whole(rf"{lab}0*{short}")))

    def read(self, text: str) -> Named:
        """What the stem of a file or folder says."""
        text, copy = without_copy(unicodedata.normalize("NFC", text))
        best: tuple[int, int, re.Match] | None = None
        for strength, index, pattern in self.patterns:
            match = pattern.search(text)
            if match and (best is None or (strength, len(match.group())) > (best[0], len(best[2].group()))):
                best = (strength, index, match)
        if best:
            strength, index, match = best
            before, behind = text[:match.start()], text[match.end():]
            version = copy
            number = re.match(r"(?:[\s._-]*(?:version|ver|v)[\s._-]?(\d{1,3})|-(\d{1,3})|(\d{1,2}))(?=$|[\s._-])", behind, re.I)
            if number:
                version = int(next(group for group in number.groups() if group)) if not copy else copy
                behind = behind[number.end():]
            return Named(index, strength, version, _joined(before, behind), match.group())
        number = re.match(r"(\d\d)(?=[\s._-]|$)", text)
        if number and number[1] in self.numbers:
            return Named(self.numbers.index(number[1]), 1, copy, _joined("", text[number.end():]), number[1])
        return Named(None, 0, copy, text.strip())


_GAP = r"[\s._-]*"


def _whole(body: str) -> re.Pattern:
    """Not inside of a longer word; digits may follow, as in coalescing2."""
    return re.compile(rf"(?<![^\W_]){body}(?=$|[\W_]|\d{{1,2}}(?:$|[\W_]))", re.I)


def _joined(before: str, behind: str) -> str:
    parts = [part.strip(" \t._-,") for part in (before, behind)]
    return " ".join(part for part in parts if part)


#: Words that are not a person's name.
_NO_NAMES = frozenset("""
lab labs laboratory cuda cu gpu code src source sources submission submissions submitted submit abgabe abgaben handin handins hand in ins
assignment assignments exercise exercises homework hw solution solutions loesung lösung answer answers final finished done new neu newest
latest old alt older backup copy kopie attempt version ver v fixed fix my mein test tmp temp work main class course student students
resubmission again late download downloads export archive files file kernel kernels task todo project warpbook workbook the of and all more
""".split())


#: Words that a number may belong to without making a name of it: `version 2`, but not `student 2`.
_COUNTED = frozenset("version ver v attempt copy kopie lab try versuch".split())


def is_no_name(words: str) -> bool:
    """Whether words that are left of a component say nothing of a person: empty, or such as `final` and `version 2`."""
    found = [word.casefold() for word in re.split(r"[\s._,()-]+", words) if word]
    if not found or _has_other_signs(words):
        return not words.strip()
    counted = any(word in _COUNTED for word in found)
    return all(word in _NO_NAMES or re.fullmatch(r"v\d{1,3}", word) or (counted and word.isdigit()) for word in found)


def _has_other_signs(words: str) -> bool:
    """Whether there is something that is no letter, such as an emoji, and may be a name all the same."""
    return any(not character.isalnum() and character not in " \t._,()-" for character in words)
