"""A workbook in miniature: real CMake and CTest, and a compiler and a grader of a few lines instead of ours.

Its "student file" says in words what is to happen: solved, broken, or nothing. See COMPILER and JUDGE for all of them. A line
`// judge(2): {"status": "passed"}` is what becomes of the item of TODO(2).
"""
from __future__ import annotations

import contextlib
import csv
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import unittest
from unittest import mock

from fakes import ROOT, Scratch, facts

from command import bench, build_folder, check, cli, demo, grade, machine_setup, overview, probe, selftest  # noqa: F401 (for the forks)
from command.build import Build
from command.workbook import Workbook

with contextlib.suppress(ImportError):  # without rich the command starts another interpreter
    from command import render  # noqa: F401

CMAKE_LISTS = """\
cmake_minimum_required(VERSION 3.25)
project(Small LANGUAGES NONE)
enable_testing()
set_property(DIRECTORY PROPERTY TEST_INCLUDE_FILES "${CMAKE_SOURCE_DIR}/common/tests/environment.cmake")
set(bin "${CMAKE_BINARY_DIR}/bin")
function(program name)
  add_custom_command(OUTPUT "${bin}/${name}" COMMAND mkdir -p "${bin}" COMMAND cp -p "${CMAKE_SOURCE_DIR}/${ARGN}" "${bin}/${name}"
                     DEPENDS "${CMAKE_SOURCE_DIR}/${ARGN}" VERBATIM)
  add_custom_target(${name} ALL DEPENDS "${bin}/${name}")
endfunction()
program(simtcc compiler.sh)
program(grade-01 grader.sh)
program(warpbook-runner-sim runner.sh)
program(bench-01 bench.sh)

set(source "${CMAKE_SOURCE_DIR}/solutions/01-coalescing/coalescing.cu")
set(module "${CMAKE_BINARY_DIR}/modules/01/sim/solution.so")
add_custom_command(OUTPUT "${module}" COMMAND "${CMAKE_SOURCE_DIR}/compiler.sh" "${source}" "${module}" DEPENDS "${source}" VERBATIM)
add_custom_target(01.solution.sim DEPENDS "${module}")
file(WRITE "${CMAKE_BINARY_DIR}/source" "${CMAKE_SOURCE_DIR}")
file(WRITE "${CMAKE_BINARY_DIR}/submission-commands.json" 
     "{\\"sim\\": [\\"@PROGRAMS@/simtcc\\", \\"--submission\\", \\"@SOURCE@\\", \\"@OUTPUT@\\"]}")
add_custom_target(lists)
add_custom_target(wheel)
add_test(NAME unit.nothing COMMAND true)
foreach(item "adds one" "four sectors")
  set(solution "${CMAKE_SOURCE_DIR}/solutions/01-coalescing/coalescing.cu")
  add_test(NAME "01.solution.sim:${item}" COMMAND "${bin}/grade-01" --module "${solution}" --source "${solution}" --item "${item}")
  set_tests_properties("01.solution.sim:${item}" PROPERTIES LABELS "lab01;solution")
endforeach()
"""

COMPILER = """\
#!/bin/sh
# A file that says "broken" does not compile. The module of every other file is its text.
[ "$1" = --submission ] && shift
[ "$1" = --part ] && shift 4
source=$1
if grep -q broken "$source"; then
  echo "$source:9:3: error: expected ';'
    9 | }
$source:12:1: error: an echo of the first"
  exit 3
fi
grep -q "words of a full disk" "$source" && echo "$source:1:2: error: #error No space left on device" && exit 3
grep -q floods "$source" && yes floods | head -c 3000000 && exit 1
grep -q "compiles for ever" "$source" && exec sleep 1000
grep -q "compiler's variables" "$source" && env && exit 1
peeked=$(sed -n 's/^.*peeks at \\([^ ]*\\).*$/\\1/p' "$source")
[ -n "$peeked" ] && cat "$peeked" && exit 1
grep -q pointless "$source" && echo "header.h:1:1: warning: not the file's [-Wother]
$source:4:3: warning: comparison is always true [-Wtype-limits]
    4 | if (i >= 0)
$source:4:3: warning: comparison is always true [-Wtype-limits]
$source:2:1: note: warning: no warning"
mkdir -p "${2%/*}"
cp "$source" "$2"
printf 'module: \\\\\n  %s\\n' "$source" > "$2.d"
"""

RUNNER = """\
#!/bin/sh
[ "$1" = --confinement ] && echo "Landlock 4, hard limits"
"""

ITEMS = [{"item": item, "points": 2, "backends": ["sim"], "function": "offset_add_f32", "todo": todo, "labels": []}
         for item, todo in (("adds one", 1), ("four sectors", 2))]

GRADER = """\
#!/bin/sh
[ "$1" = --list-items ] && exec cat <<'END'
{items}
END
# The composition of a mutant is both files, one behind the other.
if [ "$1" = --solution ]; then
  grep -q misfit "$7" && echo "$7:4: error: the solution has no TODO(9)." >&2 && exit 1
  mkdir -p "$4" && exec cat "$2" "$7" > "$4/${{7##*/}}"
fi
exec {python} -IS "$(cat "${{0%/bin/*}}/source")/judge.py" "$@"
"""

JUDGE = """\
import json, os, sys, time
ITEMS = {items}
options = dict(zip(sys.argv, sys.argv[1:]))
def say(**event):
    print(json.dumps(event), flush=True)
def result(item, status="passed", **more):
    return {{"item": item["item"], "status": status, "points": 2 * (status == "passed"), "max_points": 2,
            "function": item["function"], "diagnoses": [], "reason": "", "details": [], "todo": None, "seconds": 0.1, **more}}
def verdict(item, text):
    if "sleeps" in text:
        import subprocess  # here, because it takes longer than all other verdicts together
        subprocess.run(["tail", "-f", options["--source"]], stdout=subprocess.DEVNULL)
    for line in text.splitlines():
        if line.startswith(f"// judge({{item['todo']}}): "):
            said = json.loads(line.split(": ", 1)[1])
            return result(item, **{{**said, "todo": {{"file": options["--source"], **said["todo"]}}}} if said.get("todo") else said)
    if "waits for" in text:  # a file that the test makes
        path = text.split("waits for ")[1].split()[0]
        while not os.path.exists(path):
            time.sleep(0.01)
    if "eats" in text:
        hog = bytearray(100 << 20)
        time.sleep(1)
    if "full disk" in text:
        sys.exit("cannot write: No space left on device")
    if "silent" in text:
        sys.exit("the grader's last words")
    if "solved" in text:
        return result(item)
    if "busy" in text and item["todo"] == 2:
        return result(item, "undecided", reason="This machine is too busy.")
    if "control" in text:
        return result(item, "failed", reason="a[3] is \\x1b[31m\\0", details=[{{"kind": "note", "text": "\\x07 & <b>"}}])
    return result(item, "failed", diagnoses=["unsolved"], reason=f"TODO({{item['todo']}}) is not solved yet",
                  todo={{"number": item["todo"], "file": options["--source"], "line": 1}})
if "--item" in options and "--json" not in options:
    text = open(options["--module"]).read()
    found = verdict(next(item for item in ITEMS if item["item"] == options["--item"]), text)
    print(found["reason"])
    sys.exit(found["status"] != "passed")
named = [name for word, name in zip(sys.argv, sys.argv[1:]) if word == "--item"]
asked = [item for item in ITEMS if options.get("--todo", str(item["todo"])) == str(item["todo"]) and (not named or item["item"] in named)]
say(event="begin", items=asked)
if "--wait" in sys.argv and not sys.stdin.readline():
    sys.exit(2)
text = open(options["--module"]).read()
for item in asked:
    if "stray" in text:
        say(event="result", result=result({{**item, "item": "another"}}))
    if "garbage" in text:
        print("100 of 100 points", flush=True)
    if "tampers" in text:  # with what a submission could reach
        open("build/checks.json", "w").write('{{"format": 1, "labs": {{"01": {{"points": 99, "max_points": 99, '
                                             '"state": "solved", "edited": 0}}}}}}')
    say(event="result", result=verdict(item, text))
    if "dies" in text:
        sys.exit("the grader's last words")
say(event="end")
"""

BENCH = """\
#!/bin/sh
# Called with: --backend sim --out CSV [--size N] ...
n=64
[ "$5" = --size ] && n=$6
echo "# device: a small one
submission,function,precision,offset,stride,n,metric,value,unit,least
solution,offset_add_f32,f32,0,1,$n,sectors_per_request_load,4,sectors,4
solution,offset_add_f32,f32,1,1,$n,sectors_per_request_load,5,sectors,4
step-v0_plain,offset_add_f32,f32,0,1,$n,sectors_per_request_load,32,sectors,4
step-v1_wide,offset_add_f32,f32,0,1,$n,sectors_per_request_load,4,sectors,4" > "$4"
"""

PRESETS = {"version": 6,
           "configurePresets": [{"name": "sim", "generator": "Ninja", "binaryDir": "${sourceDir}/build/sim"}],
           "buildPresets": [{"name": "sim", "configurePreset": "sim"}],
           "testPresets": [{"name": "sim", "configurePreset": "sim", "output": {"outputOnFailure": True},
                            "filter": {"exclude": {"label": "^(starter|check)$"}}}]}


@functools.cache
def survey() -> probe.Machine:
    return probe.survey(ROOT)


@functools.cache
def shared_folder() -> pathlib.Path:
    """Where every test of this process has its folder, in its turn: a build folder may be copied, but not moved."""
    folder = tempfile.TemporaryDirectory(prefix="warpbook-test-")
    unittest.addModuleCleanup(shared_folder.cache_clear)
    unittest.addModuleCleanup(folder.cleanup)
    return pathlib.Path(folder.name)


def machine_is_complete() -> bool:
    return not survey().missing()


def link_to_cache(link: pathlib.Path, name: str) -> None:
    """Makes `link` lead to this workbook's own build/`name`, if that may be written, else to a folder of the tests'."""
    kept = ROOT / "build" / name
    link.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        kept.mkdir(parents=(ROOT / "build").is_dir(), exist_ok=True)
    if not os.access(kept, os.W_OK):
        kept = shared_folder() / name
        kept.mkdir(parents=True)
    link.symlink_to(kept)


def write_book(root: pathlib.Path) -> None:
    """A workbook as a student gets it, and its caches (bytecode, matplotlib's fonts) in places that tests share."""
    files = {"labs/01-coalescing/coalescing.cu": "// to do\n", "labs/01-coalescing/lab.hpp": "",
             "labs/01-coalescing/lab.json": facts("coalescing"), "labs/01-coalescing/hints.md": "## TODO(1): offset_add\n",
             "solutions/01-coalescing/coalescing.cu": "// solved\n", "CMakeLists.txt": CMAKE_LISTS,
             "CMakePresets.json": json.dumps(PRESETS), "compiler.sh": COMPILER, "runner.sh": RUNNER,
             "grader.sh": GRADER.format(python=shlex.quote(sys.executable), items="\n".join(map(json.dumps, ITEMS))),
             "judge.py": JUDGE.format(items=ITEMS), "bench.sh": BENCH}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if path.suffix == ".sh":
            path.chmod(0o755)
    shutil.copy(ROOT / "warpbook", root / "warpbook")
    (root / "common").symlink_to(ROOT / "common")
    (root / "build").mkdir()
    # The system's modules and the command's take seconds to compile, and matplotlib's list of fonts takes one to make.
    bytecode = shared_folder() / "bytecode"
    (root / "build/pycache").symlink_to(bytecode)
    for place, kept in ((sys.base_prefix, sys.base_prefix), (f"{root}/common", f"{ROOT}/common")):
        link_to_cache(pathlib.Path(f"{bytecode}{place}"), f"pycache{kept}")
    link_to_cache(root / "build/matplotlib", "matplotlib")
    (root / "plots").mkdir()
    for script in (ROOT / "plots").glob("*.py"):  # not the published measurements
        (root / "plots" / script.name).symlink_to(script)
    (root / "labs/01-coalescing/plot.py").symlink_to(ROOT / "labs/01-coalescing/plot.py")


@functools.cache
def configured_book(root: pathlib.Path) -> pathlib.Path:
    """A copy of the workbook that has lain at `root`, configured and its programs built, to be copied back there."""
    write_book(root)
    if machine_is_complete():  # as the first command leaves it; test_verbs.Survey starts without
        machine_setup.write_stamp(root / "build/setup.json", survey())
        build = Build(Workbook(root), "sim", {"compiler": "", "python": sys.executable})
        build.configure()
        build.build(["simtcc", "grade-01", "warpbook-runner-sim", "01.solution.sim"])
    copy = root.parent.with_name("configured-book")
    unittest.addModuleCleanup(configured_book.cache_clear)
    return root.rename(copy)


class SmallWorkbook(Scratch):
    def write_mutant(self, text: str) -> pathlib.Path:
        path = self.root / "solutions/01-coalescing/mutants/off.cu"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def make_folder(self) -> pathlib.Path:
        folder = shared_folder() / "test"
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder)
        return folder

    def setUp(self) -> None:
        super().setUp()
        self.root = self.folder / "book"
        shutil.copytree(configured_book(self.root), self.root, symlinks=True)  # times and all, so that nothing is stale
        self.starter = self.root / "labs/01-coalescing/coalescing.cu"
        self.solution = self.root / "solutions/01-coalescing/coalescing.cu"

    def forget_the_build(self) -> None:
        """As it is before the first command."""
        shutil.rmtree(self.root / "build/sim")

    @property
    def stamp(self) -> pathlib.Path:
        return self.root / "build/setup.json"

    def add_bench(self, script: str = BENCH) -> None:
        self.write("book/labs/01-coalescing/bench.cpp")
        if script != BENCH:
            self.write("book/bench.sh", script).chmod(0o755)

    def warpbook(self, *arguments: str, cwd: pathlib.Path | None = None, **environment: str):
        """Runs the command in a fork of this process, which has imported it; returns status, stdout and stderr."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if child == 0:
                self._become_warpbook(arguments, cwd or self.root, (out.fileno(), err.fileno()), environment)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            said = []
            for file in (out, err):
                file.seek(0)
                said.append(file.read().decode(errors="replace"))
        self.assertNotIn("Traceback", "".join(said))
        return status, said[0], said[1]

    def _become_warpbook(self, arguments, cwd, files, environment) -> None:
        status = 99
        try:
            for number, file in enumerate(files, 1):
                os.dup2(file, number)
            sys.stdout, sys.stderr = open(1, "w", encoding="utf-8"), open(2, "w", encoding="utf-8")
            os.chdir(cwd)
            os.environ.update({"WARPBOOK_BACKEND": "sim", "PYTHONDONTWRITEBYTECODE": "", "WARPBOOK_CACHE": str(self.folder / "cache"), **environment})
            status = cli.main(build_folder.take_option(arguments), str(self.root))
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)

    def warpbook_itself(self, *arguments: str):
        """The same with the entry script, in an interpreter of its own, as a student runs it."""
        done = subprocess.run([sys.executable, str(self.root / "warpbook"), *arguments], capture_output=True,
                              text=True, cwd=self.root, check=False, timeout=60,
                              env={**os.environ, "WARPBOOK_BACKEND": "sim", "PYTHONDONTWRITEBYTECODE": ""})
        self.assertNotIn("Traceback", done.stdout + done.stderr)
        return done.returncode, done.stdout, done.stderr


class GradedClass(SmallWorkbook):
    """A test with a class, and what comes of it in `out`."""

    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder / "graded"
        # Pictures of a class take longer than all the rest; test_outputs.py has them.
        self.without_pictures = self.write("without/matplotlib.py", "raise ImportError\n").parent
        drawing = mock.patch("command.classroom.statistics.draw_all", side_effect=ImportError)
        drawing.start()
        self.addCleanup(drawing.stop)

    def hand_in(self, name: str, text: str) -> pathlib.Path:
        return self.write(f"class/{name}/coalescing.cu", text)

    def grade(self, *options: str, **environment: str):
        return self.warpbook("grade", str(self.folder / "class"), "--out", str(self.out), "--no-likeness", *options, **environment)

    def start_grading(self, *options: str, **environment: str) -> subprocess.Popen:
        """The same in a process of its own, which is not waited for."""
        command = [sys.executable, str(self.root / "warpbook"), "grade", str(self.folder / "class"), "--out", str(self.out),
                   "--no-likeness", *options]
        modules = os.pathsep.join(filter(None, [str(self.without_pictures), os.environ.get("PYTHONPATH")]))
        process = subprocess.Popen(command, cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True, env={**os.environ, "WARPBOOK_BACKEND": "sim", "PYTHONDONTWRITEBYTECODE": "",
                                                               "PYTHONPATH": modules, **environment})
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_until(self, condition, seconds: float = 60, pause: float = 0.02) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline, "what was waited for never came")
            time.sleep(pause)

    def graded(self) -> set[str]:
        """Who has a verdict."""
        return {path.name.split(".")[1] for path in (self.out / "journal").glob("[0-9]*.json")}

    def changed(self) -> set[str]:
        """Whose entries in the journal are others than at the last call."""
        now = {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (self.out / "journal").glob("[0-9]*.json")}
        before, self.before = getattr(self, "before", {}), now
        return {name.split(".")[1] for name, stamp in now.items() if before.get(name) != stamp}

    def rows(self, table: str = "items.csv") -> list[dict]:
        with open(self.out / table, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def points(self) -> dict[str, str]:
        return {row["name"]: row["total"] for row in self.rows("points.csv")}

    def entry(self, name: str) -> dict:
        return json.loads((self.out / f"journal/01.{name}.json").read_text())["entry"]


def needs_machine(test_class):
    """Skips a class on a machine where ./warpbook would have to install something first."""
    return unittest.skipUnless(machine_is_complete(), "the set-up would have to install something here")(test_class)


def lines_matching(pattern: str, text: str) -> list[str]:
    return [line for line in text.splitlines() if re.search(pattern, line)]
