"""A class with its marks, for the tests of what comes back: people and hand-ins of every kind, hostile texts among them."""
from __future__ import annotations

import datetime
import hashlib
import pathlib
import random

from fakes import ROOT

from command.classroom.model import Class, Fault, Graded, HandIn, Mark, Person, Remark, Seen
from command.classroom.rules import Rules
from command.results import ItemResult, Verdict, lines
from command.workbook import Workbook

#: What no output may pass on: an escape code, a formula, HTML, Markdown, a direction override, a NUL.
HOSTILE = ("=cmd|'/C calc'!A1 \x1b[31mred\x1b]0;title\x07 <script>alert(1)</script> [click](http://evil.example) "
           "![p](http://evil.example/p.png) `code` www.evil.example me@evil.example \u202egnp.exe \x00 ```")
SEED = 7345012349
ITEMS = [("adds one", 2, 1, "add_one"), ("adds quickly", 1, 1, "add_one"), ("sums columns", 3, 2, "column_sums")]


def results(**failed: dict) -> list[ItemResult]:
    """The items, passed but for those in `failed`, by their places first, second and third, as ItemResult's fields."""
    made = []
    for place, (item, points, task, function) in zip(("first", "second", "third"), ITEMS):
        values = {"status": "passed", "points": points, "max_points": points, "function": function, "task": task, "seed": SEED,
                  "seconds": 0.25}
        if place in failed:
            values |= {"status": "failed", "points": 0, **failed[place]}
        made.append(ItemResult(item, "sim", **values))
    return made


UNCOALESCED = {"reason": "The result is right, but 8192 sectors were read where at most 2048 are needed.", "diagnoses": ["uncoalesced"],
               "details": [{"kind": "source", "text": "coalescing.cu:2 | a[i] += 1;", "file": "coalescing.cu", "line": 2}], "sections": ["What a warp asks for"], "counters": {"global_load_requests": 4},
               "todo": {"number": 1, "file": "coalescing.cu", "line": 1}, "places": [{"file": "coalescing.cu", "line": 2}]}
THROWN = {"reason": f"The program threw {HOSTILE}", "diagnoses": ["exception"], "details": lines("printed", [f"It printed: {HOSTILE}", "second line"])}
UNDECIDED = {"status": "undecided", "reason": "The machine gave no processor time.", "diagnoses": ["machine-busy"], "graded": False}


def verdict(found: list[ItemResult], failure: ItemResult | None = None) -> Verdict:
    return Verdict("01-coalescing", "handin-x", "coalescing.cu", found, failure)


def broken() -> Verdict:
    """Of a file that does not compile."""
    found = [ItemResult(item, "sim", "failed", 0, points, function, "not run: the file does not compile", graded=False, task=task)
             for item, points, task, function in ITEMS]
    return verdict(found, ItemResult("builds", "sim", "failed", reason=f"coalescing.cu does not compile. {HOSTILE}",
                                     details=lines("compiler", [HOSTILE]), diagnoses=["compile-error"]))


def verdicts() -> dict[str, Verdict | None]:
    """One of each kind by the name of the person; None: nothing was handed in."""
    return {"Zoë Müller": verdict(results()), HOSTILE: verdict(results(first=THROWN)), "王小明": verdict(results(second=UNCOALESCED)),
            "Yvonne": broken(), "Paul": None, "Ivan": verdict(results(third=UNDECIDED))}


def random_rules(pick: random.Random, labs: tuple[str, ...]) -> dict:
    """A course's file for some of the labs."""
    said = {"labs": {lab: pick.choice(({}, {"weight": pick.choice((0.07, 1.1, 3))}, {"points": pick.choice((7.77, 12, 0.1))}, {"items": {"adds one": 0.7}},
                                       {"leave_out": ["adds quickly"]})) | {"deadline": "2026-11-30T11:00:00Z"} for lab in labs[:pick.randint(1, len(labs))]},
            **pick.choice(({}, {"late": {"percent_per_day": 7.5}})), **pick.choice(({}, {"round": {"to": pick.choice((0.25, 1)), "how": "down"}}))}
    if not all("points" in lab for lab in said["labs"].values()):
        said |= pick.choice(({}, {"total": 50}, {"total": 99.99}))
    return said


def graded(folder: pathlib.Path, said: dict | None = None, people: list[str] | None = None, labs: tuple[str, ...] = ("01",)) -> Graded:
    """A graded class below `folder`. `said` is the course's file; `people` are names of verdicts(), all by default."""
    workbook = Workbook(ROOT)
    rules = Rules(workbook.labs(), said or {})
    chosen = [workbook.lab(lab) for lab in labs]
    for lab in chosen:
        rules.know(lab, [{"item": item, "points": points} for item, points, _, _ in ITEMS])
    persons, hand_ins, marks = [], [], []
    for place, (name, found) in enumerate(pair for pair in verdicts().items() if people is None or pair[0] in people):
        person = Person(f"person-{place}", name, {"moodle_id": str(70 + place), "canvas_id": str(90 + place), "login": f"u{place}",
                                                  "email": f"u{place}@example.org"} if place % 2 == 0 else {"github": f"gh{place}"})
        persons.append(person)
        for lab in chosen:
            if found is None:
                marks.append(rules.choose(person, lab, []))
                continue
            file = folder / "work" / f"{lab.number}.{person.id}" / lab.starter.name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("// TODO(1)\n  a[i] += 1;\n// <b>three</b>\n", encoding="utf-8")
            hand_in = HandIn(person, lab, file, f"{name}/{lab.starter.name}", hashlib.sha256(name.encode()).hexdigest(),
                             datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.timezone.utc))
            hand_ins.append(hand_in)
            marks.append(rules.choose(person, lab, [(hand_in, found)]))
    others = [Seen(f"{HOSTILE}.cu", "unknown", "no lab knows it")]
    class_ = Class(folder / "hand-ins", persons, hand_ins, others, [f"{HOSTILE} was renamed"])
    remarks = [Remark(hand_ins[0].id, "inline-assembly", f"It has {HOSTILE}", 3)] if hand_ins else []
    return Graded(class_, chosen, marks, rules, "Each hand-in was confined by the kernel.", SEED, ["sim"], remarks)


def listed(made: Graded) -> Graded:
    """The class where everyone is on a list with a username and an email."""
    for place, person in enumerate(made.class_.people):
        person.keys.update(login=f"u{place}", email=f"u{place}@example.org")
    return made


def faulty(folder: pathlib.Path) -> Graded:
    """A class of one, whose file is a symbolic link."""
    made = graded(folder, people=["Zoë Müller"])
    hand_in = made.class_.hand_ins[0]
    hand_in.fault = Fault("not-a-source", f"{hand_in.shown} is a symbolic link.")
    made.marks = [Mark(hand_in.person, hand_in.lab, hand_in, None, None, 6, 0, 6)]
    return made
