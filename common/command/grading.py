"""Grades one submission of one lab: what grades it is brought up to date, its modules are compiled, and a grader judges each backend's."""
from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable

from . import compilation, files, interruption, record, regions, results, student_file
from .build import Build
from .classroom import harmless
from .compilation import Submission
from .language import _
from .problem import Problem, disk_is_full
from .progress import end_session, processors
from .results import ItemResult, ItemScore, Verdict
from .workbook import Lab

_SET_PIPE_SIZE = getattr(fcntl, "F_SETPIPE_SZ", 1031)  # a name that Python has since 3.10
_MOST_SAID = 1 << 20  # bytes that a grader says before anyone hears it
#: What `check` calls a file that is not the student's own.
OTHER = "check"
#: With so many the graders of all labs are compiled beside each other: a first build takes no longer for it, and the first check of
#: the next lab need not wait.
MANY_PROCESSORS = 8


def grading_targets(lab: Lab, backends: list[str]) -> list[str]:
    """What has to be built besides the student's file."""
    return ["simtcc", f"grade-{lab.number}", *(f"warpbook-runner-{backend}" for backend in backends)]


def items_of(build: Build, lab: Lab) -> list[dict]:
    """The rubric, as the grader lists it; [] if the grader is not built."""
    try:
        done = subprocess.run([str(build.program(f"grade-{lab.number}")), "--list-items"], capture_output=True, text=True,
                              timeout=60, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]
    except (OSError, subprocess.SubprocessError, ValueError):
        return []


def of_file(build: Build, lab: Lab, file: pathlib.Path) -> Submission:
    """Any file as a submission. For one of the lab's mutants is compiled what the grader makes of it and the solution, with all of
    the contract's functions."""
    file = file.resolve()
    solutions = build.workbook.root / "solutions" / lab.name
    if file.parent != solutions / "mutants":
        return Submission(lab, OTHER, file)
    grader = f"grade-{lab.number}"
    build.build([grader], _("Building the grader"))
    folder = build.folder / "composed" / lab.number
    solution = solutions / lab.starter.name
    done = subprocess.run([str(build.program(grader)), "--solution", str(solution), "--result", str(folder), "--all-functions", "--compose",
                           str(file)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Problem(f"{build.workbook.shown(file)} cannot be composed with the solution.", done.stderr.splitlines())
    return Submission(lab, OTHER, file, compiled=folder / file.name, parts=(solution, file))


def build_all(build: Build, submissions: Iterable[Submission], backends: list[str], what: str = "",
              made: Callable[[Submission, str], None] = lambda submission, backend: None) -> dict[tuple[Submission, str], student_file.BuildFailure]:
    """Compiles `submissions`, and builds what grades them. Returns what could not be compiled of the submissions; anything else
    that fails is a Problem. `made` hears of each module that is there, from another thread."""
    failures: dict[tuple[Submission, str], student_file.BuildFailure] = {}
    wanted: list[tuple[Submission, str]] = []
    programs: list[str] = []
    for submission in submissions:
        fault = student_file.fault_of(submission.source, submission.shown(build.workbook), submission.lab.name, submission.kind == "starter")
        pairs = [(submission, backend) for backend in backends]
        if fault:
            failures.update((pair, fault) for pair in pairs)
        else:
            wanted += pairs
        is_first = not build.program(f"grade-{submission.lab.number}").exists()
        brought = build.workbook.labs() if is_first and processors() >= MANY_PROCESSORS else [submission.lab]
        programs += [target for lab in brought for target in grading_targets(lab, backends)]
    with compilation.Compiling(build, wanted, made) as compiling:
        build.build(list(dict.fromkeys(programs)), what)
        failures.update(compiling.finish(bool(what)))
    return failures


def grader_command(build: Build, submission: Submission, backend: str) -> list[str]:
    return [str(build.program(f"grade-{submission.lab.number}")), "--submission", submission.name, "--kind", submission.kind,
            "--backend", backend, "--module", str(submission.module(build, backend)), "--runner",
            str(build.program(f"warpbook-runner-{backend}")), "--source", str(submission.source), *build.contract_options(submission.lab)]


def replay_options(build: Build, submission: Submission, backend: str) -> list[str]:
    """How a grader has the submission compiled for a second run of what has failed."""
    if backend != "sim" or not build.toolchain().is_there():
        return []
    return ["--replay", compilation.replay_build(build, submission)]


class Grader:
    """One grading run: a grader's process that judges a submission on one backend, and streams what it finds.

    Nothing that a submission could have written is read: what the grader says comes through a pipe of its own.
    It ends with the thread that has started it. `prefix` stands in front of the runner; None: what the build is configured with.
    """

    def __init__(self, build: Build, submission: Submission, backend: str, options: list[str], prefix: str | None = None):
        program = build.program(f"grade-{submission.lab.number}")
        self.backend = backend
        self._programs = [program, build.program(f"warpbook-runner-{backend}")]
        self._built = self._stamps()
        self._shown = build.workbook.shown(build.folder)
        if prefix is None:
            prefix = build.cached(f"WARPBOOK_{backend.upper()}_PREFIX")
        command = [*grader_command(build, submission, backend), *replay_options(build, submission, backend), "--json", "--wait", *options,
                   *(["--prefix", prefix] if prefix else [])]
        self._errors = (submission.modules / f"{backend}.log" if submission.modules else
                        build.log(f"grader-{submission.name}-{backend}"))
        self._errors.parent.mkdir(parents=True, exist_ok=True)
        with open(self._errors, "wb") as errors:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                                             env=build.environment, cwd=build.workbook.root, start_new_session=True)
        with contextlib.suppress(OSError):
            fcntl.fcntl(self._process.stdout, _SET_PIPE_SIZE, _MOST_SAID)
        self._begun = False

    @property
    def process(self) -> int:
        """Its process id, which is also its session's."""
        return self._process.pid

    def _stamps(self) -> list[list[int]]:
        return list(map(files.stamp, self._programs))

    def is_current(self) -> bool:
        """Whether it waits or has begun, and its programs are still those that it was started from: a build may have replaced them."""
        return (self._begun or self._process.poll() is None) and self._stamps() == self._built

    def begin(self) -> None:
        """Tells it, once, that the module is there."""
        assert self._process.stdin is not None
        if self._begun:
            return
        self._begun = True
        try:
            self._process.stdin.write(b"begin\n")
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended, and reading says so

    def events(self) -> Iterable[dict]:
        """What it says, until it ends. Raises Problem if it ends before it has said everything."""
        assert self._process.stdout is not None
        complete = False
        for line in self._process.stdout:
            try:
                event = json.loads(line)
                complete = complete or event["event"] == "end"
            except (ValueError, KeyError, TypeError):
                text = line[:200].decode(errors="replace").rstrip()
                raise self._problem(f"The grader says what cannot be read: {text}") from None
            yield event
        self._process.wait()
        if not complete:
            raise self._problem(f"The grader ended with status {self._process.returncode} before it had judged everything:")

    def _problem(self, sentence: str) -> Problem:
        """`sentence` with the grader's last words, or what those say of a full disk."""
        said = self._errors.read_text(errors="replace").splitlines()
        return disk_is_full(said, self._shown) or Problem(sentence, ["  " + line for line in said[-12:]])

    def kill(self) -> None:
        """Ends it now, without waiting for it; its runners end with it."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Ends it, and everything that it has started."""
        if self._process.poll() is None:
            end_session(self._process)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                try:
                    pipe.close()
                except BrokenPipeError:
                    pass


class _Waking:
    """Graders that are started while the module is still being compiled: above all, a GPU takes a while to wake up. One whose
    module is there begins, while another backend's is being compiled."""

    def __init__(self, build: Build, submission: Submission, backends: list[str], options: list[str]):
        self._new = lambda backend: Grader(build, submission, backend, options)
        self._early = [backend for backend in backends if build.program(f"grade-{submission.lab.number}").exists()
                       and build.program(f"warpbook-runner-{backend}").exists()]
        self.graders: dict[str, Grader] = {}

    def start(self) -> None:
        for backend in self._early:
            with contextlib.suppress(OSError):  # the build brings what cannot be started yet
                self._start(backend)

    def _start(self, backend: str) -> Grader:
        with interruption.held():
            self.graders[backend] = self._new(backend)
        return self.graders[backend]

    def made(self, submission: Submission, backend: str) -> None:
        """The submission's module for the backend is there."""
        grader = self.graders.get(backend)
        if grader and grader.is_current():
            grader.begin()

    def ready(self, backend: str) -> Grader:
        """The backend's grader, of the programs as they are now."""
        grader = self.graders.get(backend)
        if grader is None or not grader.is_current():
            if grader:
                grader.stop()
            grader = self._start(backend)
        return grader

    def stop(self) -> None:
        for grader in self.graders.values():
            grader.stop()


class Tally:
    """Collects results of several backends, and tells each item's score as soon as it and all before it are known."""

    def __init__(self, expected: list[tuple[str, str]], tasks: dict[str, int], told: Callable[[ItemScore], None] | None,
                 untouched: set[int] = frozenset()):
        self._tasks = tasks
        self._untouched = untouched
        self._order = list(dict.fromkeys(item for item, _ in expected))
        self._missing = {item: {backend for name, backend in expected if name == item} for item in self._order}
        self._found: dict[tuple[str, str], ItemResult] = {}
        self._expected = expected
        self._told = told

    def add(self, result: ItemResult) -> None:
        if result.backend not in self._missing.get(result.item, set()):
            raise Problem(f"The grader judged '{result.item}', which was not asked for.")
        result.task = self._tasks.get(result.item) or 0
        result.untouched = result.task in self._untouched
        self._found[result.item, result.backend] = result
        self._missing[result.item].discard(result.backend)
        while self._order and not self._missing[self._order[0]]:
            item = self._order.pop(0)
            if self._told:
                own = [self._found[pair] for pair in self._expected if pair[0] == item]
                self._told(Verdict("", "", "", own).scores()[0])

    def results(self) -> list[ItemResult]:
        """All of them. A grader that has said its last word and left one out has not judged the submission."""
        left_out = [f"  {item} ({backend})" for item, backend in self._expected if (item, backend) not in self._found]
        if left_out:
            raise Problem("The grader ended without a verdict on every item:", left_out)
        return [self._found[pair] for pair in self._expected]


def _expected(items: list[dict], backends: list[str], todo: int | None, speed: bool) -> list[tuple[str, str]]:
    """The items to judge, each with its backends, in the rubric's order; what measures a time comes last."""
    chosen = [item for item in items if (todo is None or todo in (item["todo"], *item.get("further_todos", ()))) and (speed or "speed" not in item["labels"])]
    chosen.sort(key=lambda item: "speed" in item["labels"])
    return [(item["item"], backend) for item in chosen for backend in backends if backend in item["backends"]]


def _options(todo: int | None, speed: bool) -> list[str]:
    return [*(["--todo", str(todo)] if todo is not None else []), *([] if speed else ["--leave-out-speed"])]


def hear(graders: dict[str, Grader], tally: Tally) -> None:
    """Hears the graders, which are at work, until all have ended."""
    said: queue.Queue = queue.Queue()

    def listen(backend: str, grader: Grader) -> None:
        try:
            for event in grader.events():
                said.put((backend, event))
            said.put((backend, None))
        except Exception as problem:  # it belongs to the thread that waits
            said.put((backend, problem))

    for backend, grader in graders.items():
        threading.Thread(target=listen, args=(backend, grader), daemon=True).start()
    at_work = set(graders)
    while at_work:
        backend, event = said.get()
        if event is None:
            at_work.discard(backend)
        elif isinstance(event, Exception):
            raise event
        elif event["event"] == "result":
            try:
                result = ItemResult.from_json({"backend": backend, **event["result"]})
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise Problem(f"The grader's result cannot be read: {error!r}") from None
            tally.add(result)


def rubric(build: Build, lab: Lab) -> list[dict]:
    items = items_of(build, lab)
    if not items:
        raise Problem(f"{build.workbook.shown(build.program(f'grade-{lab.number}'))} lists no items.")
    return items


def untouched_todos(submission: Submission) -> set[int]:
    """The TODOs of a file that are as the lab gives them out; none where that is not known."""
    try:
        text, *starters = (path.read_text(encoding="utf-8", errors="replace") for path in (submission.source, *submission.lab.kept_starters))
    except OSError:
        return set()
    return set().union(*(regions.untouched(text, starter) for starter in starters))


def known_todos(items: list[dict]) -> list[int]:
    return sorted({item["todo"] for item in items if item["todo"]})


def grade(build: Build, submission: Submission, backends: list[str], *, todo: int | None = None, speed: bool = True, what: str = "",
          begun: Callable[[list[str]], None] | None = None, told: Callable[[ItemScore], None] | None = None) -> Verdict:
    """Builds `submission` and has every item judged, or those of one TODO.

    Before the first item `begun` gets the names of all in their order, then `told` each score as soon as it is known.
    """
    since = time.monotonic()
    waking = _Waking(build, submission, backends, _options(todo, speed))
    try:
        waking.start()
        failures = build_all(build, [submission], backends, what, waking.made)
        return judge_built(build, submission, backends, failures, todo=todo, speed=speed, begun=begun, told=told,
                           waking=waking, since=since)
    finally:
        waking.stop()


class Sheet:
    """What is to be judged of a submission, what the graders said of it, and the verdict that this comes to.

    `failures` are the backends that it could not be built for. Raises Problem if there is nothing to judge.
    """

    def __init__(self, build: Build, submission: Submission, backends: list[str], failures: dict[str, student_file.BuildFailure], *,
                 items: list[dict] | None = None, todo: int | None = None, speed: bool = True,
                 told: Callable[[ItemScore], None] | None = None):
        items = items or rubric(build, submission.lab)
        if todo is not None and todo not in known_todos(items):
            numbers = ", ".join(map(str, known_todos(items)))
            raise Problem(_("{lab} has no TODO({todo}).", lab=submission.lab.name, todo=todo), [_("Its TODOs have the numbers {numbers}.", numbers=numbers)])
        expected = _expected(items, backends, todo, speed)
        if not expected:
            about = "" if todo is None else f" of TODO({todo})"
            raise Problem(f"No item{about} of {submission.lab.name} is for {' or '.join(backends)}.")
        self._build, self._submission, self._failures = build, submission, failures
        self.names = list(dict.fromkeys(item for item, _ in expected))
        #: The backends that graders are to judge it on.
        self.at_work = [backend for backend in backends if backend not in failures and any(b == backend for _, b in expected)]
        by_name = {item["item"]: item for item in items}
        self.tally = Tally(expected, {name: item["todo"] for name, item in by_name.items()},
                           told if len(failures) < len(backends) else None, untouched_todos(submission) if self.at_work else set())
        for item, backend in expected:
            if backend in failures:
                reason = results.NOT_RUN if failures[backend].diagnosis == "compile-error" else results.NOT_BUILT
                self.tally.add(results.not_run(by_name[item], backend, reason))

    def _order_causes(self, todo: dict, wrong: set[int]) -> None:
        """Of the TODOs that may be the cause, those come first whose own items have not all passed: hints go by the first."""
        todo["numbers"].sort(key=lambda number: number not in wrong)
        todo["number"] = todo["numbers"][0]
        lines = {region.number: region.first for region in regions.well_formed(record.text(self._submission.source))}
        todo["line"] = lines.get(todo["number"], todo["line"])

    def verdict(self, seconds: float) -> Verdict:
        shown = self._submission.shown(self._build.workbook)
        found = self.tally.results()
        wrong = {result.task for result in found if result.status != "passed"}
        for result in found:
            if result.todo and result.todo.get("numbers"):
                self._order_causes(result.todo, wrong)
            if result.todo:
                file = result.todo.get("file", str(self._submission.source))
                result.todo["file"] = shown if file == str(self._submission.source) else self._build.workbook.shown(file)
        build_failure = None
        for backend, failure in list(self._failures.items())[:1]:
            # A compiler quotes the file, whatever characters it holds.
            reason, *details = (harmless.shown(text, lines=True) for text in (failure.reason, *failure.details))
            error = [harmless.shown(failure.error, lines=True)] if failure.error else []
            build_failure = ItemResult("builds", backend, "failed", reason=reason, diagnoses=[failure.diagnosis],
                                       details=[*results.lines("error", error), *results.lines("compiler", details)])
        return Verdict(self._submission.lab.name, self._submission.name, shown, found, build_failure, seconds)


def judge_built(build: Build, submission: Submission, backends: list[str], failures: dict, *, todo: int | None = None,
                speed: bool = True, begun: Callable[[list[str]], None] | None = None,
                told: Callable[[ItemScore], None] | None = None, waking: _Waking | None = None,
                since: float | None = None) -> Verdict:
    """The verdict on a submission that build_all() has built, or on what it could not build."""
    since = time.monotonic() if since is None else since
    failed = {backend: failures[submission, backend] for backend in backends if (submission, backend) in failures}
    sheet = Sheet(build, submission, backends, failed, todo=todo, speed=speed, told=told)
    waking = waking or _Waking(build, submission, [], _options(todo, speed))
    try:
        graders = {backend: waking.ready(backend) for backend in sheet.at_work}
        for grader in graders.values():
            grader.begin()
        if begun and len(failed) < len(backends):
            begun(sheet.names)
        hear(graders, sheet.tally)
    finally:
        waking.stop()
    return sheet.verdict(time.monotonic() - since)


def without_verdict(build: Build, submission: Submission, backends: list[str], problem: Problem,
                    items: list[dict] | None = None) -> Verdict:
    """What is left to say of a submission whose grader ended with `problem`: no item of it has been judged."""
    items = items or rubric(build, submission.lab)
    by_name = {item["item"]: item for item in items}
    found = [results.not_run(by_name[item], backend, problem.sentence, problem.details)
             for item, backend in _expected(items, backends, None, True)]
    return Verdict(submission.lab.name, submission.name, submission.shown(build.workbook), found)
