"""Whether simtcc takes what nvcc takes, refuses what nvcc refuses, and what programs print that both take.

  differential.py --simtcc SIMTCC --simtrun SIMTRUN --cxx COMPILER [--precompiled DIR]
                                                                       simtcc against the recorded verdicts
  differential.py --nvcc NVCC                                          the recorded verdicts against nvcc: on the cases that
                                                                       changed since, and on a part of the others
  differential.py --nvcc NVCC --record                                 writes nvcc's verdicts into the cases that changed
With --all nvcc judges all cases; with --singly no case shares a translation unit with others. Both take longer.

The cases lie in cases/*.cases (README.md describes the format). disagreements.txt lists the cases on which simtcc and
nvcc differ, with the reason. The list is exact: a disagreement that is not in it fails, and so does one that is gone.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import hashlib
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Iterable

HERE = pathlib.Path(__file__).resolve().parent
ACCEPTED, REFUSED = "accepted", "refused"
MARK = "//// "
#: What a program that prints has included.
STDIO = "#include <cstdio>\n"
#: A translation unit beyond this is judged in several pieces: nvcc gives up after 100 errors.
CASES_PER_UNIT = 60
RECORDED_BY = "13.0"  # the version of nvcc
SKIPPED = 77
#: A line for each case: the key of what nvcc was given and said, and the case's name. Written by --record.
RECORD = HERE / "cases.txt"
#: What the test has nvcc judge again of the cases that did not change, and simtcc singly: one such part on each day.
PARTS = 30
ARGUMENTS = argparse.Namespace()


@dataclasses.dataclass(frozen=True)
class Case:
    """A small translation unit, and what nvcc says of it."""

    name: str
    rule: str
    verdict: str  # ACCEPTED, REFUSED, or "?" before it is recorded
    crlf: bool  # lines end in CR and LF
    alone: bool  # its meaning depends on being no part of a namespace
    prints: str | None  # of a program that is run: what it prints
    diagnosed: str  # the diagnosis that its run gets
    text: str

    def unit(self) -> str:
        """The case as a file of its own, with a main function, which simtcc asks programs for."""
        header = "" if self.prints is None else STDIO
        main = "" if re.search(r"\bmain\(", self.text) else "int main() {}\n"
        return (header + self.text + main).replace("\n", "\r\n") if self.crlf else header + self.text + main


def parse(text: str) -> list[Case]:
    """The cases of one file. Raises ValueError for a header that is not complete."""
    found = []
    for block in re.split(rf"(?m)^(?={MARK})", text)[1:]:
        header, body = block.split("\n", 1)
        fields = [field.strip() for field in header.removeprefix(MARK).split(" | ")]
        how = dict(field.partition(" ")[::2] for field in fields[3:])
        if len(fields) < 3 or fields[0] not in (ACCEPTED, REFUSED, "?") or how.keys() - {"crlf", "alone", "prints", "diagnosed"} or not body.strip():
            raise ValueError(f"no header of a case: {header}")
        prints = how["prints"].replace("\\n", "\n") if "prints" in how else None
        found.append(Case(fields[1], fields[2], fields[0], "crlf" in how, "alone" in how or "diagnosed" in how, prints, how.get("diagnosed", ""), body))
    return found


def case_files() -> list[pathlib.Path]:
    return sorted((HERE / "cases").glob("*.cases"))


def read_cases() -> list[Case]:
    return [case for file in case_files() for case in parse(file.read_text())]


def gcc_version(compiler: str) -> int:
    """0 for another compiler."""
    macros = subprocess.run([compiler, "-dM", "-E", "-x", "c++", os.devnull], text=True, capture_output=True, check=True).stdout
    found = re.search(r"#define __GNUC__ (\d+)", macros)
    return int(found[1]) if found and "__clang__" not in macros else 0


def read_disagreements(with_clang: bool, gcc: int) -> dict[str, str]:
    """Names of cases with the reasons, for simtcc with or without clang++ beside it, and with a version of g++ behind it."""
    listed: dict[str, str] = {}
    for line in (HERE / "disagreements.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, when, reason = (field.strip() for field in line.split(" | "))
        since = re.fullmatch(r"since g\+\+ (\d+)", when)
        if not since and when not in ("always", "with clang++", "without clang++") or not reason:
            raise ValueError(f"no disagreement: {line}")
        if gcc >= int(since[1]) if since else when in ("always", "with clang++" if with_clang else "without clang++"):
            if name in listed:
                raise ValueError(f"{name} is listed twice")
            listed[name] = reason
    return listed


def in_parallel(function: Callable, items: Iterable) -> list:
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(function, items))


def run(command: list[str], folder: str, seconds: int = 120) -> tuple[bool, str]:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          check=False, timeout=seconds)
    return done.returncode == 0, done.stdout


#: Headers that only NVIDIA's libcu++ has, which simtcc finds where it is installed.
OF_NVIDIA = re.compile(r"#include <(?:cuda/(?:std/(?!atomic)|functional|cmath)|nv/)")
#: A unit prints it before what each of its programs prints.
PROGRAM = re.compile(r"(?m)^program (\w+)\n")


class Simtcc:
    """simtcc as `./warpbook sim` runs it, but for optimisation."""

    def __init__(self, simtcc: str, simtrun: str, compiler: str, precompiled: str, folder: str) -> None:
        self.simtrun = simtrun
        self.printed: dict[str, str] = {}  # by programs, or what is wrong with their runs
        self.command = [simtcc, "--program", "--cxx", compiler, "-O0", "-w", "-std=c++20", "--precompiled", precompiled]
        self.folder = folder

    def compile(self, name: str, text: str, cases: list[Case]) -> tuple[bool, str]:
        pathlib.Path(self.folder, f"{name}.cu").write_text(text, newline="")
        taken, said = run([*self.command, "-o", f"{name}.so", f"{name}.cu"], self.folder)
        programs = [case for case in cases if case.prints is not None]
        if taken and programs:
            self._run(name, programs)
        pathlib.Path(self.folder, f"{name}.so").unlink(missing_ok=True)
        return taken, said

    def _run(self, name: str, programs: list[Case]) -> None:
        done = subprocess.run([self.simtrun, "--no-counters", f"{name}.so"], cwd=self.folder, capture_output=True, text=True, errors="replace", check=False,
                              timeout=120)
        if len(programs) > 1:
            _, *pieces = PROGRAM.split(done.stdout)
            self.printed.update(zip(pieces[::2], pieces[1::2]))
            if done.returncode:
                self.printed.update({case.name: f"status {done.returncode} of a unit\n{done.stderr}" for case in programs})
            return
        found = re.findall(r"(?m)^(?:error|warning): ([\w-]+)", done.stderr)
        as_expected = set(found) == {programs[0].diagnosed} if programs[0].diagnosed else done.returncode == 0 and not found
        self.printed[programs[0].name] = done.stdout if as_expected else f"status {done.returncode}\n{done.stderr}{done.stdout}"

    def judge(self, case: Case) -> tuple[str, str]:
        """The verdict on one case by itself, and what simtcc said."""
        taken, said = self.compile(case.name, case.unit(), [case])
        return ACCEPTED if taken else REFUSED, said


class Nvcc:
    """nvcc as the workbook calls it, for the architecture that the simulator has, up to the linked program."""

    OPTIONS = ("-arch=sm_90", "-std=c++20", "-rdc=true", "--expt-relaxed-constexpr", "--extended-lambda", "-w")

    def __init__(self, nvcc: str, folder: str) -> None:
        self.command = [nvcc, *self.OPTIONS]
        self.folder = folder

    def compile(self, name: str, text: str, _: list[Case]) -> tuple[bool, str]:
        pathlib.Path(self.folder, f"{name}.cu").write_text(text, newline="")
        compiled = run([*self.command, "-c", "-o", f"{name}.o", f"{name}.cu"], self.folder)
        return run([*self.command, "-o", f"{name}.program", f"{name}.o"], self.folder) if compiled[0] else compiled

    def judge(self, case: Case) -> tuple[str, str]:
        """The verdict on one case by itself, and what nvcc said."""
        taken, said = self.compile(case.name, case.unit(), [case])
        return ACCEPTED if taken else REFUSED, said


class Judged:
    """The verdicts of a compiler on many cases, most of them in few translation units."""

    def __init__(self, compiler: Simtcc | Nvcc, cases: list[Case], expected: dict[str, str], apart: Iterable[Case] = ()) -> None:
        """Cases with the same expectation share units, programs with programs, but for those `apart`; with --singly none do."""
        self.compiler = compiler
        self.verdicts: dict[str, str] = {}
        self.said: dict[str, str] = {}  # of those that were judged singly
        units = []
        for verdict, runs in () if ARGUMENTS.singly else itertools.product((ACCEPTED, REFUSED), (False, True)):
            alike = [case for case in cases if expected[case.name] == verdict and (case.prints is not None) == runs
                     and not case.alone and case not in apart]
            alike.sort(key=lambda case: includes(case.text))  # few units read the headers of the library
            units += [alike[i:i + CASES_PER_UNIT] for i in range(0, len(alike), CASES_PER_UNIT)]
        units.reverse()  # those that read most begin first
        together = {case.name for unit in units for case in unit}
        alone = [case for case in cases if case.name not in together]
        for unsure in in_parallel(lambda unit: self._judge_together(f"unit-{id(unit)}", unit, expected[unit[0].name]), units):
            alone += unsure
        for case, (verdict, said) in zip(alone, in_parallel(compiler.judge, alone)):
            self.verdicts[case.name] = verdict
            self.said[case.name] = said
        left = [case.name for case in alone if case.name in together]
        print(f"{len(together) - len(left)} cases in {len(units)} units, and {len(alone)} singly, of which units did not tell "
              f"{len(left)}: {' '.join(sorted(left))}")

    def _judge_together(self, name: str, cases: list[Case], expected: str) -> list[Case]:
        """Judges cases with the same expectation, and returns those for which a shared unit gives no verdict.

        What the unit is taken with is accepted. An error in a case refuses it; what stands beside it is then compiled
        without it, because compilers end at the stage that found errors. A case of which no error is found this way is left.
        """
        unsure: list[Case] = []
        left = list(cases)
        while len(left) > 1:
            taken, said = self.compiler.compile(name, together(left), left)
            if taken:
                if expected == REFUSED:
                    break
                self.verdicts.update({case.name: ACCEPTED for case in left})
                return unsure
            names = with_errors(said)
            found = [case for case in left if case.name in names]
            if not found:
                return unsure + [case for half in (left[::2], left[1::2]) for case in self._judge_together(name, half, expected)]
            left = [case for case in left if case.name not in names]
            if expected == ACCEPTED:  # what is wrong may be the namespace around it
                unsure += found
            else:
                self.verdicts.update({case.name: REFUSED for case in found})
        return unsure + left


def with_errors(said: str) -> set[str]:
    """Names of the cases in which the compiler found errors, or which it was instantiating when it found one in a header."""
    names: set[str] = set()
    for message in re.split(r"(?m)^(?=\S+(?:\(\d+\)|:\d+(?::\d+)?): )", said):
        first = message.split("\n", 1)[0]
        if re.search(r"(?:\(\d+\)|:\d+(?::\d+)?): (?:catastrophic |fatal )?error", first):
            at = re.match(r"(\w+)\.case", first)
            names.update([at[1]] if at else re.findall(r"(?:at line \d+ of |^)\"?(\w+)\.case\b", message)[-1:])
    for line in re.findall(r"(?m)^nvlink error.*$", said):  # names a symbol by its mangled name
        names.update(line[mangled.end():][:int(mangled[1]) - len("case_")] for mangled in re.finditer(r"(\d+)case_", line))
    for function in re.finditer(r"in function `([^\n]*)'", said):  # of the host, in which its linker misses a symbol
        names.update(re.findall(r"\bcase_(\w+)::", function[1]))
    return names


def key_of(case: Case, nvcc: str) -> str:
    """Of the case, its verdict, and all that this verdict depends on; `nvcc` is build_of() it."""
    parts = [nvcc, *Nvcc.OPTIONS, case.verdict, str(case.alone), case.unit()]
    return hashlib.sha256("".join(part + "\0" for part in parts).encode()).hexdigest()[:16]


def read_record() -> dict[str, str]:
    """The key of each case."""
    lines = RECORD.read_text().splitlines() if RECORD.is_file() else []
    return {name: key for key, name in (line.split(" ") for line in lines if not line.startswith("#"))}


def write_record(cases: list[Case], nvcc: str) -> None:
    lines = [f"{key_of(case, nvcc)} {case.name}" for case in sorted(cases, key=lambda case: case.name)]
    RECORD.write_text("\n".join([f"# What nvcc {nvcc} has judged: a key of each case and its verdict. Written by differential.py --record.",
                                 *lines]) + "\n")


def todays_part(cases: list[Case]) -> list[Case]:
    return cases[int(time.time() // 86400) % PARTS::PARTS]


def includes(text: str) -> list[str]:
    return re.findall(r"(?m)^#include.*$", text)


#: Names in the text of a case that mean the same in all of them.
COMMON_NAMES = {"x", "y", "z", "w", "if", "do", "or", "cg"}
#: What declares a name: a class, a concept, an alias, a macro, a function.
DECLARED = re.compile(r"\b(?:struct|class|union|concept|using|typename|define)\s+(\w+)|"
                      r"\b(?:int|void|float|double|bool|long|auto|T|__device__|__global__|__host__)\s*[*&]?\s+(\w+)\(")


def with_names_of_its_own(case: Case, text: str) -> str:
    """The text with other names for what the case declares, so that it shares none with other cases of its unit.

    Names of one or two letters are such; of longer ones those that stand where something is declared.
    """
    declared = {name for names in DECLARED.findall(text) for name in names if name and not name.startswith("__")} - {"operator", "namespace"}
    ours = declared | {name for name in re.findall(r"\b[A-Za-z]\w?\b", text)} - COMMON_NAMES

    def renamed(match: re.Match[str]) -> str:
        return f"{match[0]}_{case.name}" if match[0] in ours else match[0]
    return re.sub(r'#include.*|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|(?<![\w.])\d[\w.\']*|[A-Za-z_]\w*', renamed, text)


def together(cases: list[Case]) -> str:
    """One translation unit of many cases: a namespace for each, before them all that they include, and a main function."""
    headers: dict[str, None] = {}
    bodies = []
    calls = ""
    for case in cases:
        lines = with_names_of_its_own(case, case.text).split("\n")
        macros = [match[1] for line in lines if (match := re.match(r"#define (\w+)", line))]
        for i, line in enumerate(lines):
            if line.startswith("#include"):
                headers[line] = None
                lines[i] = ""
        if case.prints is not None:
            headers[STDIO.strip()] = None
            main = f"main_{case.name}"
            calls += f"std::puts(\"program {case.name}\"); case_{case.name}::{main}();\n"
            if "return" not in "\n".join(lines).partition(f" {main}(")[2]:  # main alone may end without it
                lines = [line.replace(f"int {main}(", f"void {main}(") for line in lines]
        undone = "".join(f"#undef {macro}\n" for macro in macros)
        bodies.append(f"namespace case_{case.name} {{\n#line 1 \"{case.name}.case\"\n" + "\n".join(lines) + undone + "}\n")
    return "\n".join(headers) + "\n" + "".join(bodies) + f"int main() {{\n{calls}}}\n"


class Cases(unittest.TestCase):
    def test_there_are_at_least_250_with_names_of_their_own_and_both_verdicts(self) -> None:
        cases = read_cases()
        names = [case.name for case in cases]
        self.assertGreaterEqual(len(cases), 250)
        self.assertEqual(sorted({name for name in names if names.count(name) > 1}), [])
        self.assertEqual([case.name for case in cases if not re.fullmatch(r"[a-z0-9_]+", case.name)], [])
        self.assertEqual([case.name for case in cases if case.verdict == "?"], [], "record nvcc's verdicts with --record")
        for verdict in (ACCEPTED, REFUSED):
            self.assertGreater(sum(case.verdict == verdict for case in cases), 100)

    def test_every_disagreement_is_about_a_case(self) -> None:
        names = {case.name for case in read_cases()}
        for with_clang in (True, False):
            self.assertEqual(set(read_disagreements(with_clang, gcc=1000)) - names, set())


class SimtccAgainstRecord(unittest.TestCase):
    def test_simtcc_takes_what_nvcc_takes_and_refuses_what_nvcc_refuses(self) -> None:
        cases = read_cases()
        with_clang = shutil.which("clang++") is not None
        listed = read_disagreements(with_clang, gcc_version(ARGUMENTS.cxx))
        other = {ACCEPTED: REFUSED, REFUSED: ACCEPTED}
        expected = {case.name: other[case.verdict] if case.name in listed else case.verdict for case in cases}
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="warpbook-test-") as folder:
            simtcc = Simtcc(ARGUMENTS.simtcc, ARGUMENTS.simtrun, ARGUMENTS.cxx, ARGUMENTS.precompiled or f"{folder}/precompiled", folder)
            if not simtcc.compile("libcuxx", "#include <cuda/std/utility>\nint main() {}\n", [])[0]:
                cases = [case for case in cases if not OF_NVIDIA.search(case.text)]
            # An error that a refused case has only in a unit would hide that simtcc takes it, so some are judged by themselves.
            judged = Judged(simtcc, cases, expected, todays_part([case for case in cases if expected[case.name] == REFUSED]))
        differing = [case for case in cases if judged.verdicts[case.name] != case.verdict]
        print(f"{len(cases)} cases in {time.monotonic() - began:.0f} s; {len(differing)} disagreements "
              f"{'with' if with_clang else 'without'} clang++, {len(listed)} in the list")
        new = [f"{case.name} ({case.rule}): nvcc {case.verdict}, simtcc {judged.verdicts[case.name]}\n{case.text}"
               f"{judged.said.get(case.name, '')[:1500]}" for case in differing if case.name not in listed]
        programs = [case for case in cases if case.prints is not None and judged.verdicts[case.name] == ACCEPTED]
        wrong = [f"{case.name} ({case.rule}) prints\n{simtcc.printed.get(case.name)}\nand not\n{case.prints}" for case in programs
                 if simtcc.printed.get(case.name, "").strip() != case.prints.strip()]
        print(f"{len(programs)} programs ran, and {len(wrong)} of them printed something else than they should")
        gone = [f"{name}: take it off the list" for name in listed if name not in {case.name for case in differing}]
        self.assertFalse(new or gone or wrong, "\n" + "\n".join(new + gone + wrong))


def changed(cases: list[Case]) -> list[Case]:
    """Those that nvcc, as it is here, has not judged, or of which it said something else than they do."""
    known, nvcc = read_record(), build_of(ARGUMENTS.nvcc)
    return [case for case in cases if known.get(case.name) != key_of(case, nvcc)]


class RecordAgainstNvcc(unittest.TestCase):
    def test_the_recorded_verdicts_are_nvccs(self) -> None:
        cases = read_cases()
        new = changed(cases)
        others = sorted((case for case in cases if case not in new), key=lambda case: case.name)
        judged = new + (others if ARGUMENTS.all else todays_part(others))
        self.assertTrue(judged)
        began = time.monotonic()
        verdicts = verdicts_of_nvcc(judged)
        print(f"{len(new)} cases that changed and {len(judged) - len(new)} of {len(others)} others in {time.monotonic() - began:.0f} s")
        self.assertEqual([f"{case.name}: recorded {case.verdict}, nvcc {verdicts[case.name]}" for case in judged
                          if verdicts[case.name] != case.verdict], [], "record nvcc's verdicts with --record")

    def test_a_case_counts_as_changed_with_its_text_its_verdict_and_its_compiler(self) -> None:
        case = read_cases()[0]
        other = REFUSED if case.verdict == ACCEPTED else ACCEPTED
        keys = {key_of(case, "13.0.88"), key_of(case, "13.0.89"), key_of(dataclasses.replace(case, verdict=other), "13.0.88"),
                key_of(dataclasses.replace(case, text=case.text + "\n"), "13.0.88"), key_of(dataclasses.replace(case, crlf=not case.crlf), "13.0.88"),
                key_of(dataclasses.replace(case, alone=not case.alone), "13.0.88")}
        self.assertEqual(len(keys), 6)


def verdicts_of_nvcc(cases: list[Case]) -> dict[str, str]:
    recorded = {case.name: case.verdict for case in cases}
    with tempfile.TemporaryDirectory(prefix="warpbook-test-") as folder:
        return Judged(Nvcc(ARGUMENTS.nvcc, folder), cases, recorded).verdicts


def record() -> None:
    """Writes nvcc's verdicts into the headers of the cases that changed, and the keys of all; with --all all are judged."""
    cases = read_cases()
    verdicts = verdicts_of_nvcc(cases if ARGUMENTS.all else changed(cases))
    for file in case_files():
        text = file.read_text()
        for case in parse(text):
            verdict = verdicts.get(case.name, case.verdict)
            text = re.sub(rf"(?m)^{MARK}(\?|{ACCEPTED}|{REFUSED}) \| {case.name} \|", f"{MARK}{verdict} | {case.name} |", text)
            if verdict != case.verdict:
                print(f"{case.name}: {verdict}")
        file.write_text(text)
    write_record(read_cases(), build_of(ARGUMENTS.nvcc))


def version_of(nvcc: str) -> str:
    said = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.search(r"release (\d+\.\d+)", said)
    return found[1] if found else "of an unknown version"


def build_of(nvcc: str) -> str:
    """13.0.88, for example: of version 13.0 there are several."""
    said = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.search(r"\bV(\d+(?:\.\d+)+)", said)
    return found[1] if found else said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simtcc")
    parser.add_argument("--simtrun")
    parser.add_argument("--cxx", default="g++", help="the host compiler that simtcc uses")
    parser.add_argument("--precompiled", help="folder in which simtcc keeps its headers")
    parser.add_argument("--nvcc")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--all", action="store_true", help="with --nvcc: also the cases that did not change")
    parser.add_argument("--singly", action="store_true", help="no case shares a translation unit with others")
    parser.parse_args(namespace=ARGUMENTS)
    if ARGUMENTS.record:
        record()
        return
    if ARGUMENTS.nvcc and (other := version_of(ARGUMENTS.nvcc)) != RECORDED_BY:
        print(f"The verdicts are those of nvcc {RECORDED_BY}, and this is nvcc {other}: nothing was compared.")
        sys.exit(SKIPPED)
    suite = unittest.TestSuite()
    for group, is_wanted in ((Cases, True), (SimtccAgainstRecord, ARGUMENTS.simtcc), (RecordAgainstNvcc, ARGUMENTS.nvcc)):
        if is_wanted:
            suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(group))
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


if __name__ == "__main__":
    main()
