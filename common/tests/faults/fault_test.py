"""Builds one faulty submission as a student's file is built, grades it, and checks what the student is told.

Usage: fault_test.py --cmake CMAKE --build-dir DIR --script build_submission.cmake --source-dir DIR --lab LAB
                     --target TARGET --backend sim|cuda --source FAULT.cu --module M.so --grader G --runner R

The file's header says what is expected: `// expect: ID` a diagnosis, `// words: TEXT` a part of what is printed,
`// item: NAME` the item (by default the first); `// expect[sim]: ID` where a backend sees something else. The item must fail for that reason, never pass, never be an error
of the grader's own, and nothing of the submission may be left running.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DEFAULT_ITEM = "offset_add_f32 adds one to n elements from the offset on"


def header(text, backend):
    """The header's fields for one backend: name -> value."""
    fields = {}
    for line in text.splitlines():
        match = re.match(r"^// (\w+(?:\[\w+\])?): (.+)$", line)
        if not match:
            break
        fields[match[1]] = match[2].strip()
    suffix = f"[{backend}]"
    return {**fields, **{name[: -len(suffix)]: value for name, value in fields.items() if name.endswith(suffix)}}


def complaint(fields, status, result, printed):
    """What is wrong with how the fault was reported, or None."""
    if status != 1:
        return f"exit status {status}; 1 (the item failed) is expected"
    if result.get("status") != "failed" or result.get("points") != 0:
        return f"the result is {result.get('status')} with {result.get('points')} points"
    if fields["expect"] not in result.get("diagnoses", []):
        return f"diagnoses {result.get('diagnoses')}; {fields['expect']} is expected"
    said = "\n".join([result.get("reason", ""), *result.get("details", []), printed])
    if fields["words"] not in said:
        return f"'{fields['words']}' is not said"
    return None


def run(command):
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return process.returncode, process.stdout


def read_result(path):
    return json.loads(path.read_text()) if path.exists() else {}


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    names = ("cmake", "build-dir", "script", "source-dir", "lab", "target", "backend", "source", "module", "grader", "runner")
    for name in names:
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args(arguments)
    fields = header(Path(options.source).read_text(), options.backend)
    with tempfile.TemporaryDirectory() as folder:
        result_file = Path(folder) / "result.json"
        status, printed = run([options.cmake, f"-DBUILD_DIR={options.build_dir}", f"-DTARGET={options.target}",
                               f"-DSOURCE={options.source}", f"-DBUILD_SOURCE={options.source}",
                               f"-DSOURCE_DIR={options.source_dir}", f"-DLAB={options.lab}", "-DSUBMISSION=fault",
                               "-DKIND=handin", f"-DBACKEND={options.backend}", f"-DRESULT={result_file}",
                               "-P", options.script])
        if status == 0:
            status, printed = run([options.grader, "--submission", "fault", "--kind", "handin", "--module", options.module,
                                   "--backend", options.backend, "--runner", options.runner, "--source", options.source,
                                   "--item", fields.get("item", DEFAULT_ITEM), "--timeout", "3", "--result", str(result_file),
                                   "--skip-unavailable"])
        result = read_result(result_file)
    print(printed)
    if status == 77:
        return 77
    problem = complaint(fields, status, result, printed)
    if problem:
        print(f"WRONG: {problem}")
        return 1
    print(f"reported as it should be: {fields['expect']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
