"""Verdicts of the workbook's own tests, kept by content: what passed is not run again while all that it depends on is the same.

A key covers the test's command and properties, the files of the tree that it may read, and the environment: compilers,
libraries, programs, variables, the kernel. Which files a test may read, `READS` says; a test that is not in the table may read
all of them. Only passed tests are kept, in the folder $WARPBOOK_CACHE, else that of the user's caches. An entry that was
changed, or lies where another belongs, is as good as none, and a folder in which others may write is not used.
"""
from __future__ import annotations

import contextlib
import dataclasses
import datetime
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterable

from . import files
from .probe import output_of
from .problem import Problem

VARIABLE = "WARPBOOK_CACHE"
FORMAT = 2
UNUSED_DAYS = 30  # an entry that no run asked for in this time is removed

#: What shapes every build: the top level, and how submissions, labs and tests are put together.
_BUILD = ["CMakeLists.txt", "CMakePresets.json", "common/CMakeLists.txt", "common/cmake/"]
#: The simulator, with simtcc and the runner.
_SIMULATOR = [*_BUILD, *(f"common/{name}/" for name in ("call", "confine", "languages", "process", "runner", "simt", "text", "timing")),
              "!common/languages/*.po", "!common/languages/*.pot"]  # tests speak English (common/tests/environment.cmake)
_GRADER = [*_SIMULATOR, "common/grader/", "common/yardsticks/"]
#: What a submission's verdict depends on besides the submission; {lab} is the folder of the lab whose number is {1}.
_LAB = [*_GRADER, "common/tests/environment.cmake", "labs/{lab}/"]
_UNIT_TESTS = ["common/tests/CMakeLists.txt", "common/tests/environment.cmake", "common/tests/run_unittest.py", "common/tests/unit_test_main.cpp"]
#: The labs as readers see them: without what their graders are made of.
_LABS = ["labs/", "!labs/*/*.cpp", "!labs/*/*.hpp", "labs/*/lab.hpp", "!labs/*/messages.md"]
#: The book, without what is there to be graded alone, graders, and the tests of the command.
_BOOK = ["**", "!solutions/*/mutants/", "!labs/", *_LABS, "!common/tests/command/test_*.py"]
_ENGLISH_BOOK = [*_BOOK, "!common/languages/*.po", "!common/languages/*.pot"]
#: The command and what its tests share. Their small workbook has the plot of a lab, and a grade names the simulator's headers.
_COMMAND = [*_UNIT_TESTS, "warpbook", "CMakePresets.json", "common/cmake/", "common/command/", "common/languages/*.py", "common/new_lab/",
            "common/see/", "common/simt/include/", "common/tests/command/", "!common/tests/command/test_*.py", "labs/*/plot.py", "plots/*.py"]
#: Some lab's submissions, drawn: what they are made of, what grades them, and the drawing code.
_DRAWN = [*_GRADER, *_UNIT_TESTS, "common/command/", "common/see/", "common/tests/see/", "common/tests/programs/", "docs/images/", "solutions/*/*.cu",
          "{required}"]

#: Tests, by patterns of their whole names, and what they may read: files and folders (with a / at the end), in which * stands for
#: any part of a name and ** for any path, {1} for a group of the pattern and {lab} for the lab of that number; ! takes away, and
#: {required} is the source of each module among the test's REQUIRED_FILES. The first pattern counts. A test without a row may read
#: everything. kept_audit.py, beside the tests of this, watches the rows.
READS: list[tuple[str, list[str]]] = [
    (r"(\d\d)\.mutant-(\w+)\.sim:.*", [*_LAB, "solutions/{lab}/mutants/{2}.cu", "solutions/{lab}/{kernel}.cu"]),
    (r"(\d\d)\.step-(\w+)\.sim:.*", [*_LAB, "solutions/{lab}/steps/{2}.cu"]),
    (r"(\d\d)\.solution\.sim:.*", [*_LAB, "solutions/{lab}/{kernel}.cu"]),
    (r"(\d\d)\.starter\.sim:builds", [*_LAB, "common/command/"]),
    (r"(\d\d)\.accepted-(\w+)\.sim:.*", [*_LAB, "common/tests/accepted/CMakeLists.txt", "common/tests/accepted/{lab}/{2}.cu"]),
    (r"(\d\d)\.fault-(\w+)\.sim:.*", [*_LAB, "common/command/", "common/tests/faults/"]),
    (r"golden\..*", [*_GRADER, *_UNIT_TESTS, "common/tests/golden/"]),
    (r"program\..*", [*_SIMULATOR, *_UNIT_TESTS, "common/tests/programs/"]),
    (r"fuzz\..*", [*_SIMULATOR, "common/grader/", *_UNIT_TESTS, "common/tests/fuzz/"]),
    (r"unit\.(simt|simtcc)-.*", [*_SIMULATOR, *_UNIT_TESTS, "common/tests/simt/", "common/tests/simtcc/"]),
    (r"unit\.differential(-nvcc)?", [*_SIMULATOR, *_UNIT_TESTS, "common/tests/differential/"]),
    (r"unit\.headers-as-nvidias", [*_SIMULATOR, *_UNIT_TESTS, "common/tests/headers/"]),
    (r"unit\.attacks-.*", [*_GRADER, *_UNIT_TESTS, "common/tests/attacks/", "common/tests/simtcc/CMakeLists.txt",
                           *(f"labs/{lab}-*/" for lab in ("01", "02", "03", "04", "06")), "solutions/01-coalescing/coalescing.cu",
                           *(f"common/command/{name}.py" for name in ("__init__", "build_folder", "files", "lab_facts", "language", "problem", "student_file"))]),
    (r"unit\.(call|confine|process|runner|text|timing)", [*_SIMULATOR, *_UNIT_TESTS, "common/tests/{1}/"]),
    (r"unit\.(grader|grader-command)", [*_GRADER, *_UNIT_TESTS, "common/tests/grader/", "labs/*/lab.hpp"]),
    (r"unit\.(bench|bench-plan)", [*_GRADER, *_UNIT_TESTS, "common/bench/", "common/tests/bench/", "common/tests/grader/"]),
    (r"unit\.(programs|programs-findings|public-programs)", [*_SIMULATOR, *_UNIT_TESTS, "common/command/", "common/tests/programs/", "common/tests/public/"]),
    (r"unit\.command-(docs|faked|figures|floors|give-out|kept|lab-facts|portability|questions|results-page|starters|story|systems|translations|wheel)", ["**"]),
    (r"unit\.command-likeness", [*_COMMAND, *_LABS, "common/tests/accepted/", "solutions/", "!solutions/*/mutants/"]),
    (r"unit\.command-intake", [*_COMMAND, *_LABS, "common/tests/command/test_harmless.py", "solutions/"]),
    (r"unit\.command-rosters", [*_COMMAND, *_LABS, "common/tests/command/test_harmless.py", "common/tests/command/test_intake.py"]),
    (r"unit\.command-remarks", [*_COMMAND, *_GRADER, *_LABS, "common/tests/accepted/", "common/tests/attacks/run/", "solutions/"]),
    (r"unit\.command-(feedback|outputs|rules)", [*_COMMAND, *_LABS, "common/tests/command/test_outputs.py"]),
    (r"unit\.command-editors", [*_COMMAND, ".devcontainer/", ".vscode/", "Dockerfile"]),
    (r"unit\.command-guide", [*_COMMAND, "docs/instructor-guide.md", "labs/01-coalescing/lab.hpp"]),
    (r"unit\.command-notebook", [*_COMMAND, "docs/notebook.ipynb", "labs/01-coalescing/coalescing.cu.starter"]),
    (r"unit\.command-toolkit", [*_COMMAND, "CMakeLists.txt"]),
    (r"unit\.command-.*", _COMMAND),
    (r"unit\.(see-pages|see-drawing|see-types)", [*_UNIT_TESTS, "common/command/", "common/see/", "common/tests/see/"]),
    (r"unit\.see-handouts", [*_DRAWN, *(f"labs/{lab}-*/" for lab in ("01", "02", "05", "06"))]),
    (r"unit\.(see-traces|see-pages-of-labs)", [*_DRAWN, "labs/", "!labs/*/*.md", "labs/*/messages.md"]),
    (r"unit\.(languages-grader|schemas)", [*_GRADER, *_UNIT_TESTS, "common/command/", "common/languages/messages.pot", "common/tests/languages/",
                                           "common/tests/schemas/", "docs/check.schema.json", "labs/01-coalescing/", "labs/*/lab.json", "solutions/01-coalescing/*", "{required}"]),
    (r"unit\.(site|site-pages|site-see)", _BOOK),
    (r"unit\.(honesty|style)", [*_UNIT_TESTS, "common/command/", "common/grader/messages.py", "common/honesty/", "common/languages/*.py",
                                "common/tests/honesty/"]),
    (r"unit\.(new-lab|configure)", _ENGLISH_BOOK),
    # Labs 01, 02 and 05 are what they run. Of the others they copy what is given out, which unit.command-give-out looks through.
    (r"unit\.(wheel|documents|notebook|see-verb)", [*_ENGLISH_BOOK, *(f"labs/{lab}-*/" for lab in ("01", "02", "05")), "solutions/01-coalescing/"]),
    (r"(\d\d):.*", [*_LAB, "README.md", "labs/*/README.md", "labs/*/more.md", "common/command/", "common/honesty/", "common/languages/zh.po",
                    "common/tests/", "solutions/{lab}/"]),
]
#: Tests whose verdict depends on the day: each day they look at another part of what they watch over.
DAILY = r"unit\.differential(-nvcc|-files)?"
#: Programs beside the compilers that tests start where they are there, and that packages of a system do not always bring.
PROGRAMS = ("bwrap", "chromedriver", "chromium", "clang++", "cmake", "g++", "gdb", "git", "ld", "make", "ninja", "node", "nvcc", "python3", "slurmd", "tsc")
#: Variables that change what is built or tested.
_VARIABLES = re.compile(r"WARPBOOK_(?!CACHE$|BUILD$).*|SIMT.*|CUDA.*|NV.*|CXX|CC|C(XX|PP)?FLAGS|LDFLAGS|CMAKE_.*|C(PLUS_INCLUDE_)?PATH|"
                        r"L(D_)?LIBRARY_PATH|PATH|LANG|LC_.*|TERM|TMPDIR|PYTHON.*")


def folder(build_root: pathlib.Path) -> pathlib.Path:
    """Where results are kept: in the build folder if the user has no folder for caches. Raises Problem if others may write there."""
    named = os.environ.get(VARIABLE)
    path = pathlib.Path(named) if named else pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warpbook"
    path = path.absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        if named:
            raise
        path = build_root / "cache"
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = path.stat()
    if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise Problem(f"Others may write in {path}, so that verdicts kept there prove nothing.",
                      [f"Set {VARIABLE} to a folder that is yours alone."])
    return path


def compiler_cache(store: pathlib.Path, root: pathlib.Path) -> dict[str, str]:
    """Variables by which CMake and ccache, where that is installed, keep what the C++ compiler makes. Paths below `root` are
    relative to it, so that a clone elsewhere finds what was compiled here."""
    if "CMAKE_CXX_COMPILER_LAUNCHER" in os.environ or not shutil.which("ccache"):
        return {}
    return {"CMAKE_C_COMPILER_LAUNCHER": "ccache", "CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_DIR": str(store / "ccache"),
            "CCACHE_BASEDIR": str(root), "CCACHE_SLOPPINESS": "pch_defines,time_macros"}


def properties_of(test: dict) -> dict:
    """Of a test as `ctest --show-only=json-v1` describes it."""
    return {each["name"]: each["value"] for each in test.get("properties", [])}


def _output(*command: str) -> str:
    return output_of(list(command), 60, stderr=subprocess.DEVNULL, errors="surrogateescape") or ""


def files_of(root: pathlib.Path) -> dict[str, str]:
    """A hash of the content and the kind of every file that is part of the tree: those that git does not ignore."""
    listed = _output("git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    if listed:
        names = sorted(set(listed.split("\0")) - {""})
    else:  # not a checkout of git's
        names = sorted(str(path.relative_to(root)) for path in root.rglob("*")
                       if path.is_file() and path.relative_to(root).parts[0] not in ("build", ".git") and "__pycache__" not in path.parts)
    found = {}
    for name in names:
        path = root / name
        try:
            mode = path.lstat().st_mode
            content = os.readlink(path).encode() if stat.S_ISLNK(mode) else path.read_bytes()
        except OSError:
            continue  # removed, or a submodule
        found[name] = f"{stat.S_IFMT(mode) | mode & 0o111:o} {hashlib.sha256(content).hexdigest()}"
    return found


def environment(compiler: str, python: str) -> dict[str, str]:
    """What a verdict depends on outside of the tree, by name."""
    programs = {}
    for name in dict.fromkeys([*PROGRAMS, compiler, python]):
        path = shutil.which(name)
        if path:
            status = os.stat(path)
            is_small = status.st_size < 1 << 22  # one in build/venv is younger in each clone
            content = files.digest(path) if is_small else status.st_mtime_ns
            programs[name] = f"{os.path.realpath(path)} {status.st_size} {content}"
    variables = {name: value for name, value in os.environ.items() if _VARIABLES.fullmatch(name)}
    packages = _output("dpkg-query", "--show") or _output("rpm", "-qa") or _output("pacman", "-Q")
    listed = "import importlib.metadata as m\nprint(sorted((d.metadata['Name'] or '', d.version) for d in m.distributions()))"
    # That of the build, and the one of build/venv, whose folder is in PATH then.
    pythons = dict.fromkeys(path for path in (python or sys.executable, shutil.which("python3")) if path)
    modules = [_output(path, "-c", listed) for path in pythons]
    return {"kernel": " ".join(os.uname()[i] for i in (0, 2, 4)), "user": "root" if os.geteuid() == 0 else "ordinary",
            "packages": files.digest_of(packages), "programs": json.dumps(programs, sort_keys=True),
            "compiler": _output(compiler or "c++", "--version").partition("\n")[0],
            "python": _output(python or sys.executable, "-c", "import sys; print(sys.version)").strip(),
            "modules": files.digest_of(modules),
            "variables": json.dumps(variables, sort_keys=True)}


@functools.lru_cache(maxsize=None)
def _pattern(reads: str) -> re.Pattern[str]:
    parts = {"**": ".*", "*": "[^/]*"}
    text = "".join(parts.get(part) or re.escape(part) for part in re.split(r"(\*\*|\*)", reads))
    return re.compile(text + ".*" if reads.endswith("/") else text, re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Entry:
    """A test that passed: how long it took, in seconds, and what it said of parts that it skipped."""

    seconds: float
    output: str


class Kept:
    """The verdicts on the tests of one tree and preset, in the folder `store`. `options` are those of the build."""

    def __init__(self, store: pathlib.Path, root: pathlib.Path, build: pathlib.Path, options: dict[str, str], around: dict[str, str]):
        self._store = store / "verdicts"
        self._root, self._build = root, build
        self._files = files_of(root)
        self._around = {"options": options, "environment": around}

    @functools.cached_property
    def _labs(self) -> dict[str, dict[str, str]]:
        """By their numbers, the names of the labs' folders and of their kernels."""
        return {facts.parent.name[:2]: {"lab": facts.parent.name, "kernel": json.loads(facts.read_text(encoding="utf-8"))["kernel"]}
                for facts in sorted(self._root.glob("labs/*/lab.json"))}

    def is_as_it_was(self) -> bool:
        """Whether no file of the tree has changed since this was made."""
        return self._files == files_of(self._root)

    def _row(self, test: dict) -> list[str]:
        """What the test may read, with the names of its lab. The files that its command names are among it."""
        for pattern, reads in READS:
            found = re.fullmatch(pattern, test["name"])
            if found:
                groups = [part or "" for part in found.groups()]
                names = self._labs.get(groups[0] if groups else "", {})
                row = []
                for each in reads:
                    row += self._sources_required_by(test) if each == "{required}" else [each.format("", *groups, **names) if "{" in each else each]
                return [*row, *(name for word in test.get("command", []) if (name := word.removeprefix(f"{self._root}/")) in self._files)]
        return ["**"]

    def _sources_required_by(self, test: dict) -> list[str]:
        """Of the modules of labs' submissions that the test requires, the files that they are made of."""
        found = []
        for path in properties_of(test).get("REQUIRED_FILES", []):
            module = re.search(r"/modules/(\d\d)/\w+/(mutant|step)-(\w+)\.so$", path)
            if module:
                found.append(f"solutions/{self._labs[module[1]]['lab']}/{module[2]}s/{module[3]}.cu")
        return found

    @functools.lru_cache(maxsize=None)
    def _names(self, reads: str) -> frozenset[str]:
        return frozenset(name for name in self._files if _pattern(reads).fullmatch(name))

    @functools.lru_cache(maxsize=None)
    def _digest(self, reads: tuple[str, ...]) -> str:
        return files.digest_of([(name, self._files[name]) for name in sorted(self._read(reads))])

    def _read(self, reads: Iterable[str]) -> set[str]:
        names: set[str] = set()
        for each in reads:
            names = names - self._names(each[1:]) if each.startswith("!") else names | self._names(each)
        return names

    def files_read_by(self, test: dict) -> set[str]:
        """The files that the test may read."""
        return self._read(self._row(test))

    def _placed(self, value: object) -> str:
        """The value with names for the folders of this tree: a clone elsewhere has the same keys."""
        text = json.dumps(value, sort_keys=True)
        return text.replace(str(self._build), "@BUILD@").replace(str(self._root), "@ROOT@")

    def key(self, test: dict) -> str:
        """Of a test as `ctest --show-only=json-v1` describes it."""
        properties = properties_of(test)
        today = str(datetime.date.today()) if re.fullmatch(DAILY, test["name"]) else ""
        return files.digest_of([FORMAT, test["name"], self._placed([test.get("command", []), properties]), self._digest(tuple(self._row(test))),
                       self._placed(self._around), today])

    def _path(self, key: str) -> pathlib.Path:
        return self._store / key[:2] / f"{key}.json"

    def passed(self, key: str) -> Entry | None:
        """The entry under this key; None if there is none, or it is not as it was written."""
        entry = files.read_checked(self._path(key))
        try:
            if entry["key"] != key or entry["status"] != "passed":
                return None
            os.utime(self._path(key))
            return Entry(float(entry["seconds"]), str(entry["output"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, key: str, name: str, seconds: float, output: str) -> None:
        entry = {"key": key, "name": name, "status": "passed", "seconds": seconds, "output": output,
                 "when": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")}
        files.write_checked(self._path(key), entry)

    @functools.cached_property
    def _list(self) -> pathlib.Path:
        return self._path(files.digest_of([FORMAT, "tests", self._files, self._placed(self._around)]))

    def tests(self) -> list[dict] | None:
        """All tests of this tree, as they were kept; None if it is not known which there are."""
        said = files.read_checked(self._list)
        if not isinstance(said, str):
            return None
        with contextlib.suppress(OSError):
            os.utime(self._list)
        return json.loads(said.replace("@BUILD@", str(self._build)).replace("@ROOT@", str(self._root)))

    def keep_tests(self, tests: list[dict]) -> None:
        files.write_checked(self._list, self._placed(tests))

    def clear_up(self) -> None:
        """Removes what was not asked for in a long time."""
        oldest = time.time() - UNUSED_DAYS * 86400
        for path in self._store.glob("*/*"):
            try:
                if path.stat().st_mtime < oldest:
                    path.unlink()
            except OSError:
                continue


def options_of(cache: str) -> dict[str, str]:
    """What a build's CMakeCache.txt says of how the workbook is built. Paths of programs and libraries are the environment's."""
    wanted = re.compile(r"^((?:WARPBOOK|CMAKE)_\w+):(?!INTERNAL|STATIC)\w+=(.*)$", re.MULTILINE)
    return {name: value for name, value in wanted.findall(cache)
            if not re.fullmatch(r"CMAKE_\w*(LAUNCHER|DIRECTORY|COMMAND|MAKE_PROGRAM)|CMAKE_EXPORT_\w+|WARPBOOK_TIMES", name)}


def with_fixtures(tests: Iterable[dict], chosen: set[str]) -> set[str]:
    """The names of the chosen tests, and of those that set up what they require."""
    setups: dict[str, set[str]] = {}
    required: dict[str, list[str]] = {}
    for test in tests:
        properties = properties_of(test)
        required[test["name"]] = properties.get("FIXTURES_REQUIRED", [])
        for fixture in properties.get("FIXTURES_SETUP", []):
            setups.setdefault(fixture, set()).add(test["name"])
    found: set[str] = set()
    left = set(chosen)
    while left:
        name = left.pop()
        found.add(name)
        left |= {setup for fixture in required.get(name, []) for setup in setups.get(fixture, ())} - found
    return found
