"""A workbook in miniature: real CMake and CTest, and a grader of a few lines instead of a compiler.

Its "student file" says in words what is to happen: solved, broken, or nothing.
"""
from __future__ import annotations

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from fakes import ROOT, Scratch

from command import machine_setup, probe

CMAKE_LISTS = """\
cmake_minimum_required(VERSION 3.25)
project(Small LANGUAGES NONE)
enable_testing()
set(grader "${CMAKE_SOURCE_DIR}/grader.py")
add_custom_target(simtcc)
add_custom_target(warpbook-runner-sim)
add_custom_target(01.solution.sim)
add_custom_target(grade-01 COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_SOURCE_DIR}/items.jsonl"
                                   "${CMAKE_BINARY_DIR}/labs/01/items.jsonl" VERBATIM)
add_custom_target(01.check.sim DEPENDS grade-01)
add_custom_target(bench-01 COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_SOURCE_DIR}/bench.sh"
                                   "${CMAKE_BINARY_DIR}/bin/bench-01" VERBATIM)
set(hand_ins "")
if(WARPBOOK_HANDIN)
  if(NOT IS_DIRECTORY "${WARPBOOK_HANDIN}")
    message(FATAL_ERROR "WARPBOOK_HANDIN is no folder")
  endif()
  file(GLOB hand_ins RELATIVE "${WARPBOOK_HANDIN}" "${WARPBOOK_HANDIN}/*/coalescing.cu")
  list(TRANSFORM hand_ins REPLACE "/coalescing.cu$" "")
  list(TRANSFORM hand_ins PREPEND "handin-")
endif()
foreach(name starter check solution ${hand_ins})
  set(source "${CMAKE_SOURCE_DIR}/labs/01-coalescing/coalescing.cu")
  if(name STREQUAL "solution")
    set(source "${CMAKE_SOURCE_DIR}/solutions/01-coalescing/coalescing.cu")
  elseif(name STREQUAL "check")
    set(source "${CMAKE_BINARY_DIR}/check/01.cu")
  elseif(name MATCHES "^handin-(.*)")
    set(source "${WARPBOOK_HANDIN}/${CMAKE_MATCH_1}/coalescing.cu")
  endif()
  set(label ${name})
  if(name MATCHES "^handin-")
    set(label handin)
  endif()
  set(results "${CMAKE_BINARY_DIR}/results/01.${name}.sim")
  add_test(NAME "01.${name}.sim:builds"
           COMMAND "${Python3_EXECUTABLE}" "${grader}" "${source}" ${name} builds "${results}" "-DSOURCE=${source}")
  set_tests_properties("01.${name}.sim:builds" PROPERTIES FIXTURES_SETUP ${name} LABELS "lab01;${label}")
  foreach(item "adds one" "four sectors")
    add_test(NAME "01.${name}.sim:${item}"
             COMMAND "${Python3_EXECUTABLE}" "${grader}" "${source}" ${name} "${item}" "${results}")
    set_tests_properties("01.${name}.sim:${item}" PROPERTIES FIXTURES_REQUIRED ${name} LABELS "lab01;${label}")
  endforeach()
endforeach()
"""

GRADER = '''\
import json, pathlib, re, subprocess, sys
source, name, item, results = sys.argv[1:5]
text = pathlib.Path(source).read_text()
include = re.match('#include "(.*)"', text)
if include:
    text = pathlib.Path(include.group(1)).read_text()
pathlib.Path(results).mkdir(parents=True, exist_ok=True)
data = {"lab": "01-coalescing", "submission": name, "kind": name, "backend": "sim", "item": item, "status": "passed",
        "points": 2, "max_points": 2, "diagnoses": [], "reason": "", "details": [], "todo": None}
def end(**more):
    data.update(more)
    pathlib.Path(results, re.sub("[^a-z]", "-", item) + ".json").write_text(json.dumps(data))
    print(data["reason"])
    sys.exit(data["status"] != "passed")
if item == "builds":
    if "broken" in text:
        end(status="failed", points=0, max_points=0, diagnoses=["compile-error"], reason="error: expected ';'")
elif "sleeps" in text:
    subprocess.run(["sleep", "60"])
elif "full disk" in text:
    sys.exit("cannot write result.json: No space left on device")
elif "silent" in text:
    sys.exit(1)
elif "solved" in text:
    end()
else:
    end(status="failed", points=0, diagnoses=["unsolved"], reason="TODO(1) is not solved yet",
        todo={"number": 1, "file": "labs/01-coalescing/coalescing.cu", "line": 1})
'''

BENCH = """\
#!/bin/sh
# Called with: --backend sim --out CSV [--size N] ...
n=64
[ "$5" = --size ] && n=$6
echo "# device: a small one
submission,function,precision,offset,stride,n,metric,value,unit
solution,offset_add_f32,f32,0,1,$n,sectors_per_request_load,4,sectors
solution,offset_add_f32,f32,1,1,$n,sectors_per_request_load,5,sectors
step-v0_plain,offset_add_f32,f32,0,1,$n,sectors_per_request_load,32,sectors
step-v1_wide,offset_add_f32,f32,0,1,$n,sectors_per_request_load,4,sectors" > "$4"
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
    """Where every test of this process has its folder, in its turn, so that Python's bytecode of one serves the next."""
    folder = tempfile.TemporaryDirectory(prefix="warpbook-test-")
    unittest.addModuleCleanup(shared_folder.cache_clear)
    unittest.addModuleCleanup(folder.cleanup)
    return pathlib.Path(folder.name)


def machine_is_complete() -> bool:
    return not survey().missing()


class SmallWorkbook(Scratch):
    def make_folder(self) -> pathlib.Path:
        folder = shared_folder() / "test"
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder)
        return folder

    def setUp(self) -> None:
        super().setUp()
        self.root = self.folder / "book"
        self.starter = self.write("book/labs/01-coalescing/coalescing.cu", "// to do\n")
        self.write("book/labs/01-coalescing/hints.md", "## TODO(1): offset_add\n")
        self.solution = self.write("book/solutions/01-coalescing/coalescing.cu", "// solved\n")
        self.write("book/CMakeLists.txt", CMAKE_LISTS)
        self.write("book/CMakePresets.json", json.dumps(PRESETS))
        self.write("book/grader.py", GRADER)
        items = [{"item": item, "points": 2, "backends": ["sim"], "function": "offset_add_f32", "todo": 1}
                 for item in ("adds one", "four sectors")]
        self.write("book/items.jsonl", "\n".join(map(json.dumps, items)) + "\n")
        shutil.copy(ROOT / "warpbook", self.root / "warpbook")
        (self.root / "common").symlink_to(ROOT / "common")
        bytecode = shared_folder() / "pycache"
        bytecode.mkdir(exist_ok=True)
        (self.root / "build").mkdir()
        (self.root / "build/pycache").symlink_to(bytecode)
        if machine_is_complete():  # as the first command leaves it; test_verbs.Survey starts without
            machine_setup.write_stamp(self.stamp, survey())
        (self.root / "plots").mkdir()
        for script in (ROOT / "plots").glob("*.py"):  # not the published measurements
            (self.root / "plots" / script.name).symlink_to(script)

    @property
    def stamp(self) -> pathlib.Path:
        return self.root / "build/setup.json"

    def add_bench(self, script: str = BENCH) -> None:
        self.write("book/labs/01-coalescing/bench.cpp")
        self.write("book/bench.sh", script).chmod(0o755)

    def warpbook(self, *arguments: str, cwd: pathlib.Path | None = None, **environment: str):
        """Runs the command as a student does; returns status, stdout and stderr."""
        done = subprocess.run([sys.executable, str(self.root / "warpbook"), *arguments], capture_output=True,
                              text=True, cwd=cwd or self.root, check=False, timeout=60,
                              env={**os.environ, "WARPBOOK_BACKEND": "sim", "PYTHONDONTWRITEBYTECODE": "", **environment})
        self.assertNotIn("Traceback", done.stdout + done.stderr)
        return done.returncode, done.stdout, done.stderr


def needs_machine(test_class):
    """Skips a class on a machine where ./warpbook would have to install something first."""
    return unittest.skipUnless(machine_is_complete(), "the set-up would have to install something here")(test_class)


def lines_matching(pattern: str, text: str) -> list[str]:
    return [line for line in text.splitlines() if re.search(pattern, line)]
