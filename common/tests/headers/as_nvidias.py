"""Compares the simulator's headers with those of the CUDA toolkit, where that is installed.

  as_nvidias.py SIMTCC SIMTRUN

Each call of the runtime API that both have must be callable with the same numbers of arguments: the prototypes are read from the
toolkit's header, one program asks the compiler about each, and nvcc and simtcc build it. Each header must leave the guards defined
that the toolkit's leaves. Ends with 77 if there is no nvcc.
"""
from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HEADERS = pathlib.Path(__file__).resolve().parents[2] / "simt" / "include"
SIMTCC, SIMTRUN = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
del sys.argv[1:3]

#: Calls that the pre-pass rewrites, which a requires-expression does not show as they are.
REWRITTEN = {"cudaLaunchKernel", "cudaLaunchKernelExC", "cudaLaunchCooperativeKernel"}
#: As they were before CUDA 13, which the simulator takes as well: with a device in the place of a cudaMemLocation.
TAKEN_IN_OLD_FORM = {("cudaMemPrefetchAsync", 3)}
#: Toolkit headers and the guards that other people's headers ask for.
GUARDED = ["cooperative_groups.h", "cuComplex.h", "cuda.h", "cuda_bf16.h", "cuda_fp16.h", "cuda_profiler_api.h", "cuda_runtime.h", "cuda_runtime_api.h",
           "curand.h", "curand_kernel.h", "driver_types.h", "library_types.h", "math_constants.h", "mma.h", "vector_types.h"]
#: What the toolkit's parts have for themselves: of textures, of newer architectures, of cuRAND's inner files.
INNER_GUARDS = re.compile(r"__(CHANNEL|SURFACE|TEXTURE)_\w+|__SM_[1-9]\d\d_RT_H__|CURAND_?(?!H_|KERNEL_H_)\w+|__NV_TARGET_H|_CG_\w+|"
                          r"_COOPERATIVE_GROUPS_(HELPERS|MEMORY)_H_|__CCCL\w+|_+LIBCUDACXX\w+|_CUDA_\w+|__CUDA_(FP8|FP6|FP4)_H__")


def find_nvcc() -> str | None:
    return shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def run(command: list[str]) -> str:
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(command)}\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout


def preprocessed(nvcc: str, folder: pathlib.Path, header: str) -> str:
    source = folder / "header.cpp"
    source.write_text(f"#include <{header}>\n")
    return run([nvcc, "-E", "-x", "c++", "-std=c++20", str(source)])


def prototypes(text: str) -> dict[str, list[str]]:
    """The types of each function's parameters."""
    found: dict[str, list[str]] = {}
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|^#.*$", " ", text, flags=re.M)
    for name, parameters in re.findall(r"extern\s+cudaError_t\s+(cuda[A-Z]\w*)\s*\(([^;]*)\)\s*;", text):
        types = []
        for parameter in parameters.split(","):
            parameter = re.sub(r"=.*", "", parameter, flags=re.S).strip()
            if parameter in ("", "void"):
                continue
            types.append(re.sub(r"\s*\b\w+$", "", parameter).strip())
        found.setdefault(name, types)
    return found


def asking_program(calls: dict[str, list[str]]) -> str:
    lines = ["#include <cuda_runtime.h>", "#include <cstdio>"]
    asks = []
    for name, types in sorted(calls.items()):
        lines.append(f"template <class... A> concept takes_{name} = requires(A... a) {{ {name}(a...); }};")
        for count in range(len(types) + 1):
            given = types[:count]
            asks.append(f'  std::printf("{name} {count} %d\\n", int(takes_{name}<{", ".join(given)}>));')
            if given and given[0].replace(" ", "") == "void**":
                asks.append(f'  std::printf("{name} {count} typed %d\\n", int(takes_{name}<{", ".join(["float**", *given[1:]])}>));')
    return "\n".join([*lines, "int main() {", *asks, "}", ""])


class AsNvidias(unittest.TestCase):
    nvcc: str

    def setUp(self) -> None:
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def test_calls_take_the_same_numbers_of_arguments(self) -> None:
        theirs = prototypes(preprocessed(self.nvcc, self.folder, "cuda_runtime_api.h"))
        self.assertGreater(len(theirs), 200)
        words = set(re.findall(r"\bcuda[A-Z]\w*(?=\()", (HEADERS / "cuda_runtime_api.h").read_text()))
        calls = {name: types for name, types in theirs.items() if name in words - REWRITTEN}
        self.assertGreater(len(calls), 90)
        source = self.folder / "calls.cu"
        source.write_text(asking_program(calls))
        run([self.nvcc, "-std=c++20", "-arch=sm_90", "-o", str(self.folder / "calls"), str(source)])
        run([str(SIMTCC), "--program", "-std=c++20", "-o", str(self.folder / "calls.so"), str(source)])
        nvccs = run([str(self.folder / "calls")]).splitlines()
        ours = run([str(SIMTRUN), "--no-counters", str(self.folder / "calls.so")]).splitlines()
        self.assertEqual(len(nvccs), len(ours))
        different = [f"nvcc: {a}   simulator: {b}" for a, b in zip(nvccs, ours)
                     if a != b and (a.split()[0], int(a.split()[1])) not in TAKEN_IN_OLD_FORM]
        self.assertEqual(different, [])

    def test_the_recorded_names_of_the_runtime_api_are_the_toolkits(self) -> None:
        text = run([self.nvcc, "-E", "-x", "cu", "/dev/null"])
        header = pathlib.Path(re.search(r'^# \d+ "(.*)/cuda_runtime\.h"', text, re.M)[1]) / "cuda_runtime_api.h"
        programs = HEADERS.parents[1] / "tests" / "programs"
        theirs = run([sys.executable, "-B", str(programs / "supported.py"), "--record", str(header)])
        ours = (programs / "runtime_api.txt").read_text()
        if theirs.splitlines()[0] != ours.splitlines()[0]:
            self.skipTest("the toolkit is of another version")
        self.assertGreater(len(ours.splitlines()), 250)
        self.assertEqual(theirs, ours)

    def test_names_of_headers_that_were_not_included_are_unknown(self) -> None:
        uses = ["void a() { uint32_t x = 0; }", "__global__ void b() { printf(\"x\"); }", "int main() { printf(\"x\"); }", "void c() { FILE* x; }",
                "__global__ void d() { assert(true); }", "void e() { va_list x; }", "void f(int* x) { std::sort(x, x); }"]
        source = self.folder / "use.cu"
        source.write_text("\n".join(uses) + "\n")
        for command in ([self.nvcc, "-arch=sm_90", "-c", "-o", str(self.folder / "use.o")], [str(SIMTCC), "-o", str(self.folder / "use.so")]):
            tried = subprocess.run([*command, str(source)], capture_output=True, text=True)
            self.assertNotEqual(tried.returncode, 0)
            refused = {int(line) for line in re.findall(r"use\.cu[:(](\d+)[^\n]* error", tried.stdout + tried.stderr)}
            self.assertEqual([use for line, use in enumerate(uses, 1) if line not in refused], [], f"{command[0]} takes these")

    def test_headers_leave_the_guards_of_the_toolkits(self) -> None:
        missing = []
        of_toolkit = self.guards_of_toolkit()
        for header in GUARDED:
            source = self.folder / "guards.cu"
            source.write_text(f"#include <{header}>\n")
            text = run([self.nvcc, "-E", "-Xcompiler", "-dM", "-arch=sm_90", str(source)])
            guards = set(re.findall(r"^#define (\w+_[Hh]_*)\b", text, re.M))
            own = {guard for guard in guards & of_toolkit if not INNER_GUARDS.fullmatch(guard)}
            if header == "cooperative_groups.h":
                own -= {"__CUDA_FP16_H__", "__CUDA_BF16_H__"}  # which come with libcu++'s parts
            self.assertTrue(own, header)
            checks = "".join(f"#ifndef {guard}\n#error missing {guard}\n#endif\n" for guard in sorted(own))
            source.write_text(f"#include <{header}>\n{checks}")
            tried = subprocess.run([str(SIMTCC), "--translate", str(source)], capture_output=True, text=True)
            missing += [f"{header}: {guard}" for guard in re.findall(r"#error missing (\w+)", tried.stderr)]
        self.assertEqual(sorted(set(missing)), [])

    def guards_of_toolkit(self) -> set[str]:
        text = run([self.nvcc, "-E", "-x", "cu", "/dev/null"])
        folder = pathlib.Path(re.search(r'^# \d+ "(.*)/cuda_runtime\.h"', text, re.M)[1])
        files = [path for pattern in ("*.h", "crt/*.h", "cooperative_groups/*.h") for path in folder.glob(pattern)]
        return {guard for path in files
                for guard in re.findall(r"^\s*#\s*define\s+(\w+_[Hh]_*)\s*$", path.read_text(errors="replace"), re.M)}


if __name__ == "__main__":
    compiler = find_nvcc()
    if compiler is None:
        print("There is no nvcc here to compare with.")
        sys.exit(77)
    AsNvidias.nvcc = compiler
    unittest.main(verbosity=2)
