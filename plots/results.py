"""Writes the results page from measurements that are there: plots/data by default, so it needs no GPU.

Usage: results.py [--check | --stale] [--data FOLDER] [--machine NAME] [--images FOLDER] [--out PAGE.md] [--handouts FOLDER]

Reads FOLDER/NN-lab-MACHINE.csv of each lab, FOLDER/ncu-MACHINE.csv and FOLDER/unmet-targets.txt. The page is of MACHINE; other
machines of which FOLDER has all these labs stand beside it in the table of targets. With --handouts (labs) it
also writes the tables of floors in FOLDER/NN-lab/more.md, between the two lines that mark their place. With --check it
writes nothing and fails where the page or a table is not what it would write, or a picture not of these data; with --stale
it names the labs whose picture is not. Standard library only.
"""
from __future__ import annotations

import argparse
import difflib
import os
import pathlib
import re
import sys
import textwrap
from collections.abc import Callable

import comparison
import floors
import measurements
import profiles
from comparison import Entry, Lab, best_peer, entries, faster, lab_facts, last_step, listed, point_text, solution
from measurements import BrokenFile, Measurements
from targets import Finds, Found, Target, read_reasons, targets

ROOT = pathlib.Path(__file__).resolve().parents[1]
MACHINE_KEYS = ("device", "compute capability", "multiprocessors", "L2", "memory", "driver", "toolkit")
NOT_RECORDED = "not recorded"


# ---- words and tables

def table(head: list[str], rows: list[list[str]], right: tuple[int, ...] = ()) -> list[str]:
    rule = ["---:" if place in right else "---" for place in range(len(head))]
    return ["| " + " | ".join(cells) + " |" for cells in (head, rule, *rows)]


def quantity(value: float) -> str:
    """1234.5 -> 1,234 or 1,235; 12.34 -> 12.3; 0.1234 -> 0.123"""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}" if value < 10 else f"{value:.1f}"


def to_peer(entry: Entry | None, peer: Entry | None) -> float | None:
    return faster(entry.value, peer.value, entry.unit) if entry and peer else None


def link(target: pathlib.Path, page: pathlib.Path) -> str:
    return os.path.relpath(target, page.parent)


# ---- what is measured

class Data:
    """The measurements of every lab that has some."""

    def __init__(self, folder: pathlib.Path, machine: str, images: pathlib.Path, page: pathlib.Path):
        self.folder, self.machine, self.images, self.page = folder, machine, images, page
        self.labs = {lab.name: measurements.read(self.csv(lab)) for lab in comparison.labs() if self.csv(lab).exists()}
        if not self.labs:
            raise BrokenFile(f"{folder} holds no measurements NN-lab-{machine}.csv; `./warpbook bench all` on a machine with a GPU "
                             "makes them.")
        for lab in comparison.labs():
            if lab.name in self.labs:
                needed = {column for task in lab.tasks for column in task.where}
                self.labs[lab.name].need(self.csv(lab), numeric=("low", "high", "repetitions"), text=tuple(sorted(needed)))
        self.beside = {name: {lab.name: measurements.read(self.csv(lab, name)) for lab in self.measured()} for name in self.other_machines()}
        self.reasons = read_reasons(folder / "unmet-targets.txt")
        self.profile = profiles.read(folder / f"ncu-{machine}.csv")

    def csv(self, lab: Lab, machine: str | None = None) -> pathlib.Path:
        return self.folder / f"{lab.name}-{machine or self.machine}.csv"

    def other_machines(self) -> list[str]:
        """Those that all the labs were measured on, too: a page with labs of different runs would compare what was never measured together."""
        first, *others = self.measured()
        names = {path.stem.removeprefix(f"{first.name}-") for path in self.folder.glob(f"{first.name}-*.csv")}
        names = {name for name in names if not name.startswith("ratios-")} - {self.machine, "sim"}
        return sorted(name for name in names if all(self.csv(lab, name).exists() for lab in others))

    def picture(self, lab: Lab) -> pathlib.Path:
        return self.images / f"{lab.name}-{self.machine}-{lab.results.picture}.svg"

    def of(self, machine: str) -> dict[str, Measurements]:
        """{lab: its measurements on that machine}"""
        return self.beside.get(machine, self.labs)

    def machines(self) -> list[str]:
        return [self.machine, *self.beside]

    def provenance(self, lab: Lab, key: str, machine: str = "") -> str:
        return self.of(machine)[lab.name].provenance.get(key) or NOT_RECORDED

    def device(self, machine: str) -> str:
        return " and ".join(sorted({self.provenance(lab, "device", machine) for lab in self.measured()}))

    def measured(self) -> list[Lab]:
        return [lab for lab in comparison.labs() if lab.name in self.labs]


# ---- the page's parts

def head(data: Data) -> list[str]:
    missing = [lab.name for lab in comparison.labs() if lab.name not in data.labs]
    lines = ["<!-- Written by plots/results.py from the measurements; `./warpbook results` writes it again. Do not edit it. -->", "",
             "# What the steps reach", "",
             f"Measured on {data.device(data.machine)} by one command, `./warpbook bench all`. Ceilings, steps, readable solutions and libraries run "
             "in turns, so a ratio here is one of the same minute; a time of another day or another card is another number.",
             "A step is one idea on the way from naive to best, and the last step is where the way ends so far. The readable solution is the "
             "one that students are shown: short, and rarely the fastest. What lost is shown, too."]
    if missing:
        lines += ["", f"Not measured yet: {', '.join(missing)}."]
    return lines


def at_a_glance(data: Data) -> list[str]:
    rows = []
    for lab, task in [(lab, task) for lab in data.measured() for task in lab.tasks[:lab.results.glance]]:
        found = entries(data.labs[lab.name], task)
        last, plain, peer = last_step(found), solution(found), best_peer(found)
        speed = f"{quantity(last.value)} {task.unit or last.unit}" if last else "-"
        rows.append([f"[{lab.name}](#{lab.name})", point_text(data.labs[lab.name], task), speed,
                     ratio(to_peer(last, peer)) + (f" ({lab.label(peer.submission)})" if peer and last else ""),
                     ratio(last.to_ceiling if last else None) + (f" ({task.ceiling})" if last and last.to_ceiling else ""),
                     ratio(to_peer(plain, peer)), ratio(plain.to_ceiling if plain else None)])
    return ["## At a glance", "", *table(["lab", "task", "last step", "to the best peer", "to the ceiling",
                                          "readable solution to the best peer", "to the ceiling"], rows, (2, 5, 6)), "",
            "Above 1 is faster than the peer or the ceiling; - where there is none. G is 10^9. The other tasks of each lab are below; "
            "how the least time of each follows from bytes, instructions and launches stands beside the handouts, in each lab's \"How fast can it be?\"."]


def with_interval(found: Found) -> str:
    return f"{ratio(found.value)} [{ratio(found.low)}, {ratio(found.high)}]"


def found_on(data: Data, target: Target, machine: str, measure: Finds | None) -> Found | None:
    lab = data.of(machine).get(target.lab.name)
    return measure(lab) if lab and measure else None


def limit_sentence(data: Data, target: Target, missed_on: list[str]) -> str:
    """What was measured beside a target and shows how near one can come, on the machines that missed it; empty if nothing was."""
    if target.limit is None or not missed_on:
        return ""
    said = []
    for machine in missed_on:
        found = found_on(data, target, machine, target.limit)
        said.append((with_interval(found) if found else "not measured") + (f" on {data.device(machine)}" if data.beside else ""))
    return f" The limit, {target.limit_text} in the same run: {' and '.join(said)}."


def how_many_are_met(data: Data, machine: str, met: dict[tuple[str, str], list[bool | None]]) -> str:
    """A line. `met`: {(lab, target): of each part, whether it is met, or None if it was not measured}"""
    def named(chosen: Callable[[list[bool | None]], bool]) -> list[str]:
        return [f"{name} (lab {lab})" for (lab, name), parts in met.items() if chosen(parts)]

    missed, unknown = named(lambda parts: False in parts), named(lambda parts: None in parts and False not in parts)
    said = f"- {data.device(machine)}: {len(met) - len(missed) - len(unknown)} of {len(met)} targets met."
    return said + (f" Not met: {listed(missed)}." if missed else "") + (f" Not measured: {listed(unknown)}." if unknown else "")


def targets_table(data: Data) -> list[str]:
    rows, reasons = [], []
    met: dict[str, dict[tuple[str, str], list[bool | None]]] = {machine: {} for machine in data.machines()}
    for target in targets():
        row = [target.lab.number, target.part_of, target.text, f"{'at most' if target.at_most else 'at least'} {target.asked:.2f}"]
        found = {machine: found_on(data, target, machine, target.measure) for machine in data.machines()}
        is_met = {machine: None if at is None else target.is_met(at.value) for machine, at in found.items()}
        missed_on = [machine for machine, met_there in is_met.items() if met_there is False]
        mark = ""
        if missed_on and data.reasons is not None:
            reason = data.reasons.get(target.key, f"Why is not written down yet (`{target.key}` in unmet-targets.txt).")
            reasons.append(reason + limit_sentence(data, target, missed_on))
            mark = f" ({len(reasons)})"
        for machine, at in found.items():
            met[machine].setdefault((target.lab.number, target.part_of), []).append(is_met[machine])
            row += ["-", "not measured"] if at is None else [with_interval(at), "met" if is_met[machine] else f"**not met**{mark}"]
        rows.append(row)
    measured = [cell for machine in data.machines() for cell in (f"on {data.device(machine)}" if data.beside else "measured", "")]
    lines = ["## Targets", "", "Set before the last steps were written, as ratios within one run; in brackets stands the 95% interval, of a ratio "
             "from the ends of both sides' own. Some targets have several parts, and are met if all of these are.", "",
             *(how_many_are_met(data, machine, met[machine]) for machine in data.machines()), "",
             *table(["lab", "target", "what", "asked", *measured], rows, tuple(range(4, 4 + len(measured), 2)))]
    if reasons:
        lines += ["", "Not met:", "", *(f"{number}. {reason}" for number, reason in enumerate(reasons, 1))]
    return lines


def machine_rows(data: Data, machine: str) -> list[list[str]]:
    """What is recorded of the machine of each lab's run; one row where all ran on one."""
    labs = data.measured()
    found = [[lab.number, *(data.provenance(lab, key, machine) for key in MACHINE_KEYS)] for lab in labs]
    return [["all", *found[0][1:]]] if len({tuple(row[1:]) for row in found}) == 1 else found


def run_rows(data: Data, machine: str) -> list[list[str]]:
    rows = []
    for lab in data.measured():
        timed = [row for row in data.of(machine)[lab.name].rows if float(row["repetitions"]) > 1]
        counts = sorted({int(row["repetitions"]) for row in timed}) or [1]
        states = sorted({row["l2"] for row in timed if row.get("l2")}) or [NOT_RECORDED]
        rows.append([lab.number, *(data.provenance(lab, key, machine) for key in ("date", "SM clock", "clocks before", "clocks after", "order")),
                     " and ".join(states), f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])])
    return rows


def how_measured(data: Data) -> list[str]:
    lines = ["## How it was measured", ""]
    if data.beside or len(machine_rows(data, data.machine)) > 1:
        lines += table(["lab", *MACHINE_KEYS], [row for machine in data.machines() for row in machine_rows(data, machine)])
    else:
        lines += table(["", ""], [list(pair) for pair in zip(MACHINE_KEYS, machine_rows(data, data.machine)[0][1:])])
    head = ["lab", "date", "SM clock under load", "clocks before", "clocks after", "order", "L2", "repetitions"]
    for machine in data.machines():
        lines += ["", *([f"The run on {data.device(machine)}:", ""] if data.beside else []), *table(head, run_rows(data, machine))]
    lines += ["",
              "Times are medians of device events; in brackets stands the 95% interval of the median over all repetitions (of fewer than 6, "
              f"which have none, the fastest and the slowest). The rows of each CSV also hold the fastest repetition, the spread, the state of the L2 cache and the point's turn in the run. Every output was "
              f"checked before its time counted. [Measuring well]({link(ROOT / 'docs' / 'measuring-well.md', data.page)}) says how and where."]
    if data.beside:
        lines += ["", f"All other tables and pictures of this page are of {data.device(data.machine)}; the measurements of the others are "
                  + ", ".join(f"[{data.device(machine)}]({link(data.csv(lab, machine), data.page)}) (lab {lab.number})"
                              for machine in data.beside for lab in data.measured()) + "."]
    return lines


def note_of(entry: Entry, found: list[Entry], last: Entry | None) -> str:
    if entry is found[0]:
        return "fastest, last step" if entry is last else "fastest"
    if entry is last:
        return "last step"
    return ""


def task_section(data: Data, lab: Lab, task) -> list[str]:
    own = data.labs[lab.name]
    found = entries(own, task)
    if not found:
        return []
    last, peer = last_step(found), best_peer(found)
    rows = []
    for entry in found:
        name = lab.label(entry.submission)
        rows.append([f"**{name}**" if entry is last or entry.submission == "solution" else name,
                     f"{quantity(entry.value)} [{quantity(entry.low)}, {quantity(entry.high)}]", ratio(entry.to_ceiling),
                     ratio(to_peer(entry, peer)), note_of(entry, found, last)])
    columns = ["", task.unit or found[0].unit, f"to {task.ceiling or 'a ceiling'}",
               f"to {lab.label(peer.submission)}" if peer else "to a peer", ""]
    kept = [place for place in range(len(columns)) if place in (0, 1) or any(row[place] not in ("", "-") for row in rows)]
    return ["", f"**{point_text(own, task)}**", "",
            *table([columns[place] for place in kept], [[row[place] for place in kept] for row in rows],
                   tuple(spot for spot, place in enumerate(kept) if place in (1, 2, 3)))]


def lab_section(data: Data, lab: Lab) -> list[str]:
    lines = [f"## {lab.name}", "", f"![{lab.results.caption}]({link(data.picture(lab), data.page)})", "",
             f"The fastest first. "
             f"[Handout]({link(ROOT / 'labs' / lab.name / 'README.md', data.page)}), "
             f"[measurements]({link(data.csv(lab), data.page)})."]
    for task in lab.tasks:
        lines += task_section(data, lab, task)
    last = last_step(entries(data.labs[lab.name], lab.tasks[0]))
    lines += ["", *profiles.lines(data.profile, lab.name, last.submission if last else "", lab.label)]
    return lines


def wrapped(lines: list[str]) -> list[str]:
    """Prose and list items in lines of at most 100 characters; tables, headings, pictures and comments as they are."""
    found = []
    for line in lines:
        if line.startswith(("|", "#", "<", "![")):
            found.append(line)
            continue
        item = re.match(r"(?:- |\d+\. )?", line).group()
        held = re.sub(r"`[^`]*`|\[[^\]]*\]", lambda code: code.group().replace(" ", "\0"), line)  # code and links' names stay whole
        found += [text.replace("\0", " ") for text in textwrap.wrap(held, 100, subsequent_indent=" " * len(item), break_long_words=False,
                                                                    break_on_hyphens=False)] or [""]
    return found


def page(data: Data) -> str:
    parts = [head(data), at_a_glance(data), targets_table(data), how_measured(data),
             *(lab_section(data, lab) for lab in data.measured()), remake(data)]
    return "\n\n".join("\n".join(wrapped(part)) for part in parts) + "\n"


def remake(data: Data) -> list[str]:
    return ["## Once more", "",
            "`./warpbook bench all` on a machine with a GPU measures everything again, in some minutes, and writes a page like this one from what "
            f"it found into `build/`; with `--publish {data.machine}` it replaces these data, pictures and this page, and the tables of "
            "floors beside the handouts. `./warpbook results` writes page and tables from the committed data on any machine, and `./warpbook results --check` "
            "tells whether they agree. "
            "`python3 common/bench/profile_steps.py` collects what Nsight Compute says of the last steps."]


# ---- whether pictures are of these data

def stale_pictures(data: Data) -> dict[str, str]:
    """{lab: a sentence} for each picture of the page that is missing, or whose small print has another date than the data."""
    wrong = {}
    for lab in data.measured():
        picture = data.picture(lab)
        if not picture.exists():
            wrong[lab.name] = f"{picture} is missing; `./warpbook results` draws it."
            continue
        comments = " ".join(re.findall(r"<!--\s*(.*?)\s*-->", picture.read_text(encoding="utf-8"), re.S))
        date = data.labs[lab.name].provenance.get("date", "")
        if date and f"date: {date}" not in " ".join(comments.split()):
            wrong[lab.name] = f"{picture} was not drawn from the measurements of {date}; `./warpbook results` draws it again."
    return wrong


def differences(path: pathlib.Path, there: str, wanted: str) -> list[str]:
    if there == wanted:
        return []
    changed = list(difflib.unified_diff(there.splitlines(), wanted.splitlines(), "the page", "what the data say", lineterm="", n=0))
    return [f"{path} and the measurements disagree; `./warpbook results` writes it again. The first differences:",
            *("  " + line[:160] for line in changed[2:14])]


def check(data: Data, text: str) -> list[str]:
    try:
        there = data.page.read_text(encoding="utf-8")
    except OSError:
        return [f"{data.page} is missing; `./warpbook results` writes it."]
    return list(stale_pictures(data).values()) + differences(data.page, there, text)


# ---- the tables of floors in the labs' pages

FLOOR = "<!-- floor: written by plots/results.py from the measurements; `./warpbook results` writes it again. Do not edit it. -->"
END_OF_FLOOR = "<!-- end of floor -->"


def handouts(data: Data, folder: pathlib.Path) -> dict[pathlib.Path, tuple[str, str]]:
    """{page: (what it says, what it should)} for each measured lab. Raises BrokenFile where a lab's pages have no place for the table."""
    found = {}
    for lab in data.measured():
        path = folder / lab.name / "more.md"
        there = path.read_text(encoding="utf-8")
        before, begin, rest = there.partition(FLOOR + "\n")
        _, end, after = rest.partition(END_OF_FLOOR + "\n")
        if not begin or not end:
            raise BrokenFile(f"{path} has no place for the table of floors: the lines '{FLOOR}' and '{END_OF_FLOOR}'.")
        wanted = "\n".join(wrapped(floors.block(data.labs, lab, table)))
        found[path] = there, f"{before}{begin}{wanted}\n{end}{after}"
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail where page and data disagree")
    parser.add_argument("--stale", action="store_true", help="name the labs whose picture is not of these measurements")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "plots" / "data", metavar="FOLDER")
    parser.add_argument("--machine", default="h200", metavar="NAME", help="the end of the files' names (default: h200)")
    parser.add_argument("--images", type=pathlib.Path, default=ROOT / "docs" / "images", metavar="FOLDER")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "results.md", metavar="PAGE.md")
    parser.add_argument("--handouts", type=pathlib.Path, metavar="FOLDER", help="also the tables in FOLDER/NN-lab/more.md")
    options = parser.parse_args(arguments)
    try:
        data = Data(options.data, options.machine, options.images, options.out)
        if options.stale:
            print(*stale_pictures(data), sep="\n")
            return 0
        text = page(data)
        tables = handouts(data, options.handouts) if options.handouts else {}
        if options.check:
            wrong = check(data, text) + [line for path, (there, wanted) in tables.items() for line in differences(path, there, wanted)]
            said = f"{' and '.join([str(options.out), *(['the handouts'] if tables else [])])} say what the measurements say."
            print(*wrong or [said], sep="\n", file=sys.stderr if wrong else sys.stdout)
            return 1 if wrong else 0
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text, encoding="utf-8")
        print(options.out)
        for path, (there, wanted) in tables.items():
            if there != wanted:
                path.write_text(wanted, encoding="utf-8")
                print(path)
    except (BrokenFile, lab_facts.Broken) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename or options.out} cannot be used: {error.strerror}.", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
