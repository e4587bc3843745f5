#!/usr/bin/env python3
"""Changes solutions at random, one place at a time, and asks the graders about each change.

A change that is not equivalent has to lose points, and the student has to learn more than that a number is wrong. This
prints each change that compiles with what the checks said, and at the end how many were noticed and how many got nothing
but `wrong-result`. It is for those who work on a rubric; docs/adding-a-lab.md says when to run it.

    common/honesty/mutation_run.py --count 60 --seed 1 [LAB ...]
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What a token becomes: slips of the pen, of thought and of counting.
OPERATORS = {
    "+": ["-", "*"], "-": ["+"], "*": ["+"], "/": ["*", "%"], "%": ["/"],
    "<": ["<=", ">"], "<=": ["<"], ">": [">=", "<"], ">=": [">"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["|"],
    "+=": ["-=", "="], "-=": ["+="], "*=": ["+="], "/=": ["*="], "<<=": [">>="], ">>=": ["<<="],
    "++": ["--"], "--": ["++"],
}
NAMES = {
    "threadIdx": ["blockIdx"], "blockIdx": ["threadIdx"], "blockDim": ["gridDim"], "gridDim": ["blockDim"],
    "min": ["max"], "max": ["min"], "true": ["false"], "false": ["true"], "x": ["y"], "y": ["x"],
    "num_threads": ["size"], "thread_rank": ["block_rank"], "block_rank": ["thread_rank"],
}
TOKEN = re.compile(
    r"""(?P<skip>//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|^[ \t]*\#[^\n]*|\s+)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<number>\d[\w.']*)
      | (?P<op><<<|>>>|<<=|>>=|\+\+|--|->|::|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
KEYWORDS = set(
    """auto bool break case char class const constexpr continue do double else false float for if inline int long
    namespace return short signed sizeof static struct switch template true typename unsigned using void while
    __global__ __device__ __shared__ __host__ __restrict__ extern reinterpret_cast static_cast std size_t""".split()
)
# A statement that stands alone on its lines and declares nothing.
STATEMENT = re.compile(
    r"^[ \t]+(?:if \([^\n]*\) |else )?(?!(?:const|constexpr|using|template|static|auto|unsigned|int|float|double|std::"
    r"|__|extern|cg::|struct|T|bool|for|while|if|else|case|namespace|return [^;\n])\b)[^\s/#{}][^\n{}]*;[ \t]*(?://[^\n]*)?$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Change:
    begin: int
    end: int
    text: str

    def applied_to(self, source: str) -> str:
        return source[: self.begin] + self.text + source[self.end :]

    def told(self, source: str) -> str:
        line = source.count("\n", 0, self.begin) + 1
        start = source.rfind("\n", 0, self.begin) + 1
        end = source.find("\n", self.end)
        here = source[start:self.begin] + "[" + source[self.begin:self.end].strip() + " -> " + self.text + "]"
        return f"{line}: {(here + source[self.end:end]).strip()}"


def changes_of(source: str) -> list[Change]:
    """All changes that one of the rules makes of a source text."""
    tokens = [m for m in TOKEN.finditer(source) if m.lastgroup != "skip"]
    found = []
    called = {m.group() for m, after in zip(tokens, tokens[1:]) if after.group() in ("(", "<<<")}
    names = {m.group() for m in tokens if m.lastgroup == "name"} - KEYWORDS - called
    for k, token in enumerate(tokens):
        text = token.group()
        before = tokens[k - 1].group() if k > 0 else ""
        others: list[str] = []
        if token.lastgroup == "op":
            others = OPERATORS.get(text, [])
        elif token.lastgroup == "number":
            whole = re.fullmatch(r"(\d+)([uU]?[lL]*)", text)
            if whole:
                value = int(whole[1])
                others = [f"{v}{whole[2]}" for v in sorted({value + 1, value - 1, 0, 2 * value} - {value}) if v >= 0]
        elif text in NAMES:
            others = NAMES[text]
        elif text in names and before not in (".", "->", "::") and len(text) < 12:
            near = {m.group() for m in tokens[max(0, k - 60) : k + 20] if m.lastgroup == "name"} & names
            others = sorted(near - {text})
            others = others[::7][:2]  # a few: most do not compile
        found += [Change(token.start(), token.end(), other) for other in others]
    found += [Change(m.start(), m.end(), ";") for m in STATEMENT.finditer(source)]
    return found


def check(lab: str, file: pathlib.Path, limit: int) -> dict | None:
    """The document of `./warpbook check`, or None if the file does not compile."""
    done = subprocess.run(
        [ROOT / "warpbook", "check", lab, file, "--json"], capture_output=True, text=True, timeout=limit, check=False
    )
    document = json.loads(done.stdout)
    if document.get("build_failure"):
        return None
    return document


def verdict_of(items: list[dict]) -> tuple[str, str]:
    """Whether a change was noticed and explained, as one word, and the diagnoses of the first item that failed: the one
    that a student reads first."""
    failed = [item for item in items if item["status"] == "failed"]
    if not failed:
        return "unnoticed", ""
    diagnoses = failed[0]["diagnoses"]
    return "bare" if diagnoses == ["wrong-result"] else "told", ",".join(diagnoses)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("labs", nargs="*", metavar="LAB", help="default: all")
    parser.add_argument("--count", type=int, default=60, help="changes per lab that compile (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=600, metavar="SECONDS", help="of one check")
    options = parser.parse_args()
    tried = noticed = bare = 0
    for folder in sorted((ROOT / "solutions").glob("[0-9]*")):
        if options.labs and not any(folder.name.startswith(lab.zfill(2)) for lab in options.labs):
            continue
        source = next(folder.glob("*.cu"))
        text = source.read_text()
        candidates = changes_of(text)
        random.Random(f"{options.seed} {folder.name}").shuffle(candidates)
        target = ROOT / "build" / "mutation" / folder.name / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        done = 0
        for change in candidates:
            if done == options.count:
                break
            target.write_text(change.applied_to(text))
            result = check(folder.name[:2], target, options.limit)
            if result is None:
                continue
            done += 1
            verdict, ids = verdict_of(result["items"])
            tried += 1
            noticed += verdict != "unnoticed"
            bare += verdict == "bare"
            print(f"{folder.name[:2]} {verdict:9} {result['points']:>3}/{result['max_points']} {ids:40.40} "
                  f"{change.told(text)}", flush=True)
    if tried == 0:
        print("no change compiles")
        return 1
    print(f"{tried} changes that compile, {noticed} lost points, {bare} of them with nothing but wrong-result "
          f"({100 * bare / max(1, noticed):.0f} %)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
