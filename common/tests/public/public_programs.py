#!/usr/bin/env python3
"""Builds and runs the CUDA programs of repositories with the simulator, and says of each what came of it.

usage: public_programs.py [options] REPOSITORY...     (folders that hold a checked-out repository each)

The classes:
  right           built, ended as it should, and nothing was found
  true diagnosis  the simulator found something, and a note says that it is so
  refused         it needs what the simulator has not, and a sentence says that
  reduced         right with a smaller size than its own, which a note gives
  wrong           a note says that a GPU does something else
  unclear         anything else that failed: messages that do not tell what to do, crashes, results that it calls wrong
  false alarm     the simulator found something, and a note says that it is not so
  to be judged    the simulator found something, and no note says yet whether that is so
  too slow        it did not end in the time that it was given
  does not apply  it needs what no simulator of one GPU's kernels can have: a window, MPI, a library made of GPU code,
                  a second GPU, a file that is not there; or nvcc (--nvcc) does not compile it either

Programs of others are code of others: nothing of them is copied, and they are run as any program of this user's is.
Run the tool where that is no harm.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

from find_programs import Program, find_programs, headers_of, text_of
from notes import Note, read_notes

CLASSES = ("right", "true diagnosis", "refused", "reduced", "wrong", "unclear", "false alarm", "to be judged", "too slow", "does not apply")
#: Headers that say what a program needs beside a GPU and the CUDA runtime. The first that is met is the reason.
FOREIGN = (
    (r"(GL|GLES\w*|EGL|GLFW|vulkan|X11)/.*|.*gl_interop\.h|helper_gl\.h|rendercheck_\w+\.h|cudaEGL\.h|glut.*|helper_cuda_gl\.h",
     "graphics (OpenGL, EGL, Vulkan)"),
    (r"[dD](3[dD]|xgi)\w*\.h|[wW]indows\.h|cuda_d3d\w*\.h", "Windows"),
    (r"mpi\.h", "MPI"),
    (r"nvsci\w*\.h|cudla\w*\.h|screen/screen\.h|NvInfer\w*\.h", "a platform's own libraries"),
    (r"(cublas|cublasXt|cublasLt|cufft|cusparse|cusolver|cutensor|cudss|cufile)\w*\.h|npp\w*\.h|nvjpeg\w*\.h|cudnn\w*\.h|nccl\w*\.h|"
     r"nvblas\w*\.h|cutlass/.*|FreeImage\.h|png\.h|jpeglib\.h|hdf5\.h|.*[nN]pp\w*\.h|torch/.*|openacc\.h|matio\.h|opencv2?/.*",
     "another library (cuBLAS, cuFFT, NPP, PyTorch, …)"),
    (r"nvvm\.h|llvm/.*|nvJitLink\w*\.h|nvPTXCompiler\w*\.h|nvfatbin\w*\.h", "compilation at run time (NVVM, nvJitLink)"),
    (r"nvml\w*\.h|cupti\w*\.h", "the driver's own tools (NVML, CUPTI)"),
    (r"(thrust|cub)/.*", "Thrust or CUB"),
)
#: What programs say when the machine is not as they need it. Words of paths do not count, nor do names of sources and libraries.
DECLINED = (
    (r"\b(needs?|requires?)\b[^\n]{0,20}\b(two|2)\b(?! arg)|\b(two|2) or more (GPU|device)s|"
     r"\b(at least two|at least 2|more than one|more than 1|multiple) ([\w-]+ ){0,2}(GPU|device)s?\b|"
     r"only one (GPU|device)|invalid device ordinal", "a second GPU"),
    (r"\b(can ?not|could not|couldn't|can't|unable to|failed to|error)\b[^\n]{0,40}\b(open|opening|find|load|read|reading)\b[^\n]*"
     r"(\bfile\b|\.(?!cu\b|cpp\b|cc\b|so\b)[a-zA-Z]\w{1,4}\b)|file not found|no such file|image file", "a file that is not there"),
)
#: What a program says that wants arguments.
CALLED = re.compile(r"^\W*usage\b|Usage:|\bsyntax:|\b(too few|wrong number of|missing|not enough|no) (command[- ]line )?arguments?\b", re.I | re.M)
#: Lines that say that something failed, and those that only count no failures.
FAILED = re.compile(r"\bfail(ed|ures?|s)?\b|\bmismatch|\b(do|does|did) not match|\b(don't|doesn't|didn't) match|\bincorrect|\bwrong result|"
                    r"^\W*\d+ errors?\b|^\W*error\b(?! *[:=] *[-+.\d]| \w+ *[:=] *[-+.\d])|\bCUDA( \w+)? error\b|\bcudaError[A-Z]\w+", re.I)
NOT_FAILED = re.compile(r"\b(0|no|zero|without|any) (\w+ )?(fail|mismatch|incorrect|error)|"
                        r"\b(fail|mismatch|incorrect|error)[\w ]*[:=] *(0|no|none)\b(?!\.\d*[1-9])", re.I)
#: Words of compilers' own messages, which tell a reader of CUDA code little.
COMPILERS = re.compile(r"was not declared in this scope|no matching function|has no member named|expected .* before|undefined reference|"
                       r"does not name a (template )?type|(cannot|could not) convert|conversion from .* requested|"
                       r"invalid (conversion|use)|has not been declared|redefinition|"
                       r"No such file or directory|no member named|ambiguous|template argument|is not a member of|in this scope|"
                       r"internal|static assertion|cannot bind|inconsistent|impossible constraint|conflicting declaration")

#: Findings that say what the simulator cannot do, not that the program is wrong.
NOT_SIMULATED = ("error: out-of-memory", "error: stack-overflow", "error: waits-for-host", "error: unsupported")
#: Address space that simtrun may reserve without using it: memory of the device, and the stacks of cooperative grids.
RESERVED_MIB = 1 << 20


@dataclasses.dataclass
class Outcome:
    name: str
    verdict: str
    why: str = ""
    seconds: float = 0.0
    output: str = ""
    findings: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Limits:
    build_seconds: int
    run_seconds: int
    memory_mib: int


@dataclasses.dataclass(frozen=True)
class Ended:
    status: int
    output: str
    errors: str
    seconds: float  # of the processor
    timed_out: bool


def limited(command: list[str], folder: pathlib.Path, seconds: int, memory_mib: int) -> Ended:
    """Runs `command` in `folder`, in a process group of its own, with at most so much time of the processor, and fifteen times as
    much of the clock."""

    def prepare() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
        resource.setrlimit(resource.RLIMIT_AS, (memory_mib << 20, memory_mib << 20))
        resource.setrlimit(resource.RLIMIT_FSIZE, (256 << 20, 256 << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                   start_new_session=True, preexec_fn=prepare)
        late = False
        try:
            process.wait(timeout=15 * seconds)
        except subprocess.TimeoutExpired:
            late = True
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what the program left running, too
        except ProcessLookupError:
            pass
        status = process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        texts = []
        for stream in (output, errors):
            stream.seek(0)
            texts.append(stream.read(64 << 20).decode(errors="replace"))
    return Ended(status, texts[0], texts[1], used, late or status in (-signal.SIGXCPU, -signal.SIGKILL))


class Tools:
    """The simulator's two programs, and a folder for modules."""

    def __init__(self, binaries: pathlib.Path, nvcc: str | None, work: pathlib.Path, limits: Limits,
                 helpers: tuple[pathlib.Path, ...] = ()) -> None:
        """`helpers`: folders with the samples' headers, for nvcc."""
        self.helpers = helpers
        self.simtcc = [str(binaries / "simtcc"), "--precompiled", str(binaries.parent / "precompiled")]
        self.simtrun = binaries / "simtrun"
        self.nvcc, self.work, self.limits = nvcc, work, limits

    def build(self, program: Program, note: Note) -> tuple[pathlib.Path, Ended]:
        module = self.work / (re.sub(r"\W+", "-", program.name) + ".so")
        folders = [word for folder in program.include_folders for word in ("-I", str(folder))]
        beside = [word for source in program.sources if note.replace for word in ("-I", str(source.parent))]
        command = [*self.simtcc, "--program", "-w", *beside, *folders, *note.options, "-o", str(module), *map(str, self.smaller(program, note))]
        return module, limited(command, program.folder, self.limits.build_seconds, self.limits.memory_mib)

    def smaller(self, program: Program, note: Note) -> list[pathlib.Path]:
        """The program's sources, or copies in which the sizes are those of the note."""
        sources = []
        for number, source in enumerate(program.sources):
            text = changed = text_of(source)
            for old, new in note.replace:
                changed = changed.replace(old, new)
            if changed != text:
                folder = self.work / f"smaller-{number}"
                folder.mkdir(exist_ok=True)
                source = folder / source.name
                source.write_text(changed, encoding="utf-8")
            sources.append(source)
        return sources

    def build_images(self, program: Program, note: Note) -> tuple[list[pathlib.Path], Ended | None]:
        """Builds what the program loads while it runs, into its folder, where it looks. The files that are new there, and how the
        first one failed that did."""
        made: list[pathlib.Path] = []
        folders = [word for folder in program.include_folders for word in ("-I", str(folder))]
        for name, source in program.images:
            image = program.folder / name
            if not image.exists():
                made.append(image)
            kind = "--ptx" if image.suffix == ".ptx" else "--fatbin"
            ended = limited([*self.simtcc, kind, "-w", *folders, *note.options, "-o", str(image), str(source)],
                            program.folder, self.limits.build_seconds, self.limits.memory_mib)
            if ended.status != 0:
                return made, ended
        return made, None

    def nvcc_refuses(self, program: Program, note: Note) -> str | None:
        """What nvcc says of the first of the program's files that it does not compile. Nothing if all that it lacks is one of the
        samples' headers, which simtcc has and a toolkit has not."""
        folders = [word for folder in [*program.include_folders, *self.helpers] for word in ("-I", str(folder))]
        for source in program.sources if self.nvcc else ():
            command = [self.nvcc, "-w", "-arch=sm_90", "-rdc=true", "--extended-lambda", *folders, *note.options, "-c",
                       "-o", str(self.work / "nvcc.o"), str(source)]
            ended = limited(command, program.folder, self.limits.build_seconds, self.limits.memory_mib)
            if re.search(r"fatal error: helper_\w+\.h: No such file", ended.errors):
                return None
            if ended.status != 0 and not ended.timed_out:
                found = re.search(r"(?:error|fatal)\b[^:]*: (.*)", ended.errors + ended.output)
                return found.group(1).strip() if found else "it gives no reason"
        return None

    def run(self, program: Program, module: pathlib.Path, note: Note) -> Ended:
        memory = ["--memory", note.memory] if note.memory else []
        command = [str(self.simtrun), "--json", "--no-lines", *memory, str(module), *(note.arguments or program.arguments)]
        return limited(command, program.folder, self.limits.run_seconds, RESERVED_MIB + self.limits.memory_mib)


def foreign_need(program: Program) -> str | None:
    headers = headers_of(program)
    for pattern, need in FOREIGN:
        met = sorted(name for name in headers if re.fullmatch(pattern, name))
        if met:
            return f"{need}: {met[0]}"
    return None


def sample(programs: list[Program], size: int | None) -> list[Program]:
    """At most `size` of the programs whose headers exclude none of them, spread by a hash of their names."""
    if size is None:
        return programs
    apply = [program for program in programs if not foreign_need(program)]
    chosen = sorted(apply, key=lambda program: hashlib.sha256(program.name.encode()).digest())[:size]
    return sorted(chosen, key=lambda program: program.name)


def of_build(ended: Ended) -> tuple[str, str]:
    """The class of a program that was not built, and the message that says why."""
    if ended.timed_out:
        return "unclear", "the build did not end in its time"
    messages = re.findall(r"(?:error|fatal error): (.*)", ended.errors) or ended.errors.strip().splitlines()[-1:] or ["no message"]
    first = messages[0].strip()
    compilers = next((message for message in messages if COMPILERS.search(message)), None)
    if compilers and COMPILERS.search(first):
        return "unclear", first
    return "refused", first


def of_run(ended: Ended, note: Note) -> Outcome:
    """The class of a program that was built and run. What was found before its time was over counts."""
    outcome = Outcome("", "unclear", seconds=ended.seconds)
    try:
        document = json.loads(ended.output)
    except json.JSONDecodeError:
        if ended.timed_out:
            return dataclasses.replace(outcome, verdict="too slow", why="it did not end in its time")
        return dataclasses.replace(outcome, why=f"no report: status {ended.status}, {ended.errors.strip()[-200:]}")
    text = document["output"] + ended.errors  # with --json, nothing but the program's own is on standard error
    outcome.output = text[-4000:]
    outcome.findings = [diagnostic["rendered"] for diagnostic in document["diagnostics"]]
    if outcome.findings:
        if not note.verdict and all(finding.startswith(NOT_SIMULATED) for finding in outcome.findings):
            sentence = " ".join(outcome.findings[0].split())
            return dataclasses.replace(outcome, verdict="refused", why=sentence[:200])
        verdict = note.verdict if note.verdict in CLASSES[1:] else "to be judged"
        return dataclasses.replace(outcome, verdict=verdict, why=note.why or outcome.findings[0].splitlines()[0])
    if document.get("stopped"):  # its time is over, or the computer has not the memory for it
        return dataclasses.replace(outcome, verdict="too slow", why=document["stopped"])

    lines = [line.strip() for line in text.splitlines() if line.strip()]
    failed = [line for line in lines if FAILED.search(line) and not NOT_FAILED.search(line)
              and not (note.says and re.search(note.says, line))]
    status = document.get("status", ended.status)
    has_failed = bool(failed) or str(status) not in ("0", "99", note.status)
    if has_failed or not document["kernels"]:
        without_paths = re.sub(r"\S*/\S[^\n:]*", "", text)
        need = next((need for pattern, need in DECLINED if re.search(pattern, text if "file" in need else without_paths, re.I)), None)
        if need:
            return dataclasses.replace(outcome, verdict="does not apply", why=f"it says that it needs {need}")
    if not document["kernels"] and CALLED.search(text):
        return dataclasses.replace(outcome, why="it only says how it is called: give it arguments in the notes")
    if has_failed:
        return dataclasses.replace(outcome, why=f"status {status}: {[*failed, *lines[-1:], 'no output'][0][:160]}")
    return dataclasses.replace(outcome, verdict="reduced" if note.smaller else "right", why=note.smaller)


def judge(program: Program, tools: Tools, note: Note) -> Outcome:
    need = foreign_need(program)
    if need:
        return Outcome(program.name, "does not apply", need)
    images, failed = tools.build_images(program, note)
    try:
        return judge_built(program, tools, note, failed)
    finally:
        for image in images:
            image.unlink(missing_ok=True)


def judge_built(program: Program, tools: Tools, note: Note, failed: Ended | None) -> Outcome:
    """`failed` tells of an image that was not built."""
    absent = [old for old, _ in note.replace if not any(old in text_of(source) for source in program.sources)]
    if absent:
        return Outcome(program.name, "unclear", f"the note replaces what the program has not: {absent[0]}")
    module, built = tools.build(program, note)
    built = failed or built
    if built.status != 0 or not module.is_file():
        verdict, why = of_build(built)
        nvcc = tools.nvcc_refuses(program, note)
        if nvcc:
            return Outcome(program.name, "does not apply", f"nvcc refuses it, too: {nvcc}")
        outcome = Outcome(program.name, verdict, why, built.seconds, built.errors[-4000:])
    else:
        outcome = of_run(tools.run(program, module, note), note)
        outcome.name = program.name
        module.unlink()
    # A note sorts what a machine cannot tell, and never makes a failure right.
    if note.verdict in CLASSES[1:] and outcome.verdict in ("unclear", "refused", "too slow") and note.verdict != "false alarm":
        outcome = dataclasses.replace(outcome, verdict=note.verdict, why=note.why or outcome.why)
    return outcome


def table(results: dict[str, list[Outcome]]) -> str:
    lines = ["| repository | programs | apply | " + " | ".join(CLASSES[:-1]) +
             " | time of the processor | right or truly diagnosed, of those that apply and are not reduced |",
             "| --- |" + " ---: |" * (len(CLASSES) + 3)]

    def row(name: str, outcomes: list[Outcome]) -> str:
        counts = {verdict: sum(outcome.verdict == verdict for outcome in outcomes) for verdict in CLASSES}
        apply = len(outcomes) - counts.pop("does not apply")
        good, whole = counts["right"] + counts["true diagnosis"], apply - counts["reduced"]
        share = f"{good} of {whole}" + (f" ({100 * good / whole:.1f} %)" if whole else "")
        seconds = sum(outcome.seconds for outcome in outcomes)
        return f"| {name} | {len(outcomes)} | {apply} | " + " | ".join(map(str, counts.values())) + f" | {seconds:.0f} s | {share} |"

    lines += [row(name, outcomes) for name, outcomes in results.items()]
    if len(results) > 1:
        lines.append(row("all", [outcome for outcomes in results.values() for outcome in outcomes]))
    return "\n".join(lines)


def others(results: dict[str, list[Outcome]]) -> str:
    """Each program that is not right, by class, with the reason."""
    lines = []
    for verdict in CLASSES[1:]:
        for name, outcomes in results.items():
            for outcome in outcomes:
                if outcome.verdict == verdict:
                    lines.append(f"{verdict} | {name}/{outcome.name} | {outcome.why}")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Runs the CUDA programs of checked-out repositories on the simulator.")
    parser.add_argument("repositories", nargs="+", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/sim/bin"), help="where simtcc and simtrun lie")
    parser.add_argument("--nvcc", help="the CUDA compiler, which is asked about what simtcc does not build")
    parser.add_argument("--notes", type=pathlib.Path, help="what people judged, and options and arguments (see README.md)")
    parser.add_argument("--results", type=pathlib.Path, help="a JSON file; programs that it has are not run again")
    parser.add_argument("--again", default=None, metavar="REGEX", help="programs that are run though the results have them")
    parser.add_argument("--only", default="", metavar="REGEX", help="programs that are run")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="at most N programs of a repository: always the same ones, of those that no header excludes")
    parser.add_argument("--build-seconds", type=int, default=120)
    parser.add_argument("--run-seconds", type=int, default=60, help="of the processor, for each program")
    parser.add_argument("--memory-mib", type=int, default=8192, help="for each process")
    parser.add_argument("--jobs", type=int, default=1, help="so many programs beside each other")
    parser.add_argument("--list", action="store_true", help="prints the programs that were found, and runs none")
    options = parser.parse_args(arguments)

    notes = read_notes(options.notes) if options.notes else {}
    known = json.loads(options.results.read_text()) if options.results and options.results.is_file() else {}
    programs = {f"{repository.resolve().name}/{program.name}": program
                for repository in options.repositories for program in sample(find_programs(repository), options.sample)}
    if options.list:
        for key, program in programs.items():
            print(key, *(path.name for path in program.sources))
        return 0

    wanted = [key for key in programs if re.search(options.only, key) and (
        key not in known or options.again is not None and re.search(options.again, key))]
    limits = Limits(options.build_seconds, options.run_seconds, options.memory_mib)
    helpers = tuple({header.parent for repository in options.repositories
                     for header in repository.resolve().parent.glob("*/Common/helper_cuda.h")})
    # Processes, not threads: each measures the time of its own children, and sets limits between fork and exec.
    with tempfile.TemporaryDirectory(prefix="public-programs-") as work, \
            concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        futures = {}
        for number, key in enumerate(wanted):
            folder = pathlib.Path(work) / str(number)
            folder.mkdir()
            tools = Tools(options.bin.resolve(), options.nvcc, folder, limits, helpers)
            futures[pool.submit(judge, programs[key], tools, notes.get(key, Note()))] = key
        for future in concurrent.futures.as_completed(futures):
            key, outcome = futures[future], future.result()
            print(f"{outcome.verdict:15} {outcome.seconds:6.1f} s  {key}  {outcome.why}", flush=True)
            known[key] = dataclasses.asdict(outcome)
            if options.results:
                options.results.write_text(json.dumps(known, indent=1))

    results: dict[str, list[Outcome]] = {repository.resolve().name: [] for repository in options.repositories}
    for key in programs:
        if key in known:
            results[key.split("/")[0]].append(Outcome(**known[key]))
    print("\n" + others(results) + "\n\n" + table(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
