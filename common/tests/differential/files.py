"""Whether nvcc takes the files that simtcc takes: every starter, solution, step and mutant, the accepted files of
common/tests/accepted and the programs of common/tests/programs. Peers, which only nvcc compiles, are here too; and solutions
and the last step of every function are compiled for an older GPU as well.

  files.py --nvcc NVCC --mutants DIR             compiles what changed since it was recorded, and a part of the rest
  files.py --nvcc NVCC --mutants DIR --record    compiles what changed, and writes files.txt
  files.py --nvcc NVCC --mutants DIR --all       compiles everything, --singly each file by itself
  files.py --nvcc NVCC --unrecorded              prints the submissions of which there is no verdict of this nvcc, but for mutants

DIR is the folder `mutants` of a build, with mutants made whole by their solutions. files.txt has a line for each file: nvcc's
verdict, the key of what it was given, and the file. README.md says what keys are made of, and which files share a unit.
"""
from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import pathlib
import re
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable

import differential
from differential import ACCEPTED, HERE, RECORDED_BY, REFUSED, SKIPPED

ROOT = HERE.parents[2]
RECORD = HERE / "files.txt"
ARGUMENTS = argparse.Namespace()
WRITING = threading.Lock()

#: How submissions are compiled, after -arch: as warpbook_cuda_command() in common/cmake/Warpbook.cmake does.
OPTIONS = ["--expt-relaxed-constexpr", "--extended-lambda", "-w"]
#: The oldest GPU on which solutions run; they were measured on newer ones.
OLDEST = "sm_75"
#: Programs are compiled with both, because simtcc tries both: what one takes is taken.
STANDARDS = ["-std=c++20", "-std=c++17"]
#: The headers of NVIDIA's samples, as the simulator has them.
HELPERS = "common/simt/include/samples"
#: Files of which something else is wanted than that nvcc takes them, with the reason.
REFUSED_BY_NVCC = {
    "common/tests/programs/device_query.cu": "members of cudaDeviceProp that CUDA 13 no longer has; simtcc keeps them for older programs",
    "common/tests/programs/measured_functions.cu": "cudaMemAdvise and cudaMemPrefetchAsync as before CUDA 13; simtcc keeps them for older programs",
    "common/tests/programs/monte_carlo_pi.cu": "cudaThreadSynchronize, which CUDA 13 no longer has; simtcc keeps it for older programs",
    "common/tests/programs/separate_files": "a device function in a header that is not inline; simtcc gives every file its own, as nvcc does with -rdc=false",
    "common/tests/programs/vector_helpers.cu": "the simulator's helper_math.h is not for nvcc, and the toolkit has none",
    "common/tests/programs/warps_before_2017.cu": "the warp functions without a mask, which simtcc takes with --legacy-warp-functions; "
                                                  "nvcc has none of them for sm_70 and newer",
}
#: A unit beyond this is compiled in several pieces: what is wrong in it is then found sooner.
FILES_PER_UNIT = 40
#: Longest time that one call of nvcc may take.
SECONDS = 600
#: What this test compiles again of the files that did not change: one such part on each day.
PARTS = 60
#: More units than this have to be recorded before the test runs.
CHANGED_UNITS = 12


@dataclasses.dataclass(frozen=True)
class File:
    """A submission or a program, and what a compiler reads of it."""

    path: str  # from the root of the tree; of a program in a folder, its folder
    sources: tuple[str, ...]  # what is compiled
    contract: str = ""  # the lab's header, which comes before it
    relocatable: bool = True
    text: str = ""  # of a submission: the file, or what it was composed to be
    key: str = ""
    architecture: str = "sm_90"
    shares: bool = True  # False if what it includes does not go into a unit of many files

    def options(self) -> list[str]:
        """Those of the compiler, but for the standard, which is C++20 for submissions."""
        return [f"-arch={self.architecture}", *OPTIONS] + ["-rdc=true"] * self.relocatable

    def may_share(self) -> bool:
        """Whether it can be compiled as one of many: its names can be put into a namespace."""
        return self.shares and bool(self.contract) and not re.search(r'^ *# *include *"|(?<![\w>)]) *::\w', self.text, re.MULTILINE)


def hashed(texts: list[str]) -> str:
    whole = hashlib.sha256()
    for text in texts:
        whole.update(text.encode() + b"\0")
    return whole.hexdigest()[:16]


def read(path: str) -> str:
    return (ROOT / path).read_text()


def submission(path: str, lab: str, text: str | None = None, architecture: str = "", shares: bool = True) -> File:
    contract = f"labs/{lab}/lab.hpp"
    relocatable = bool(json.loads(read(f"labs/{lab}/lab.json")).get("relocatable"))
    file = File(path, (path,), contract, relocatable, read(path) if text is None else text, shares=shares)
    if architecture:
        file = dataclasses.replace(file, path=f"{path} for {architecture}", architecture=architecture)
    return dataclasses.replace(file, key=hashed([RECORDED_BY, *STANDARDS, *file.options(), read(contract), file.text]))


def composed(path: pathlib.Path) -> str:
    """The text of a mutant as it was composed with its solution. Where that includes the whole mutant, it is put there."""
    text = path.read_text()
    text = re.sub(r'(?m)^#include "(/.*/mutants/\w+\.cu)"$', lambda found: f'#line 1 "{found[1]}"\n' + pathlib.Path(found[1]).read_text(), text)
    return re.sub(r'(?m)^(#line \d+ ")/.*/(solutions/)', r"\1\2", text)


def program(path: str) -> File:
    """One program: a file, or a folder in which every source is a part of it."""
    folder = ROOT / path
    everything = sorted(file for file in folder.iterdir() if file.is_file()) if folder.is_dir() else [folder]
    names = [str(file.relative_to(ROOT)) for file in everything]
    if any("#include <helper_" in read(name) for name in names):
        names += [str(file.relative_to(ROOT)) for file in sorted((ROOT / HELPERS).iterdir())]
    sources = tuple(name for name in names if re.search(r"\.(cu|cpp|c)$", name))
    file = File(path, sources)
    return dataclasses.replace(file, key=hashed([RECORDED_BY, *STANDARDS, *file.options(), *(part for name in names for part in (name, read(name)))]))


def labs() -> list[str]:
    return sorted(folder.name for folder in (ROOT / "labs").iterdir() if (folder / "lab.json").is_file())


def last_steps(steps: list[pathlib.Path]) -> list[pathlib.Path]:
    """The last step of every function: columns_v10_x of columns_v2_y and columns_v10_x, and v3_z of those without a name before."""
    last: dict[str, tuple[int, str, pathlib.Path]] = {}
    for path in steps:
        function, number = re.fullmatch(r"(.*?)v(\d+)[a-z]?_.*", path.stem).groups()
        last[function] = max(last.get(function, (-1, "", path)), (int(number), path.stem, path))
    return [path for _, _, path in last.values()]


def submissions(lab: str) -> list[File]:
    """Those of a lab that are whole files: all but its mutants."""
    kernel = json.loads(read(f"labs/{lab}/lab.json"))["kernel"]
    solutions = ROOT / "solutions" / lab
    solution, steps = solutions / f"{kernel}.cu", sorted((solutions / "steps").glob("*.cu"))
    paths = [ROOT / "labs" / lab / f"{kernel}.cu", solution, *steps, *sorted((HERE.parent / "accepted" / lab).glob("*.cu"))]
    return [*(submission(str(path.relative_to(ROOT)), lab) for path in paths),
            *(submission(str(path.relative_to(ROOT)), lab, architecture=OLDEST) for path in [solution, *last_steps(steps)]),
            *(submission(str(path.relative_to(ROOT)), lab, shares=False) for path in sorted((solutions / "peers").glob("*.cu")))]


def all_files() -> list[File]:
    found = []
    for lab in labs():
        found += submissions(lab)
        for path in sorted((ROOT / "solutions" / lab / "mutants").glob("*.cu")):
            whole = pathlib.Path(ARGUMENTS.mutants, lab[:2], path.name)
            found.append(submission(str(path.relative_to(ROOT)), lab, composed(whole)))
    programs = HERE.parent / "programs"
    found += [program(str(path.relative_to(ROOT))) for path in sorted(programs.iterdir())
              if path.suffix == ".cu" or (path.is_dir() and any(path.glob("*.cu")))]
    return found


def read_record() -> dict[str, tuple[str, str]]:
    """Verdict and key of each file."""
    if not RECORD.is_file():
        return {}
    lines = [line.split(" ", 2) for line in RECORD.read_text().splitlines() if not line.startswith("#")]
    return {path: (verdict, key) for verdict, key, path in lines}


def write_record(files: list[File], verdicts: dict[str, str]) -> None:
    lines = [f"# What nvcc {RECORDED_BY} said of each file: verdict, key of what it read, file. Written by files.py --record."]
    lines += [f"{verdicts[file.path]} {file.key} {file.path}" for file in sorted(files, key=lambda file: file.path) if file.path in verdicts]
    with WRITING:
        RECORD.write_text("\n".join(lines) + "\n")


def units_of(files: list[File]) -> list[list[File]]:
    """Files that are compiled together: those of one lab that include the same headers, so that none finds in its unit what it
    would lack by itself."""
    alike: dict[object, list[File]] = {}
    for file in files:
        kind = (file.contract, file.architecture, *sorted(set(differential.includes(file.text)))) if file.may_share() and not ARGUMENTS.singly else file.path
        alike.setdefault(kind, []).append(file)
    return [group[i:i + FILES_PER_UNIT] for group in alike.values() for i in range(0, len(group), FILES_PER_UNIT)]


def together(files: list[File]) -> str:
    """One translation unit of many submissions: each in a namespace, with a contract of its own, which names no C functions
    there, because those of all namespaces are one."""
    headers: dict[str, None] = {}

    def without_includes(text: str) -> str:
        headers.update(dict.fromkeys(differential.includes(text)))
        return re.sub(r"(?m)^#(include|pragma once).*$", "", text)

    bodies = []
    for i, file in enumerate(files):
        parts = [(file.contract, read(file.contract).replace('extern "C"', 'extern "C++"')), (file.path, file.text)]
        text = "".join(f'#line 1 "{path}"\n{without_includes(part)}\n' for path, part in parts)
        undone = "".join(f"#undef {macro}\n" for macro in re.findall(r"(?m)^ *# *define +(\w+)", text))
        bodies.append(f"namespace file_{i} {{\n{text}{undone}}}\n")
    return "\n".join(headers) + "\n" + "".join(bodies)


class Nvcc:
    """nvcc as the workbook calls it, for the architecture that the simulator has, up to the linked device code."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.said: dict[str, str] = {}

    def judge(self, unit: list[File]) -> dict[str, str]:
        """The verdict on each file of a unit. What is taken together is taken; what is not is judged in halves."""
        taken, said = self._one(unit[0]) if len(unit) == 1 else self._many(unit)
        if taken:
            return {file.path: ACCEPTED for file in unit}
        if len(unit) == 1:
            self.said[unit[0].path] = said
            return {unit[0].path: REFUSED}
        middle = len(unit) // 2
        return self.judge(unit[:middle]) | self.judge(unit[middle:])

    def _many(self, unit: list[File]) -> tuple[bool, str]:
        source = pathlib.Path(self.folder, f"{unit[0].key}-and-more.cu")
        source.write_text(together(unit))
        return self._compiled(unit[0], [str(source)], STANDARDS[:1])

    def _one(self, file: File) -> tuple[bool, str]:
        if not file.contract:
            sources, options = [str(ROOT / source) for source in file.sources], ["-I", str(ROOT / HELPERS)]
            said = ""
            for standard in STANDARDS:
                taken, said = self._compiled(file, sources, [*options, standard])
                if taken:
                    break
            return taken, said
        contract = ROOT / file.contract
        source = pathlib.Path(self.folder, f"{file.key}.cu")
        source.write_text(f'#line 1 "{file.path}"\n{file.text}')
        return self._compiled(file, [str(source)], [*STANDARDS[:1], "-I", str(contract.parent), "-include", str(contract)])

    def _compiled(self, first: File, sources: list[str], options: list[str]) -> tuple[bool, str]:
        objects = []
        command = [ARGUMENTS.nvcc, *first.options()]
        for i, source in enumerate(sources):
            objects.append(f"{first.key}-{i}.o")
            taken, said = differential.run([*command, *options, "-c", "-o", objects[-1], source], self.folder, SECONDS)
            if not taken:
                return taken, said
        return differential.run([*command, "-dlink", "-o", f"{first.key}.linked.o", *objects], self.folder, SECONDS) if first.relocatable else (True, "")


def judged(files: list[File], tell: Callable[[dict[str, str]], None] = lambda _: None) -> tuple[dict[str, str], dict[str, str]]:
    """nvcc's verdict on each file, and what it said of those that it refused. After each unit `tell` gets the verdicts so far."""
    with tempfile.TemporaryDirectory(prefix="warpbook-test-") as folder:
        nvcc = Nvcc(folder)
        verdicts: dict[str, str] = {}

        def judge(unit: list[File]) -> None:
            verdicts.update(nvcc.judge(unit))
            tell(dict(verdicts))
        differential.in_parallel(judge, units_of(files))
        return verdicts, nvcc.said


def changed(files: list[File], known: dict[str, tuple[str, str]]) -> list[File]:
    return [file for file in files if known.get(file.path, ("", ""))[1] != file.key]


class Files(unittest.TestCase):
    def test_nvcc_takes_every_file_that_simtcc_takes(self) -> None:
        files, known = all_files(), read_record()
        self.assertGreater(len(files), 600)
        # What the build and its fixtures make of these files shows that simtcc takes all of them.
        wrong = [f"{path}: recorded {verdict}" for path, (verdict, _) in known.items()
                 if path in {file.path for file in files} and (verdict == REFUSED) != (path in REFUSED_BY_NVCC)]
        self.assertEqual(wrong, [], "simtcc takes these files; nvcc must take all but those of REFUSED_BY_NVCC")
        gone = sorted(set(known) - {file.path for file in files})
        self.assertEqual(gone, [], "no such files: record with --record")

        # A starter is the student's to change, and may be wrong: the preset cuda-ci has nvcc compile it if it was changed.
        new = [file for file in changed(files, known) if not file.path.startswith("labs/")]
        self.assertLessEqual(len(units_of(new)), CHANGED_UNITS, f"{len(new)} files changed: record nvcc's verdicts with --record")
        unchanged = units_of([file for file in files if known.get(file.path, ("", ""))[1] == file.key])
        today = int(time.time() // 86400)
        again = unchanged if ARGUMENTS.all else unchanged[today % PARTS::PARTS]
        began = time.monotonic()
        verdicts, said = judged([*new, *(file for unit in again for file in unit)])
        print(f"{len(new)} files that changed and {len(verdicts) - len(new)} of the others in {time.monotonic() - began:.0f} s"
              + "; record those that changed with --record" * bool(new))
        wrong = [f"{path}: {verdict}\n{said.get(path, '')[:1500]}" for path, verdict in verdicts.items()
                 if (verdict == REFUSED) != (path in REFUSED_BY_NVCC)]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))


def record() -> None:
    """Writes nvcc's verdicts on the files that changed; with --all on every file. What is broken off goes on where it ended."""
    files, known = all_files(), read_record()
    wanted = files if ARGUMENTS.all else changed(files, known)
    kept = {file.path: known[file.path][0] for file in files if file not in wanted}
    verdicts, said = judged(wanted, lambda verdicts: write_record(files, kept | verdicts))
    for path, verdict in verdicts.items():
        if (verdict == REFUSED) != (path in REFUSED_BY_NVCC):
            print(f"{path}: {verdict}\n{said.get(path, '')[:1500]}")
    write_record(files, kept | verdicts)
    print(f"{len(verdicts)} of {len(files)} files compiled")


def unrecorded(nvcc: str) -> list[str]:
    """The files of submissions, but for mutants, without a verdict of this nvcc in the record."""
    files = [file for lab in labs() for file in submissions(lab)]
    left = files if differential.version_of(nvcc) != RECORDED_BY else changed(files, read_record())
    return list(dict.fromkeys(file.sources[0] for file in left))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--mutants", help="folder of the composed mutants in a build")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--all", action="store_true", help="also what did not change")
    parser.add_argument("--singly", action="store_true", help="no file shares a translation unit with others")
    parser.add_argument("--unrecorded", action="store_true")
    parser.parse_args(namespace=ARGUMENTS)
    if ARGUMENTS.unrecorded:
        print("".join(f"{path}\n" for path in unrecorded(ARGUMENTS.nvcc)), end="")
        return
    if not ARGUMENTS.mutants:
        parser.error("--mutants is missing")
    if (other := differential.version_of(ARGUMENTS.nvcc)) != RECORDED_BY:
        print(f"The verdicts are those of nvcc {RECORDED_BY}, and this is nvcc {other}: nothing was compared.")
        sys.exit(SKIPPED)
    if ARGUMENTS.record:
        record()
        return
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Files)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


if __name__ == "__main__":
    main()
