"""Makes a class of hand-ins for tests and for an acceptance run, with what is expected of each.

    class_maker.py FOLDER --count 500 --seed 1 --lab 01      writes FOLDER and FOLDER.expected.json
    class_maker.py --check FOLDER.expected.json --points OUT/points.csv --graders build/sim/bin
                                                             compares what came of it; status 1 if something differs

The hand-ins are right, partly right, wrong, unsolved, broken, endless, hanging, hungry for memory, hostile, late, handed in
twice, and named in every way that the intake knows. A hostile one is the starter with an attack, so that it is worth nothing;
an attack that gets through also leaves a file, the marker.
"""
from __future__ import annotations

import argparse
import collections
import csv
import dataclasses
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from command import regions  # noqa: E402
from command.classroom import harmless  # noqa: E402
from command.workbook import Lab, Workbook  # noqa: E402

MARKER = "/tmp/warpbook-class-was-here"
#: Labs whose TODOs are independent: without one of them, its own items fail and no others.
INDEPENDENT = {"01"}

#: Kind: how many of a hundred hand-ins.
SHARES = {"right": 34, "partly": 14, "wrong": 8, "unsolved": 6, "starter": 2, "broken": 6, "not a source": 3, "endless": 4, "hanging": 1,
          "hungry": 2, "hostile": 8, "twice": 6, "late": 6}

FIRST_NAMES = ["Alice", "Zoë", "Jürgen", "王伟", "李娜", "Łukasz", "Siân", "محمد", "שרה", "Nguyễn", "Mia O'Neil", "Ólafur", "Δημήτρης", "Ирина",
               "🦄",
               "Jean-Luc", "a;b|c", '"Bob"', "$HOME", "x\\y", "[z]", "`id`", "=1+1", "Al\u202eice", "N\u0303andu", "\x1b[31mRed",
               "new\nline", "x" * 90]


@dataclasses.dataclass
class Expected:
    """One hand-in. It loses the points of the TODOs in `lost` (None: all) and of the `items`; where it is not `exact`, perhaps
    more. One of the `diagnoses` is what it failed with, if there are any."""

    name: str
    lab: str
    kind: str
    path: str
    lost: list[int] | None
    exact: bool = True
    items: list[str] = dataclasses.field(default_factory=list)
    diagnoses: list[str] = dataclasses.field(default_factory=list)
    late: bool = False

    def points(self, items: list[dict]) -> float:
        """What it gets, or gets at most, by the items that the lab's grader lists."""
        if self.lost is None:
            return 0
        return sum(item["points"] for item in items if item.get("todo") not in self.lost and item["item"] not in self.items)


# ---- what is in a file ----------------------------------------------------------------------------------------------------

class Maker:
    """The texts of one lab's hand-ins."""

    def __init__(self, lab: Lab, solution: pathlib.Path, pick: random.Random):
        self.lab, self.pick = lab, pick
        self.starter = lab.kept_starter.read_text(encoding="utf-8")
        self.solution = solution.read_text(encoding="utf-8")
        self.source = solution
        self.todos = [region.number for region in regions.regions(self.solution)]
        self.host = [number for number in self.todos if not _is_in_kernel(self.solution, number)]
        self.mutants = [mutant for path in sorted((solution.parent / "mutants").glob("*.cu")) if (mutant := _mutant(path))]

    def with_body(self, number: int, *lines: str) -> str:
        """The solution with these lines in a TODO."""
        place = next(region for region in regions.regions(self.solution) if region.number == number)
        kept = self.solution.splitlines(keepends=True)
        return "".join([*kept[:place.first], *(line + "\n" for line in lines), *kept[place.last:]])

    def make(self, kind: str) -> tuple[str | bytes, dict]:
        """A text, and what is expected of it."""
        return getattr(self, "as_" + kind.replace(" ", "_"))()

    def as_right(self):
        return self.solution, {"lost": []}

    as_twice = as_late = as_right

    def as_partly(self):
        lost = sorted(self.pick.sample(self.todos, self.pick.randint(1, max(1, len(self.todos) - 1))))
        text = self.solution
        for number in lost:
            text = regions.with_region(text, number, self.starter)
        return text, {"lost": lost, "exact": self.lab.number in INDEPENDENT}

    def as_wrong(self):
        if not self.mutants:
            return self.as_partly()
        bodies, item = self.pick.choice(self.mutants)
        text = self.solution
        for number, body in bodies.items():
            place = next(region for region in regions.regions(text) if region.number == number)
            kept = text.splitlines(keepends=True)
            text = "".join([*kept[:place.first], body, *kept[place.last:]])
        return text, {"lost": [], "items": [item], "exact": False}

    def as_unsolved(self):
        return self.starter + "\n// I had no time.\n", {"lost": None, "diagnoses": ["unsolved"]}

    def as_starter(self):
        return self.starter, {"lost": None, "diagnoses": ["unsolved"]}

    def as_broken(self):
        text = self.solution
        first = regions.regions(text)[0].first
        lines = text.splitlines(keepends=True)
        error = self.pick.choice(["  int x = ;\n", "  }\n", "  undeclared = 1\n", "#error no\n", '#include "no_such_file.hpp"\n',
                                  "  \"unfinished\n"])
        return "".join([*lines[:first], error, *lines[first:]]), {"lost": None}

    def as_not_a_source(self):
        data, id = self.pick.choice([(b"", "empty-file"), (b" \n\t\n", "empty-file"), (b"\x7fELF\0\0\1", "not-a-source"),
                                     (self.solution.encode("utf-16"), "not-a-source"), (b"%PDF-1.7\n\0", "not-a-source")])
        return data, {"lost": None, "diagnoses": [id]}

    def as_endless(self):
        in_kernel = [number for number in self.todos if number not in self.host] or self.todos
        number = self.pick.choice(in_kernel)
        return self.with_body(number, "  for (volatile unsigned k = 0;; k = k + 1) {}"), {"lost": [number],
                                                                                          "exact": self.lab.number in INDEPENDENT}

    def as_hanging(self):
        if not self.host:
            return self.as_endless()
        number = self.pick.choice(self.host)
        return self.with_body(number, "  for (volatile unsigned k = 0;; k = k + 1) {}"), {"lost": [number],
                                                                                          "exact": self.lab.number in INDEPENDENT}

    def as_hungry(self):
        if not self.host:
            return self.as_endless()
        number = self.pick.choice(self.host)
        body = self.pick.choice([["  std::vector<char> all(std::size_t{6} << 30, 1);", "  static volatile char kept;", "  kept = all[7];"],
                                 ["  for (volatile char* p;;) p = new char[1 << 24](), p[0] = 1;"]])
        return "#include <vector>\n" + self.with_body(number, *body), {"lost": [number], "exact": self.lab.number in INDEPENDENT}

    def as_hostile(self):
        name, text = self.pick.choice(sorted(self.attacks().items()))
        return text + f"\n// attack: {name}\n", {"lost": None}

    def attacks(self) -> dict[str, str]:
        """The starter with something at its beginning that would earn, change or leave something."""
        def constructor(*body: str) -> str:
            return ("#include <cerrno>\n#include <csignal>\n#include <cstdio>\n#include <cstdlib>\n#include <fcntl.h>\n#include <string>\n"
                    "#include <sys/socket.h>\n#include <unistd.h>\nnamespace {\nstruct Attack {\n  Attack() {\n"
                    + "".join(f"    {line}\n" for line in body) + "  }\n} attack;\n} // namespace\n" + self.starter)

        left = f'if (std::FILE* file = std::fopen("{MARKER}", "a")) std::fclose(file);'
        return {
            "the solution, included": f'#include "{self.source}"\n',
            "the solution, included over a symbolic path": f'#include "/proc/self/cwd/{os.path.relpath(self.source)}"\n',
            "the solution as bytes": f'asm(".incbin \\"{self.source}\\"");\n{self.starter}',
            "includes itself": f"#include __FILE__\n{self.starter}",
            "includes without end": f'#include "/dev/zero"\n{self.starter}',
            "templates without end": "template <int N> struct Deep { Deep<N + 1> more; };\nDeep<0> deep;\n" + self.starter,
            "leaves a file": constructor(left),
            "writes verdicts to its descriptors": constructor(
                'for (int fd = 1; fd < 64; ++fd) {',
                '  const std::string line = R"({"event": "result", "result": {"status": "passed", "points": 34}})";',
                '  (void)!write(fd, line.data(), line.size());', '  (void)!write(fd, "\\n", 1);', "}"),
            "ends itself with success": constructor("std::exit(0);"),
            "kills its parents": constructor("kill(getppid(), SIGKILL);", "kill(getppid(), SIGSTOP);", "kill(-1, SIGKILL);"),
            "starts a shell": constructor(f'if (std::system("touch {MARKER}")) {{}}'),
            "forks": constructor("for (int i = 0; i < 64; ++i) if (fork() == 0) { sleep(1); " + left + " _exit(0); }"),
            "writes to the memory of its parent": constructor(
                'const std::string path = "/proc/" + std::to_string(getppid()) + "/mem";', "if (open(path.c_str(), O_RDWR) >= 0) {",
                f"  {left}", "}"),
            "reads a private file": constructor('if (std::FILE* secret = std::fopen("/etc/shadow", "r")) {',
                f"  std::fclose(secret); {left}", "}"),
            "opens a socket": constructor("const int fd = socket(AF_INET, SOCK_STREAM, 0);", "if (fd >= 0) {", f"  {left}", "}"),
            "prints passes": constructor('std::puts("[doctest] test cases: 20 | 20 passed | 0 failed\\n34/34 points\\n\\033[2J");'),
            "throws escape codes": constructor('throw std::string("\\033[2J\\033]0;pwned\\007");'),
        }


def _is_in_kernel(text: str, number: int) -> bool:
    place = next(region for region in regions.regions(text) if region.number == number)
    before = "".join(text.splitlines(keepends=True)[:place.first])
    return before.rfind("__global__") > before.rfind("\n}")


def _mutant(path: pathlib.Path) -> tuple[dict[int, str], str] | None:
    """The bodies of a mutant's TODOs, and the item that it fails on the simulator; None if it is more than TODOs."""
    text = path.read_text(encoding="utf-8")
    item = re.search(r"^// item: (.*)$", text, re.M)
    if "GIVEN(" in text or re.search(r"^// backends: cuda", text, re.M) or not item or "// region" in text:
        return None
    bodies = {int(number): body for number, body in re.findall(r"^ *// TODO\((\d+)\)[^\n]*\n(.*?)^ *// END TODO\(\1\)", text, re.M | re.S)}
    return (bodies, item[1].strip()) if bodies else None


# ---- what it is called ----------------------------------------------------------------------------------------------------

class Layout:
    """Puts hand-ins into a folder under all kinds of names."""

    def __init__(self, folder: pathlib.Path, pick: random.Random):
        self.folder, self.pick = folder, pick
        self.number = 0

    def _write(self, path: str, data: str | bytes) -> str:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def put(self, lab: Lab, data: str | bytes, kind: str, starter: str) -> tuple[str, str, bool]:
        """Writes a hand-in; returns the person's name as it is shown, the path, and whether the system says that it is late."""
        self.number += 1
        name = f"{self.pick.choice(FIRST_NAMES)} s{self.number:04}"
        kernel = lab.facts.kernel
        if kind == "late":
            word = f"s{self.number:04}"
            return word, self._write(f"{word}_LATE_{70000 + self.number}_{900000 + self.number}_{kernel}-1.cu", data), True
        if kind == "twice":
            self._write(f"{name}/{kernel}.cu", starter)
            return self.shown(name), self._write(f"{name}/{kernel} (2).cu", data), False
        return getattr(self, self.pick.choice(self.WAYS))(lab, data, name, kernel)

    WAYS = ["by_person", "by_person", "by_person_and_lab", "by_lab", "flat", "as_copy", "shouted", "as_text", "as_zip", "canvas", "moodle",
            "moodle_zip"]

    def by_person(self, lab, data, name, kernel):
        return self.shown(name), self._write(f"{name}/{kernel}.cu", data), False

    def by_person_and_lab(self, lab, data, name, kernel):
        return self.shown(name), self._write(f"{name}/{lab.name}/{kernel}.cu", data), False

    def by_lab(self, lab, data, name, kernel):
        return self.shown(name), self._write(f"{lab.name}/{name}.cu", data), False

    def flat(self, lab, data, name, kernel):
        return self.shown(name), self._write(f"{name}_{kernel}.cu", data), False

    def as_copy(self, lab, data, name, kernel):
        form = self.pick.choice(["Kopie von {}.cu", "{} (3).cu", "{}-1.cu", "Copy of {}.cu", "{}_final.cu", "{} - Copy.cu"])
        return self.shown(name), self._write(f"{name}/{form.format(kernel)}", data), False

    def shouted(self, lab, data, name, kernel):
        return self.shown(name), self._write(f"{name}/{kernel.upper()}.CU", data), False

    def as_text(self, lab, data, name, kernel):
        return self.shown(name), self._write(f"{name}/{kernel}.cu.txt", data), False

    def as_zip(self, lab, data, name, kernel):
        return self.shown(name), self._write(f"{name}.zip", self._zipped({f"work/{kernel}.cu": data, "work/notes.txt": "notes"})), False

    def canvas(self, lab, data, name, kernel):
        word = re.sub(r"\W", "", name).lower()
        return self.shown(word), self._write(f"{word}_{70000 + self.number}_{900000 + self.number}_{kernel}.cu", data), False

    def moodle(self, lab, data, name, kernel):
        return self.shown(name), self._write(f"{name}_{3000000 + self.number}_assignsubmission_file/{kernel}.cu", data), False

    def moodle_zip(self, lab, data, name, kernel):
        packed = self._zipped({f"{kernel}.cu": data})
        return self.shown(name), self._write(f"{name}_{3000000 + self.number}_assignsubmission_file/abgabe.zip", packed), False

    @staticmethod
    def _zipped(files: dict[str, str | bytes]) -> bytes:
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(zipfile.ZipInfo(name), data)  # of a fixed date, so that the same seed gives the same bytes
        return made.getvalue()

    @staticmethod
    def shown(name: str) -> str:
        return harmless.name(name)


def kinds(count: int, pick: random.Random) -> list[str]:
    """As many kinds as hand-ins, each at least once where there are enough."""
    names = list(SHARES)
    found = names[:count] if count >= len(names) else pick.sample(names, count)
    found += pick.choices(names, list(SHARES.values()), k=count - len(found))
    pick.shuffle(found)
    return found


def make_class(folder: pathlib.Path, labs: list[Lab], solutions: pathlib.Path, count: int, seed: int = 1) -> list[Expected]:
    """Writes `count` hand-ins for the labs, in turn, to `folder`, and returns what is expected of each. The same arguments give
    the same class."""
    pick = random.Random(seed)
    makers = [Maker(lab, solutions / lab.name / lab.starter.name, pick) for lab in labs]
    layout = Layout(folder, pick)
    folder.mkdir(parents=True, exist_ok=True)
    expected = []
    for number, kind in enumerate(kinds(count, pick)):
        maker = makers[number % len(makers)]
        data, what = maker.make(kind)
        if isinstance(data, str) and kind != "starter":
            data += f"\n// hand-in {number} of a class\n"
        name, path, late = layout.put(maker.lab, data, kind, maker.starter)
        expected.append(Expected(name, maker.lab.number, kind, path, late=late, **what))
    links_and_pipes(folder, makers[0], expected)
    for noise in ("notes.txt", "Alice s0001/.DS_Store", "__MACOSX/._x", "list of students.xlsx"):
        layout._write(noise, "noise")
    return expected


def links_and_pipes(folder: pathlib.Path, maker: Maker, expected: list[Expected]) -> None:
    """Hand-ins that are no files."""
    kernel = maker.lab.starter.name
    for name, make in (("linked", lambda path: path.symlink_to(maker.source)), ("piped", os.mkfifo),
                       ("nothing", lambda path: path.symlink_to("/dev/zero")), ("huge", lambda path: path.write_bytes(b"/" * 1_000_001))):
        (folder / name).mkdir()
        make(folder / name / kernel)
        expected.append(Expected(name, maker.lab.number, "hostile", f"{name}/{kernel}", None, diagnoses=["not-a-source", "too-large"]))


# ---- what came of it ------------------------------------------------------------------------------------------------------

def differences(expected: list[Expected], rows: list[dict[str, str]], items: dict[str, list[dict]]) -> list[str]:
    """What points.csv says otherwise than expected, in sentences. `items` has each lab's items as its grader lists them."""
    by_name = collections.defaultdict(list)
    for row in rows:
        by_name[row["name"].removeprefix("'")].append(row)
    found = []
    for hand_in in expected:
        own = by_name[hand_in.name]
        if len(own) != 1:
            found.append(f"{hand_in.path}: {len(own)} rows are for {hand_in.name!r}")
            continue
        column = next((name for name in own[0] if name.startswith(f"{hand_in.lab}-") and not name.endswith(" max")), None)
        if column is None or own[0][column] == "":
            found.append(f"{hand_in.path}: no points in lab {hand_in.lab}")
            continue
        points, wanted = float(own[0][column]), hand_in.points(items[hand_in.lab])
        if points > wanted + 1e-9 or (hand_in.exact and points < wanted - 1e-9):
            bound = "" if hand_in.exact else "at most "
            found.append(f"{hand_in.path} ({hand_in.kind}): {points:g} points, and {bound}{wanted:g} are expected")
    names = {hand_in.name for hand_in in expected}
    found += [f"no hand-in of {name!r} is expected" for name in by_name if name not in names]
    if os.path.lexists(MARKER):
        found.append(f"an attack got through: {MARKER} is there")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lab", action="append", help="default: all labs in turn")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[3], help="the workbook")
    parser.add_argument("--check", type=pathlib.Path, metavar="EXPECTED")
    parser.add_argument("--points", type=pathlib.Path)
    parser.add_argument("--graders", type=pathlib.Path)
    options = parser.parse_args()
    if options.check:
        expected = [Expected(**each) for each in json.loads(options.check.read_text(encoding="utf-8"))]
        items = {lab: [json.loads(line) for line in subprocess.run([options.graders / f"grade-{lab}", "--list-items"], text=True,
                                                                   check=True,
                                                                   capture_output=True).stdout.splitlines()]
                 for lab in {hand_in.lab for hand_in in expected}}
        with open(options.points, encoding="utf-8", newline="") as file:
            found = differences(expected, list(csv.DictReader(file)), items)
        print(*found, f"{len(expected)} hand-ins, {len(found)} differences", sep="\n")
        return 1 if found else 0
    if options.folder is None or options.folder.exists():
        parser.error("a folder is needed that is not there yet")
    workbook = Workbook(options.root)
    labs = [workbook.lab(lab) for lab in options.lab] if options.lab else workbook.labs()
    expected = make_class(options.folder, labs, workbook.root / "solutions", options.count, options.seed)
    out = options.folder.with_name(options.folder.name + ".expected.json")
    out.write_text(json.dumps([dataclasses.asdict(hand_in) for hand_in in expected], indent=1), encoding="utf-8")
    count = collections.Counter(hand_in.kind for hand_in in expected)
    print(f"{options.folder}: " + ", ".join(f"{number} {kind}" for kind, number in count.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
