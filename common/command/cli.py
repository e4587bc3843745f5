"""Reads the command line, runs the verb, and turns every way of failing into a sentence."""
from __future__ import annotations

import argparse
import difflib
import importlib
import importlib.util
import os
import re
import signal
import sys

from . import build_folder, interpreter, interruption, language
from .language import N_, _
from .problem import SETUP, SUCCESS, Problem, from_os_error
from .workbook import Workbook

EPILOG = N_("""\
LAB is a number or a name: 1, 01, coalescing and 01-coalescing are the same lab. Status: 0 all well, 1 points missing or a test failed, 2 usage or set-up. ./warpbook VERB --help shows all that VERB takes. --build DIR or WARPBOOK_BUILD=DIR: what is written goes into DIR, not into build/. --language zh or WARPBOOK_LANGUAGE=zh: what is said is in that language. WARPBOOK_BACKEND=sim|cuda chooses the backend; WARPBOOK_DEBUG=1 shows tracebacks.""")

SIM = """\
Builds the CUDA program in FILE... (.cu files, and .cpp or .c files for the host) and runs it on the simulator:
no GPU and no CUDA toolkit needed. What its kernels cost, and what is wrong with them, comes on stderr at the end."""

SIM_EPILOG = """\
-I -D -U -l -L -std=... -W... are as for nvcc; -arch, -O3, -rdc=true and the like are taken and change nothing.
--legacy-warp-functions: __shfl, __ballot and the like without a mask are there, as before 2017.
Status: the program's own; 99 if that is 0 and there are diagnostics; 1 if it cannot be built; 2 usage or set-up."""

SEE_EPILOG = """\
FUNCTION is one of the lab's (default: that of the TODO in work). FILE is a .cu file (default: the lab's own), or two to compare.
With no --size the call is the one with which the function's first item fails, or a small one if all pass."""

GRADE_EPILOG = """\
The same command goes on after Ctrl-C, a crash or a full disk: it grades what has no verdict yet, or has changed.
Status: 0 all was judged, 1 an item ended without a verdict or a file was left over, 2 nothing was graded."""

_HIDDEN = {"grade-work", "results-for"}  # verbs that other verbs run
_BUILDS = interpreter.NEEDS_RICH | {"sim", "hint", "see"}


class _Once(argparse.Action):
    """Of an option that takes one value: the last of several would count, without a word."""

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string and getattr(namespace, self.dest, self.default) is not self.default:
            raise argparse.ArgumentError(self, "given twice; it takes one value")
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    """`takes_words`: what it does not know are files and a compiler's options, left in their order as `words`; and what
    stands behind -- are a program's `arguments`."""

    def __init__(self, takes_words: bool = False, **options):
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)
        self.register("action", None, _Once)
        self.takes_words = takes_words

    def parse_known_args(self, args=None, namespace=None):
        own = before_dashes(args) if self.takes_words else args
        parsed, unknown = super().parse_known_args(own, namespace)
        if self.takes_words:
            parsed.words, parsed.arguments = unknown, args[len(own) + 1:]
        elif unknown:  # said here, where the verb's options are known
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return parsed, []

    def error(self, message: str):  # argparse prints a usage block; one sentence is enough
        near = re.search(r"unrecognized arguments: (\S+)", message)
        known = [option for action in self._actions for option in action.option_strings]
        guess = difflib.get_close_matches(near.group(1), known, n=1) if near else []
        hint = f" Did you mean {guess[0]}?" if guess else ""
        if near and os.path.exists(near.group(1)):
            hint = f" A file whose name begins with - is written ./{near.group(1)}"
        raise Problem(f"{self.prog}: {message}.{hint}", [f"Usage: {self.format_usage()[7:].strip()}"])


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return int(text)


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) >= 1 << 63:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of 0 or more")
    return int(text)


def parser_of_all() -> tuple[_Parser, dict[str, _Parser]]:
    """The command's parser, and those of its verbs, without those that only verbs run."""
    everywhere = argparse.ArgumentParser(add_help=False)  # build_folder.take_option has read it; this is for --help and near misses
    everywhere.add_argument(language.OPTION, metavar="CODE", help="of what is said: " + ", ".join(f"{each.code} ({each.name})" for each in language.ALL.values()) + " (default: WARPBOOK_LANGUAGE, else that of the system)")
    everywhere.add_argument(build_folder.OPTION, metavar="DIR", help="everything that is written goes there, not into build/")
    a_lab = argparse.ArgumentParser(add_help=False)
    a_lab.add_argument("lab", metavar="LAB", help="1, 01, coalescing or 01-coalescing")
    root = _Parser(prog="./warpbook", usage="%(prog)s VERB", epilog=_(EPILOG), add_help=False)
    verbs = root.add_subparsers(prog=root.prog, metavar="VERB", help=argparse.SUPPRESS)
    lines = {}  # of the verbs

    def verb(name: str, takes: str, does: str, handler: str, parents=(), **options):
        """A verb's parser. `takes` is what stands behind the name, and `handler` the module and function that run it."""
        shape = f"  {name} {takes}".rstrip()
        lines[name] = f"{shape:<37} {does}" if len(shape) < 38 else f"{shape}\n{'':38}{does}"
        made = verbs.add_parser(name, parents=[*parents, everywhere], **{
            "usage": f"%(prog)s {takes}".rstrip(), "description": f"{does[0].upper()}{does[1:]}.", **options})
        made.set_defaults(handler=handler)
        return made

    demo = verb("demo", "[--all]", _("build, grade every starter and solution, show counters, draw plots"), "demo.run")
    demo.add_argument("--all", action="store_true", help="every function, step and measure of the labs' sweeps")

    check = verb("check", "LAB [FILE] [--todo N] [--all]", _("grade your file of a lab, or any other file"), "check.run", [a_lab])
    check.add_argument("file", metavar="FILE", nargs="?", help="a .cu file (default: the lab's own)")
    check.add_argument("--todo", type=int, metavar="N", help="the items that TODO(N) can make fail")
    check.add_argument("--all", action="store_true", help="everything that is wrong (default: the first TODO in work, and a line for each other)")
    check.add_argument("--json", action="store_true", help="one JSON document on stdout, nothing else")
    check.add_argument("--questions", action="store_true", help="asks the lab's questions instead, which a number answers; no points depend on them")
    check.add_argument("--answer", metavar="ID=VALUE", action="append", default=[], help="with --questions: an answer; may be given several times")
    check.add_argument("--watched", action="store_true", help=argparse.SUPPRESS)  # by watch: clears the screen, and is brief
    check.add_argument("--format", choices=("text", "gcc", "sarif"), default="text",
                       help="gcc: file:line:column: error: sentence [id]; sarif: a SARIF document")

    watch = verb("watch", "LAB", _("check your file each time you save it"), "watch.run", [a_lab])
    watch.add_argument("--all", action="store_true", help="everything that is wrong, as with check")

    hint = verb("hint", "LAB [--todo N]", _("the next hint for the first TODO that fails"), "hint.run", [a_lab])
    hint.add_argument("--todo", type=int, metavar="N", help="for TODO(N)")
    hint.add_argument("--again", action="store_true", help="the last one once more")
    hint.add_argument("--all", action="store_true", help="all of the TODO's hints")
    hint.add_argument("--watched", action="store_true", help=argparse.SUPPRESS)

    see = verb("see", "LAB [FUNCTION] [FILE...]", _("draw what your kernels do with memory, as a page for a browser"), "see.run", [a_lab], takes_words=True, epilog=SEE_EPILOG)
    see.add_argument("--size", type=int, metavar="N", help="of the call (default: that with which the first item fails, or a small one)")
    see.add_argument("--steps", action="store_true", help="the first teaching step beside the last one, where solutions/ is there")
    see.add_argument("--out", metavar="HTML", help="default: build/see/LAB-FUNCTION.html")
    see.add_argument("--png", metavar="DIR", help="also writes the page's pictures there, as PNG and SVG")
    see.add_argument("--open", action="store_true", help="opens the page in the browser")

    reset = verb("reset", "LAB [--todo N]", _("the starter's text back into your file, with a copy of yours kept"), "reset.run", [a_lab])
    reset.add_argument("--todo", type=int, metavar="N", help="the text of TODO(N) alone")
    reset.add_argument("--yes", action="store_true", help="without asking")

    update = verb("update", "[--from DIR_OR_ARCHIVE]", _("the next version of the workbook, around your files and your progress"), "update.run")
    update.add_argument("--from", dest="source", metavar="DIR_OR_ARCHIVE", help="another copy of the workbook (default: what the installed wheel has)")
    update.add_argument("--dry-run", action="store_true", help="only lists what would happen")
    update.add_argument("--folder", metavar="DIR", help="brings the workbook in DIR up to this one's version")

    sim = verb("sim", "FILE... [-- ARGUMENT...]", _("run any CUDA program on the simulator: mistakes, and costs by line"),
               "sim.run", takes_words=True, usage="%(prog)s [OPTION]... FILE... [-- ARGUMENT...]", description=SIM, epilog=SIM_EPILOG)
    sim.add_argument("--see", action="store_true", help="also draws what the kernels do with memory, as a page for a browser")
    sim.add_argument("--schedule", metavar="ORDER", help="forward, reverse or random: the order in which lanes, warps and blocks run")
    sim.add_argument("--seed", metavar="N", help="of the random order")
    sim.add_argument("--json", action="store_true", help="one JSON document on stdout, the program's own output in it")
    sim.add_argument("--no-counters", action="store_true", help="only what is wrong")
    sim.add_argument("--no-lines", action="store_true", help="counters of kernels, not of their source lines")
    sim.add_argument("--steps", metavar="N", help="requests and lane switches after which a kernel counts as endless")
    sim.add_argument("--limit", metavar="SECONDS", help="stops the program after so many seconds, and says how far it has come")
    sim.add_argument("--memory", metavar="MIB", help="memory of the simulated device (default: 81920)")
    sim.add_argument("--every-launch", action="store_true", help="runs each launch, also one that would repeat an earlier one")
    sim.add_argument("--run-once", action="store_true", help="tells of findings without running the program again to see how they came about")
    sim.add_argument("--no-run", action="store_true", help="builds, prints where the module lies, and does not run it")

    grade = verb("grade", "DIR [--out FOLDER]", _("grade a class's hand-ins, one lab (--lab LAB) or all"), "grade.run", epilog=GRADE_EPILOG)
    grade.add_argument("folder", metavar="DIR", help="the folder or archive of the class's hand-ins")
    grade.add_argument("--out", metavar="FOLDER", help="where everything goes that comes of them (default: NAME-graded)")
    grade.add_argument("--lab", metavar="LAB", help="this lab only (default: all)")
    grade.add_argument("--rules", metavar="FILE", help="the course's rules: weights, deadlines, items left out")
    grade.add_argument("--roster", "--mapping", metavar="FILE", action="append", default=[], dest="rosters",
                       help="who is in the class, as Moodle, Canvas, GitHub Classroom or Gradescope lists it, or whose files are which; may be given "
                            "several times")
    grade.add_argument("--times", metavar="FILE", action="append", default=[],
                       help="when files were handed in: Moodle's log, Canvas's list of submissions, GitHub Classroom's grades; repeatable")
    grade.add_argument("--csv", metavar="FILE", help="also writes one row for each person, lab and item there")
    grade.add_argument("--seed", type=_seed, metavar="N", help="of the inputs (default: WARPBOOK_SEED, else one that is drawn for the class and kept); 1 is practice's")
    grade.add_argument("--jobs", type=_positive, metavar="N", help="hand-ins at a time (default: processors, and one); with slurm, of a task")
    grade.add_argument("--engine", choices=("local", "slurm"), default="local",
                       help="slurm: as a job array; the folder of --out has to lie on a shared disk")
    grade.add_argument("--slurm-options", metavar="OPTIONS", default="",
                       help='for sbatch, as in --slurm-options="--partition=cpu --time=60"')
    grade.add_argument("--sandbox", choices=("bwrap", "docker", "none"), help="around hand-ins, beside or instead of what the kernel has")
    grade.add_argument("--no-likeness", action="store_true", help="hand-ins are not compared with each other")
    grade.add_argument("--fresh", action="store_true", help="grades everything again, also what has a verdict")
    grade.add_argument("--results", metavar="SYSTEM=FILE", action="append", default=[],
                       help="also writes the results as SYSTEM reads them: gradescope, github-classroom, classroom50, autolab, prairielearn, codegrade, nbgrader, junit")

    work = verbs.add_parser("grade-work")  # what grade --engine slurm runs on a node
    work.add_argument("task", metavar="FILE")
    work.set_defaults(handler="grade_work.run")

    autograder = verb("autograder", "SYSTEM [--lab LAB]", _("a package that makes Warpbook the autograder of Gradescope and others"), "autograder.run")
    autograder.add_argument("system", metavar="SYSTEM", help="gradescope, github-classroom, classroom50, autolab, prairielearn or codegrade")
    autograder.add_argument("--lab", metavar="LAB", action="append", dest="labs", help="this lab; may be given several times (default: all)")
    autograder.add_argument("--rules", metavar="FILE", help="the course's rules, packed with it")
    autograder.add_argument("--seed", type=_seed, metavar="N", help="of the inputs (default: WARPBOOK_SEED, else that of the package before, else a new one)")
    autograder.add_argument("--repository", metavar="OWNER/NAME", help="on GitHub, of the workbook that grades (github-classroom)")
    autograder.add_argument("--wheel", metavar="FILE", help="a wheel of this workbook, packed with it: its set-up is one install, and no build")
    autograder.add_argument("-o", "--out", metavar="ZIP", help="default: warpbook-SYSTEM-LAB.zip")

    single = verbs.add_parser("results-for")  # what an autograder's package runs
    for name in ("system", "submission", "result"):
        single.add_argument(name, metavar=name.upper())
    single.add_argument("--lab", metavar="LAB")
    single.add_argument("--rules", metavar="FILE")
    single.add_argument("--sandbox", choices=("bwrap", "docker", "none"))
    single.set_defaults(handler="autograder.results_for")

    give = verb("give-out", "DIR", _("the workbook as students get it: no solutions, fresh starters"), "give_out.run")
    give.add_argument("folder", metavar="DIR", help="a new folder, or an earlier give-out, which is brought up to date")
    give.add_argument("--rules", metavar="FILE", help="the course's rules (default: course.json here): points in handouts and check")
    give.add_argument("--autograder", choices=("github",), help="with GitHub Classroom's workflow, which grades each push")
    give.add_argument("--repository", metavar="OWNER/NAME", help="on GitHub, of the workbook that grades, which students cannot write to")

    verb("list", "", _("the labs, and how far you are in each"), "overview.run_list")

    bench = verb("bench", "LAB|all [OPTION]...", _("measure a lab's sweep into a CSV file, or all labs' and draw them"),
                 "bench_all.run_bench", [a_lab])
    bench.add_argument("--backend", choices=("sim", "cuda"), help="default: the GPU if there is one")
    bench.add_argument("--device", type=int, metavar="N", help="which GPU, counted as CUDA counts them")
    bench.add_argument("--size", type=int, metavar="N", help="length of the arrays (default: on a GPU at least 8 times its L2 cache)")
    bench.add_argument("--repetitions", type=int, metavar="N", help="timed runs of each point at most")
    bench.add_argument("--rounds", type=int, metavar="N", help="so many times each point comes, in random order (default: 2)")
    bench.add_argument("--seed", type=int, metavar="N", help="of that order (default: 1)")
    bench.add_argument("--precision", choices=("f32", "f64", "both"), help="which functions (default: both)")
    bench.add_argument("--function", metavar="NAME", help="this function alone (default: all that the bench knows)")
    bench.add_argument("--own", action="store_true", help="your file instead of the solution and its steps (default where there is no solution)")
    bench.add_argument("--input", metavar="FILE", help="measures on a file of yours, where the lab's bench can")
    bench.add_argument("--out", metavar="CSV", help="default: build/bench/LAB-BACKEND.csv")
    bench.add_argument("--publish", metavar="NAME", help="with all, on a GPU: take over as the measurements of machine NAME; the page is of h200, others stand beside it")

    plot = verb("plot", "LAB [CSV] [-o PICTURE]", _("draw a lab's measurements"), "bench.run_plot", [a_lab])
    plot.add_argument("csv", metavar="CSV", nargs="?", help="default: the newest measurements")
    plot.add_argument("-o", "--out", metavar="PICTURE", help="NAME.svg makes NAME-….svg; also .png or .pdf (default: in build/plots)")

    results = verb("results", "[--check]", _("write docs/results.md from the committed measurements"), "bench_all.run_results")
    results.add_argument("--check", action="store_true", help="write nothing; fail where page and measurements disagree")
    results.add_argument("--machine", default="h200", metavar="NAME", help="whose measurements (default: h200)")

    site = verb("site", "[--serve] [--out DIR]", _("the workbook's texts as a site, for a browser"), "site.run")
    site.add_argument("--out", metavar="DIR", help="default: build/site")
    site.add_argument("--serve", action="store_true", help="also serves it to this machine's browsers until Ctrl-C")
    site.add_argument("--see", action="store_true", help="with pages of see, of the programs docs/examples/see_*.cu, which are built and run on the simulator")
    site.add_argument("--port", type=int, default=8000, metavar="N", help="of --serve (default: 8000)")
    site.add_argument("--repository", metavar="URL", help="the workbook's address on the web, for 'Edit this page' (default: git's origin, if that is on GitHub)")
    site.add_argument("--branch", metavar="NAME", help="its branch (default: the one that is checked out)")

    new_lab = verb("new-lab", "NAME", _("make a lab that builds, to be filled: NAME is like scan or 07-scan"), "new_lab.run")
    new_lab.add_argument("name", metavar="NAME", help="like scan, or 07-scan (default: the next number)")

    test = verb("test", "[--preset NAME]", _("the workbook's own tests, as CI runs them"), "selftest.run",
                description="Run the workbook's own tests, as CI does. A test that passed is not run again while all that it depends on is the same.")
    test.add_argument("--preset", metavar="NAME", help="another preset of CMakePresets.json: cuda-ci, asan")
    test.add_argument("--fresh", action="store_true", help="run every test, whatever passed before")
    test.add_argument("--times", action="store_true", help="build and run everything in a folder of its own, and print the processor time of each part")

    verb("doctor", "", _("what this machine has, and which backend is used and why"), "overview.run_doctor")
    # Most who ask are students; then come instructors, and those who change the workbook.
    students = ("list", "check", "watch", "hint", "see", "sim", "reset", "update", "bench", "plot", "demo", "doctor")
    others = ("grade", "autograder", "give-out", "site", "test", "new-lab", "results")
    root.description = "\n".join(lines.pop(name) for name in (*students, *others))
    assert not lines, f"left out: {', '.join(lines)}"
    return root, {name: made for name, made in verbs.choices.items() if name not in _HIDDEN}


def handler(name: str):
    """The function that runs a verb; imported only when asked for, to keep `check` quick."""
    module, function = name.split(".")
    return getattr(importlib.import_module(f".{module}", __package__), function)


def restart_with_rich(workbook: Workbook, arguments: list[str], asked: str) -> None:
    """Goes on in the interpreter that has rich, if this one has not."""
    if importlib.util.find_spec("rich") is not None:
        return
    from . import build_choice

    python = build_choice.set_up(workbook, "sim", [])["python"]  # of the lab, its verb finds out
    if os.environ.get(interpreter.RESTARTED) not in (None, interpreter.EARLY):
        raise Problem(f"{sys.executable} cannot import rich, although the set-up found it there.")
    interpreter.start(python, workbook.root, [*([language.OPTION, asked] if asked else []), *arguments])


def before_dashes(arguments: list[str]) -> list[str]:
    """What is Warpbook's own: behind -- stands what a program gets."""
    return arguments[:arguments.index("--")] if "--" in arguments else arguments


def dispatch(arguments: list[str], root: str, asked: str = "") -> int:
    """Runs the verb of `arguments`. `asked` is the language of --language, if there is one."""
    workbook = Workbook(root)
    verb = arguments[0] if arguments else "help"
    language.speak(language.chosen(asked, verb), workbook.root, workbook.build_root)
    if asked:
        os.environ[language.VARIABLE] = language.current().code  # for what watch starts
    root_parser, known = parser_of_all()
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        root_parser.print_help()
        return SUCCESS
    if any(word.partition("=")[0] == build_folder.OPTION for word in before_dashes(arguments)):
        raise Problem(f"{build_folder.OPTION} needs the folder that everything built goes into.",
                      ["For example: ./warpbook check 01 --build ~/warpbook-build"])
    if any(word.partition("=")[0] == language.OPTION for word in before_dashes(arguments)):
        raise Problem(_("{option} needs the code of a language: {codes}.", option=language.OPTION, codes=", ".join(language.ALL)))
    if verb not in known and verb not in _HIDDEN:
        near = difflib.get_close_matches(verb, known, n=1, cutoff=0.5)
        guess = _(" Did you mean {name}?", name=near[0]) if near else ""
        raise Problem(_("There is no verb '{name}'.", name=verb) + guess, [_("The verbs are: {names}", names=", ".join(known))])
    if verb in _BUILDS:
        workbook.require_usable_folders()
    parsed = root_parser.parse_args(arguments)
    if getattr(parsed, "lab", None) and not (verb == "bench" and parsed.lab == "all"):
        workbook.lab(parsed.lab)  # a misspelt lab is said before anything is installed
    plain = getattr(parsed, "json", False) or getattr(parsed, "questions", False)
    if verb in interpreter.NEEDS_RICH and not plain and getattr(parsed, "format", "text") == "text":
        restart_with_rich(workbook, arguments, asked)
    os.environ.pop(interpreter.RESTARTED, None)
    return handler(parsed.handler)(workbook, parsed)


def report(problem: Problem, as_json: bool) -> int:
    if as_json:
        import json

        print(json.dumps({"error": problem.sentence, "details": problem.details}, indent=2))
    else:
        sys.stdout.flush()
        print(problem.sentence, *problem.details, sep="\n", file=sys.stderr)
    return problem.status


def main(arguments: list[str], root: str) -> int:
    """Runs the command; never raises unless WARPBOOK_DEBUG is set."""
    debug = bool(os.environ.get("WARPBOOK_DEBUG"))
    arguments, asked = language.take_option(arguments)
    own = before_dashes(arguments)
    as_json = own[:1] in (["check"], ["sim"]) and "--json" in own
    try:
        interruption.listen()  # a closed terminal is to end what was started, too
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a terminal that is not UTF-8 shows ? for ✗
        status = dispatch(arguments, root, asked)
        sys.stdout.flush()
        return status
    except Problem as problem:
        if debug:
            raise
        return report(problem, as_json)
    except KeyboardInterrupt as interrupt:
        if "--watched" not in arguments:  # watch has interrupted it, and says itself what comes next
            print("\n" + _("Interrupted. Your files are as they were; the same command starts again."), file=sys.stderr)
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
