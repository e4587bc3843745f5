"""Reads the command line, runs the verb, and turns every way of failing into a sentence."""
from __future__ import annotations

import argparse
import difflib
import importlib.util
import os
import re
import signal
import sys

from . import build_folder, interpreter
from .problem import SETUP, SUCCESS, Problem, from_os_error
from .workbook import Workbook

HELP = """\
./warpbook VERB

  demo [--all]                  build, grade every starter and solution, show counters, draw plots
  check LAB [FILE] [--todo N] [--json]
                                grade your file of a lab, or any other file
  sim FILE... [-- ARGUMENT...]  run any CUDA program on the simulator: mistakes, and costs by line
  grade DIR [--csv FILE]        grade a class's hand-ins, one lab (--lab LAB) or all
  list                          the labs, and the points you have
  bench LAB|all                 measure a lab's sweep into a CSV file, or all labs' and draw them
  plot LAB [CSV] [-o PNG]       draw it
  results [--check]             write docs/results.md from the committed measurements
  new-lab NAME                  make a lab that builds, to be filled: NAME is like scan or 07-scan
  test                          the workbook's own tests, as CI runs them
  doctor                        what this machine has, and which backend is used and why

LAB is a number or a name: 1, 01, coalescing and 01-coalescing are the same lab.
--build DIR, before or after the verb, or WARPBOOK_BUILD=DIR: everything that is written goes into DIR, not into build/.
Status: 0 all well, 1 points missing or a test failed, 2 usage or set-up.
WARPBOOK_BACKEND=sim|cuda chooses the backend; WARPBOOK_DEBUG=1 shows tracebacks."""

_BUILDS = interpreter.NEEDS_RICH | {"sim"}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str):  # argparse prints a usage block; one sentence is enough
        near = re.search(r"unrecognized arguments: (\S+)", message)
        known = [option for action in self._actions for option in action.option_strings]
        guess = difflib.get_close_matches(near.group(1), known, n=1) if near else []
        hint = f" Did you mean {guess[0]}?" if guess else ""
        if near and os.path.exists(near.group(1)):
            hint = f" A file whose name begins with - is written ./{near.group(1)}"
        raise Problem(f"{self.prog}: {message}.{hint}", [f"Usage: {self.format_usage()[7:].strip()}"])


class _SimParser(_Parser):
    """Compilers' options and a program's own arguments are more than argparse can tell apart."""

    def parse_args(self, words):
        from . import sim

        return sim.parse(words)


def parsers() -> dict[str, argparse.ArgumentParser]:
    """One parser per verb."""
    made = {verb: _Parser(prog=f"./warpbook {verb}", allow_abbrev=False)
            for verb in ("demo", "check", "grade", "list", "bench", "plot", "results", "new-lab", "test", "doctor")}
    made["demo"].add_argument("--all", action="store_true", help="every function, step and measure of the labs' sweeps")
    made["sim"] = _SimParser(prog="./warpbook sim", allow_abbrev=False)
    for option in ("--json", "--schedule", "--seed", "--steps", "--no-counters", "--no-lines", "--no-run", "-I", "-D",
                   "-std"):
        made["sim"].add_argument(option)  # sim.parse reads them; these are their names
    for verb in ("check", "bench", "plot"):
        made[verb].add_argument("lab", metavar="LAB", help="1, 01, coalescing or 01-coalescing")
    made["bench"].add_argument("--publish", metavar="NAME", help="with all, on a GPU: take over as the measurements of machine NAME")
    made["bench"].add_argument("--rounds", type=int, metavar="N", help="so many times each point comes, in random order (default: 2)")
    made["bench"].add_argument("--seed", type=int, metavar="N", help="of that order (default: 1)")
    made["results"].add_argument("--check", action="store_true", help="write nothing; fail where page and measurements disagree")
    made["results"].add_argument("--machine", default="h200", metavar="NAME", help="whose measurements (default: h200)")
    made["check"].add_argument("file", metavar="FILE", nargs="?", help="a .cu file (default: the lab's own)")
    made["check"].add_argument("--todo", type=int, metavar="N", help="the items of TODO(N) alone")
    made["check"].add_argument("--json", action="store_true", help="one JSON document on stdout, nothing else")
    made["grade"].add_argument("folder", metavar="DIR", help="the folder of the class's hand-ins")
    made["grade"].add_argument("--lab", metavar="LAB", help="this lab only (default: all)")
    made["grade"].add_argument("--csv", metavar="FILE", help="writes one row for each name, lab and item")
    made["bench"].add_argument("--backend", choices=("sim", "cuda"), help="default: the GPU if there is one")
    made["bench"].add_argument("--device", type=int, metavar="N", help="which GPU, counted as CUDA counts them")
    made["bench"].add_argument("--size", type=int, metavar="N", help="length of the arrays (default: on a GPU at least 8 times its L2 cache)")
    made["bench"].add_argument("--repetitions", type=int, metavar="N", help="timed runs of each point at most")
    made["bench"].add_argument("--precision", choices=("f32", "f64", "both"), help="which functions (default: both)")
    made["bench"].add_argument("--function", metavar="NAME", help="this function alone (default: all that the bench knows)")
    made["bench"].add_argument("--input", metavar="FILE", help="measures on a file of yours, where the lab's bench can")
    made["bench"].add_argument("--out", metavar="CSV", help="default: build/bench/LAB-BACKEND.csv")
    made["new-lab"].add_argument("name", metavar="NAME", help="like scan, or 07-scan (default: the next number)")
    made["test"].add_argument("--preset", metavar="NAME", help="another preset of CMakePresets.json: cuda-ci, asan")
    made["plot"].add_argument("csv", metavar="CSV", nargs="?", help="default: the newest measurements")
    made["plot"].add_argument("-o", "--out", metavar="PNG", help="default: build/plots/")
    for parser in made.values():  # build_folder.take_option has read it; this is for --help and near misses
        parser.add_argument(build_folder.OPTION, metavar="DIR", help="everything that is written goes there, not into build/")
    return made


def handler(verb: str):
    """The function that runs `verb`; imported only when asked for, to keep `check` quick."""
    if verb == "check":
        from .check import run
    elif verb == "sim":
        from .sim import run
    elif verb == "grade":
        from .grade import run
    elif verb == "test":
        from .selftest import run
    elif verb == "demo":
        from .demo import run
    elif verb == "bench":
        from .bench import run_bench as run
    elif verb == "plot":
        from .bench import run_plot as run
    elif verb == "results":
        from .bench_all import run
    elif verb == "new-lab":
        from .new_lab import run
    elif verb == "list":
        from .overview import run_list as run
    else:
        from .overview import run_doctor as run
    return run


def restart_with_rich(workbook: Workbook, arguments: list[str]) -> None:
    """Goes on in the interpreter that has rich, if this one has not."""
    if importlib.util.find_spec("rich") is not None:
        return
    from . import machine_setup

    python = machine_setup.ensure(workbook.root)["python"]
    if os.environ.get(interpreter.RESTARTED) not in (None, interpreter.EARLY):
        raise Problem(f"{sys.executable} cannot import rich, although the set-up found it there.")
    interpreter.start(python, workbook.root, arguments)


def before_dashes(arguments: list[str]) -> list[str]:
    """What is Warpbook's own: behind -- stands what a program gets."""
    return arguments[:arguments.index("--")] if "--" in arguments else arguments


def dispatch(arguments: list[str], root: str) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(HELP)
        return SUCCESS
    if any(word.partition("=")[0] == build_folder.OPTION for word in before_dashes(arguments)):
        raise Problem(f"{build_folder.OPTION} needs the folder that everything built goes into.",
                      ["For example: ./warpbook check 01 --build ~/warpbook-build"])
    verb, rest = arguments[0], arguments[1:]
    known = parsers()
    if verb not in known:
        near = difflib.get_close_matches(verb, known, n=1, cutoff=0.5)
        guess = f" Did you mean {near[0]}?" if near else ""
        raise Problem(f"There is no verb '{verb}'.{guess}", ["The verbs are: " + ", ".join(known)])
    workbook = Workbook(root)
    if verb in _BUILDS:
        workbook.require_usable_folders()
    parsed = known[verb].parse_args(rest)
    if getattr(parsed, "lab", None) and not (verb == "bench" and parsed.lab == "all"):
        workbook.lab(parsed.lab)  # a misspelt lab is said before anything is installed
    if verb in interpreter.NEEDS_RICH and not getattr(parsed, "json", False):
        restart_with_rich(workbook, arguments)
    os.environ.pop(interpreter.RESTARTED, None)
    return handler(verb)(workbook, parsed)


def report(problem: Problem, as_json: bool) -> int:
    if as_json:
        import json

        print(json.dumps({"error": problem.sentence, "details": problem.details}, indent=2))
    else:
        sys.stdout.flush()
        print(problem.sentence, *problem.details, sep="\n", file=sys.stderr)
    return problem.status


def _interrupt(number: int, frame) -> None:
    raise KeyboardInterrupt(number)


def main(arguments: list[str], root: str) -> int:
    """Runs the command; never raises unless WARPBOOK_DEBUG is set."""
    for number in (signal.SIGTERM, signal.SIGHUP):  # a closed terminal is to end what was started, too
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)
    debug = bool(os.environ.get("WARPBOOK_DEBUG"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that is not UTF-8 shows ? for ✗
    own = before_dashes(arguments)
    as_json = own[:1] in (["check"], ["sim"]) and "--json" in own
    try:
        status = dispatch(arguments, root)
        sys.stdout.flush()
        return status
    except Problem as problem:
        if debug:
            raise
        return report(problem, as_json)
    except KeyboardInterrupt as interrupt:
        print("\nInterrupted. Your files are as they were; the same command starts again.", file=sys.stderr)
        return 128 + (interrupt.args[0] if interrupt.args else signal.SIGINT)
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SUCCESS
    except OSError as error:
        if debug:
            raise
        return report(from_os_error(error), as_json)
    except Exception as error:  # the last net: a sentence, not a traceback
        if debug:
            raise
        return report(Problem(f"warpbook stumbled over {type(error).__name__}: {error}",
                              ["WARPBOOK_DEBUG=1 shows where; please report it."], SETUP), as_json)
