"""Builds one faulty submission as a student's file is built, grades it, and checks what the student reads.

Usage: fault_test.py --build-dir DIR --lab LAB --name NAME --backend sim|cuda --source FAULT.cu --module M.so --grader G --runner R

The file's header says what is expected: `// expect: ID` a diagnosis, `// words: TEXT` a part of what is printed, `// evidence: TEXT`,
as often as is needed, a line of evidence, which the simulator's second run of the failing call gives and without which there is none,
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

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from command import compilation  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
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
    said = "\n".join([result.get("reason", ""), *(detail["text"] for detail in result.get("details", [])), printed])
    if fields["words"] not in said:
        return f"'{fields['words']}' is not said"
    return None


def evidence_complaint(source, result):
    """What is wrong with the evidence, or None."""
    wanted = re.findall(r"^// evidence: (.+)$", source, re.MULTILINE)
    shown = [detail["text"] for detail in result.get("details", []) if detail["kind"] == "evidence"]
    missing = [text for text in wanted if not any(text in line for line in shown) and text not in result.get("reason", "")]
    if missing:
        return f"no evidence '{missing[0]}', but {shown}"
    return f"evidence that is not expected: {shown}" if shown and not wanted else None


def replay(options):
    """How the grader has the file compiled for a second run."""
    if options.backend != "sim":
        return []
    return ["--replay", compilation.replay_option(ROOT, Path(options.build_dir), options.lab, options.name, Path(options.source))]


def grade(options, item):
    """The grader's exit status, its result and what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        result_file = Path(folder) / "result.json"
        process = subprocess.run([options.grader, "--submission", "fault", "--kind", "handin", "--module", options.module,
                                  "--backend", options.backend, "--runner", options.runner, "--source", options.source,
                                  "--item", item, "--timeout", "3", "--result", str(result_file), "--skip-unavailable", *replay(options)],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        result = json.loads(result_file.read_text()) if result_file.exists() else {}
    return process.returncode, result, process.stdout


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("build-dir", "lab", "name", "backend", "source", "module", "grader", "runner"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args(arguments)
    fields = header(Path(options.source).read_text(), options.backend)
    failure = compilation.compiled(ROOT, Path(options.build_dir), options.lab, options.name, options.backend, Path(options.source))
    if failure:
        status, printed = 1, "\n".join([failure.reason, failure.error, *failure.details])
        result = {"status": "failed", "points": 0, "diagnoses": [failure.diagnosis], "reason": failure.reason,
                  "details": []}
    else:
        status, result, printed = grade(options, fields.get("item", DEFAULT_ITEM))
    print(printed)
    if status == 77:
        return 77
    problem = complaint(fields, status, result, printed)
    if options.backend == "sim" and not failure:
        problem = problem or evidence_complaint(Path(options.source).read_text(), result)
    if problem:
        print(f"WRONG: {problem}")
        return 1
    print(f"reported as it should be: {fields['expect']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
