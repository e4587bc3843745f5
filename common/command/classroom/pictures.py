"""What failed items look like: the pages and pictures of ./warpbook see, made from the hand-ins' own modules."""
from __future__ import annotations

import base64
import concurrent.futures
import dataclasses
import json
import pathlib
import shutil
import subprocess
import time

from .. import grading, see
from ..build import Build
from ..problem import Problem
from ..progress import processors
from .model import Graded, HandIn, Mark
from .sandbox import Sandbox

MOST_FUNCTIONS = 3  # of a hand-in, each of another TODO: what fails first is mostly what the rest follows from
VIEW, WIDTH = "request", 640
_ONE = 20.0  # seconds for one picture or trace


@dataclasses.dataclass(frozen=True)
class Picture:
    """A page of one function's accesses, `page` beside the feedback page; and its main picture as SVG, where node is there."""

    function: str
    page: str
    call: str
    light: str = ""
    dark: str = ""

    @property
    def file(self) -> str:
        """The name of the picture's file beside the feedback page; "" if there is none."""
        return self.page.replace(".html", ".svg") if self.light else ""


def module_of(out: pathlib.Path, hand_in: HandIn) -> pathlib.Path:
    return out / "work" / hand_in.id / "sim.so"


def functions_to_show(mark: Mark) -> list[str]:
    """The functions of failed items that can be drawn, in the rubric's order; one for each TODO, for its others fail alike."""
    if mark.verdict is None or mark.verdict.build_failure:
        return []
    first: dict[int, str] = {}
    for result in mark.verdict.results:
        if result.can_be_seen and result.function:
            first.setdefault(result.cause, result.function)
    return list(dict.fromkeys(first.values()))[:MOST_FUNCTIONS]


def public_build(build: Build) -> Build:
    """The same build without the class's secret seed: what a page shows is what ./warpbook see shows at home."""
    public = Build(build.workbook, "sim", {"compiler": build.compiler, "python": build.python})
    public.program, public.contract_options = build.program, build.contract_options  # of a build that another user has made, or of a wheel, too
    public.environment.pop("WARPBOOK_SEED", None)
    return public


def make(graded: Graded, out: pathlib.Path, build: Build, seconds: float, sandbox: Sandbox) -> dict[tuple[str, str], Picture]:
    """Pictures by (id of the hand-in, function), as many as can be made in `seconds`; those of an earlier run count if they
    are newer than the module. For them the hand-ins' modules run once more, in the same sandbox: none are made where that was a
    container, which has ended."""
    if sandbox.kind == "docker":
        return {}
    wanted = [(mark, function) for mark in graded.marks if mark.hand_in and not mark.is_held and module_of(out, mark.hand_in).is_file()
              for function in functions_to_show(mark)]
    end = time.monotonic() + seconds
    quiet = public_build(build)
    with concurrent.futures.ThreadPoolExecutor(processors()) as pool:
        made = list(pool.map(lambda pair: _one(pair[0], pair[1], out, quiet, end, sandbox), wanted))
    return {(mark.hand_in.id, picture.function): picture for (mark, _), picture in zip(wanted, made) if picture}


def _one(mark: Mark, function: str, out: pathlib.Path, build: Build, end: float, sandbox: Sandbox) -> Picture | None:
    hand_in = mark.hand_in
    module = module_of(out, hand_in)
    trace = module.parent / f"{function}.jsonl"
    folder = out / "feedback" / hand_in.person.folder
    page = folder / f"{hand_in.lab.number}-{function}.html"
    try:
        kept = all(path.exists() and path.stat().st_mtime_ns > module.stat().st_mtime_ns for path in (trace, page))
        if not kept:
            if time.monotonic() > end:
                return None
            submission = grading.Submission(hand_in.lab, f"handin-{hand_in.person.id}", hand_in.file, modules=module.parent)
            with sandbox.runner_prefix(build, module.parent, "sim") as prefix:
                how = ["--timeout", str(_ONE), *(["--prefix", prefix] if prefix else [])]
                seen = see.trace(build, submission, function, how, trace)
            if seen.trace is None or not see.has_accesses(trace):
                trace.unlink(missing_ok=True)
                return None
            see.write_page(build.workbook, [trace], page)
        with open(trace, encoding="utf-8") as lines:
            call = json.loads(next(lines))["trace"].get("call", function)
        light, dark = (_drawing(build, trace, end, theme) for theme in ([], ["--dark"]))
        picture = Picture(function, page.name, call, light, dark)
        if light:
            (folder / picture.file).write_text(base64.b64decode(light).decode(), encoding="utf-8")
        return picture
    except (Problem, OSError, ValueError, KeyError, StopIteration):
        return None  # a picture is a help, and the verdict stands without it


def _drawing(build: Build, trace: pathlib.Path, end: float, theme: list[str]) -> str:
    """One view as SVG in base 64; "" without node, or where the trace has nothing of the kind."""
    if shutil.which("node") is None or time.monotonic() > end:
        return ""
    command = ["node", str(build.workbook.root / "common" / "see" / "picture.js"), str(trace), "--view", VIEW, "--select", "",
               "--width", str(WIDTH), *theme]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_ONE, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return base64.b64encode(done.stdout).decode() if done.returncode == 0 else ""
