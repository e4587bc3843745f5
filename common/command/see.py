"""./warpbook see LAB [FUNCTION] [FILE...]: what kernels did with memory, request by request, as a page that opens in a browser."""
from __future__ import annotations

import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import webbrowser

from . import build_choice, check, grading, language, record, regions
from .backend import choose
from .build import Build
from .language import _
from .problem import NOT_YET, SUCCESS, Problem
from .workbook import Lab, Workbook


def functions_of(items: list[dict]) -> dict[str, int]:
    """The functions that a rubric asks for, in the order of its items, with the first TODO that each is about."""
    functions: dict[str, int] = {}
    for item in items:
        for function in item["functions"]:
            functions.setdefault(function, item["todo"])
    return functions


def default_function(workbook: Workbook, lab: Lab, items: list[dict]) -> str:
    """The function of the TODO in work, as the last check found it; the lab's first one if there was none, or nothing failed."""
    last = record.Record(workbook).of(lab)
    in_work = last.get("in_work") if last else None
    return next((item["functions"][0] for item in items if item["functions"] and item["todo"] == in_work),
                next(iter(functions_of(items))))


def sorted_words(words: list[str], known: dict[str, int]) -> tuple[str | None, list[pathlib.Path]]:
    """The function, if one is named, and the files: at most two, the one before and the one after."""
    function, files = None, []
    for word in words:
        if word in known and function is None:
            function = word
        elif word.endswith(".cu") or pathlib.Path(word).exists():
            files.append(check.existing_file(word))
        else:
            raise Problem(_("'{word}' is neither a function of the lab nor a .cu file.", word=word), [_("The functions are: {names}", names=", ".join(known))])
    if len(files) > 2:
        raise Problem(_("see shows one file, or two side by side."))
    return function, files


def with_given(lines: list[str]) -> list[str]:
    """The records of the trace of a file that is right: costs of lines outside of all TODOs are marked, for they are not the
    student's to change."""
    own = [regions.inside(json.loads(line)["file"]["text"]) for line in lines if line.startswith('{"file"')]
    made = []
    for line in lines:
        said = json.loads(line) if any(own) and line.startswith('{"line"') else None
        if said and said["line"].get("file") is not None and said["line"]["line"] - 1 not in own[said["line"]["file"]]:
            said["line"]["given"] = True
            line = json.dumps(said) + "\n"
        made.append(line)
    return made


def with_extents(line: str, lengths: dict[str, str | int], numbers: dict[str, str]) -> str:
    """A record of a trace file; an array gets its rows where lab.json says how long they are: a number, or an argument's name."""
    said = json.loads(line)
    array = said.get("array")
    length = lengths.get(array["name"]) if array and array["space"] == "global" else None
    if length is None or not array["element_bytes"]:
        return line
    row = int(numbers.get(str(length), length))
    elements = array["bytes"] // array["element_bytes"]
    if row > 0 and elements % row == 0:
        array["extents"] = [elements // row, row]
    return json.dumps(said) + "\n"


class Seen:
    """What the grader said of the call that it traced."""

    def __init__(self, said: dict, trace: pathlib.Path | None):
        self.verdict: str = said["verdict"]
        self.sentence: str = said["sentence"]
        self.details: list[str] = said["details"]
        self.trace = trace


def trace(build: Build, submission: grading.Submission, function: str, how: list[str], path: pathlib.Path) -> Seen:
    """Has the grader write a trace of a call of `function` to `path`. `how` are its options about which call."""
    lab = submission.lab
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    command = [*grading.grader_command(build, submission, "sim"), *grading.replay_options(build, submission, "sim"), "--see", function,
               "--result", str(path), *how]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=build.environment, cwd=build.workbook.root, check=False)
    if done.returncode not in (0, 1):
        raise Problem(done.stderr.strip() or _("The grader gave no answer."))
    seen = Seen(json.loads(done.stdout.splitlines()[-1]), path if done.returncode == 0 else None)
    if seen.trace:
        lengths = (lab.facts.rows or {}).get(function, {})
        with open(path, encoding="utf-8") as file:
            lines = list(file)
        numbers = json.loads(lines[0])["trace"].get("numbers", {})
        lines = with_given(lines) if json.loads(done.stdout.splitlines()[-1])["all_pass"] else lines
        path.write_text("".join(with_extents(line, lengths, numbers) if line.startswith('{"array"') else line for line in lines),
                        encoding="utf-8")
    return seen


def has_accesses(trace: pathlib.Path) -> bool:
    """Whether the trace file is there and tells of a line that has accessed memory."""
    try:
        with open(trace, encoding="utf-8") as lines:
            return any(line.startswith('{"line"') for line in lines)
    except OSError:
        return False


def page_module(workbook: Workbook):
    """common/see/page.py, which makes pages and pictures of trace files."""
    spec = importlib.util.spec_from_file_location("warpbook_see_page", workbook.root / "common" / "see" / "page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_page(workbook: Workbook, traces: list[pathlib.Path], page: pathlib.Path) -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    pages = page_module(workbook)
    try:
        pages.write_page(traces, page)
    except pages.BrokenTrace as broken:
        raise Problem(str(broken)) from broken


def cost_lines(path: pathlib.Path) -> list[str]:
    """What each line of the source costs, as text: for terminals without a browser."""
    rows = []
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(text)["line"] for text in file if text.startswith('{"line"')]
    for line in lines:
        way = f"{line['space']} {line['access']}"
        if line.get("remote"):
            rows.append((line["line"], _("  line {line:>4}  {way:<14} {requests:>6} requests, {lanes} lanes to other blocks' shared memory",
                                         line=line["line"], way=way, requests=line["requests"], lanes=line["lanes"])))
            continue
        cost, least = (line[key] / line["requests"] for key in ("cost", "least"))
        mark = " " if line["cost"] == line["least"] or line.get("given") else "!"
        values = {"mark": mark, "line": line["line"], "way": way, "requests": line["requests"], "cost": cost, "least": least}
        rows.append((line["line"], _("{mark} line {line:>4}  {way:<14} {requests:>6} requests, {cost:6.2f} wavefronts per request, least {least:.2f}", **values)
                     if line["space"] == "shared" else
                     _("{mark} line {line:>4}  {way:<14} {requests:>6} requests, {cost:6.2f} sectors per request, least {least:.2f}", **values)))
    return [row for number, row in sorted(rows, key=lambda pair: pair[0])]


def write_pictures(workbook: Workbook, path: pathlib.Path, folder: pathlib.Path) -> list[pathlib.Path]:
    """The page's pictures of one trace."""
    missing = [package for package, program in (("nodejs", "node"), ("librsvg2-bin", "rsvg-convert")) if shutil.which(program) is None]
    if missing:
        raise Problem(_("--png needs {packages}, as Debian and Ubuntu call the packages.", packages=", ".join(missing)),
                      [f"sudo apt-get install {' '.join(missing)}", _("The page itself needs neither of them: leave --png out.")])
    try:
        return page_module(workbook).write_pictures(path, folder)
    except RuntimeError as error:
        raise Problem(str(error)) from error


def say(text: str, indent: int = 0) -> None:
    """A sentence: wrapped at a terminal's width, elsewhere as long as it is."""
    lines = language.wrapped(text, max(shutil.get_terminal_size().columns - indent, 20)) if sys.stdout.isatty() else [text]
    print(*(" " * indent + line for line in lines), sep="\n")


def steps_of(workbook: Workbook, lab: Lab, function: str) -> list[grading.Submission]:
    """The first and the last teaching step that have the function."""
    folder = workbook.root / "solutions" / lab.name
    steps = [grading.Submission(lab, f"step-{path.stem}", path) for path in sorted((folder / "steps").glob("*.cu"))
             if function in path.read_text(encoding="utf-8", errors="replace")]
    if not steps:
        raise Problem(_("There are no steps of {function} here: --steps needs solutions/.", function=function))
    return [steps[0], steps[-1]] if len(steps) > 1 else steps


def built_and_traced(build: Build, submissions: list[grading.Submission], function: str, size: int | None, folder: pathlib.Path) -> list[Seen]:
    """Each submission's trace, one after the other, since files share a module. Several are compared, so that their calls are the same."""
    how = ["--size", str(size)] if size else ["--scene"] if len(submissions) > 1 else []
    seen = []
    for number, submission in enumerate(submissions):
        for failure in grading.build_all(build, [submission], ["sim"], _("Building the grader")).values():
            raise Problem(failure.reason, failure.details, NOT_YET)
        after = f"-{number + 1}" if len(submissions) > 1 else ""
        seen.append(trace(build, submission, function, how, folder / f"{submission.lab.number}-{function}{after}.jsonl"))
    return seen


def run(workbook: Workbook, arguments) -> int:
    lab = workbook.lab(arguments.lab)
    build = build_choice.chosen(workbook, choose(), [lab], may_share=True)
    folder = workbook.build_root / "see"
    with build.locked():
        build.build(grading.grading_targets(lab, ["sim"]), _("Building the grader"))
        items = grading.items_of(build, lab)
        known = functions_of(items)
        named, files = sorted_words(arguments.words, known)
        function = named or default_function(workbook, lab, items)
        if arguments.steps:
            submissions = steps_of(workbook, lab, function)
        elif files:
            submissions = [grading.of_file(build, lab, file) for file in files]
        else:
            submissions = [grading.Submission(lab, "starter", lab.starter)]
        seen = built_and_traced(build, submissions, function, arguments.size, folder)
    status = SUCCESS
    for submission, each in zip(submissions, seen):
        say(_("{function} of {file}: {verdict}", function=function, file=workbook.shown(submission.source), verdict=each.verdict))
        if each.sentence:
            say(each.sentence, 2)
        if each.trace is None:
            say(_("No kernel has accessed memory yet, so that there is nothing to draw."), 2)
            status = NOT_YET
        elif len(seen) == 1:
            print(*cost_lines(each.trace), sep="\n")
    traces = [each.trace for each in seen if each.trace]
    if not traces:
        return status
    page = pathlib.Path(arguments.out) if arguments.out else folder / f"{lab.number}-{function}.html"
    write_page(workbook, traces, page)
    print(_("The page: {file}, which opens in any browser.", file=workbook.shown(page)))
    if arguments.png:
        for path in traces:
            for picture in write_pictures(workbook, path, pathlib.Path(arguments.png)):
                print(_("A picture: {file}", file=workbook.shown(picture)))
    if arguments.open:
        webbrowser.open(page.resolve().as_uri())
    return status
