"""Each function of the runtime API begins with `const HostCall turn;`: threads of the host are in it one at a time.

host_calls.py FOLDER   reads the .cpp files below it, and fails if a function lacks that
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

#: A definition of a function of the API, up to its brace. Those that return no error only look up a constant.
FUNCTION = re.compile(r'^(?:extern "C" )?(?:cudaError_t|CUresult) (cu[a-zA-Z]*[A-Z]\w*|__simt_launch|__simt_refuse_\w+)\(([^{};]*)\)\s*\{', re.M)
TURN = re.compile(r"\s*const (simt::)?HostCall turn;")


def functions(text: str) -> list[tuple[str, bool]]:
    """The names of the functions that are defined, and whether each begins as it must."""
    return [(found[1], TURN.match(text, found.end()) is not None) for found in FUNCTION.finditer(text)]


def main(folder: str) -> int:
    found = [(path, *function) for path in sorted(Path(folder).rglob("*.cpp")) for function in functions(path.read_text())]
    late = [f"{path}: {name} does not begin with `const HostCall turn;` (machine/host_call.hpp)" for path, name, turn in found if not turn]
    print(*late, f"{len(found)} functions of the API, {len(late)} without a turn", sep="\n")
    assert functions("cudaError_t cudaFoo(int a,\n  int b) {\n  return f();\n}") == [("cudaFoo", False)]
    assert functions('extern "C" cudaError_t cudaFoo(void) {\n  const HostCall turn;\n}') == [("cudaFoo", True)]
    return 1 if late or len(found) < 100 else 0


sys.exit(main(sys.argv[1]))
