"""What nvcc.sh passes on of a CUDA compiler's errors, and what it says before them.

  nvcc_test.py SIMTCC
"""
from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SIMTCC = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "common"))

from command import student_file  # noqa: E402

UNCLOSED = """\
__global__ void k(int* p) {
  // TODO(1): write
  if (*p) {
    *p = 1;
  // END TODO(1)
}

void f(int* p) { k<<<1, 1>>>(p); }
"""
#: As CMake writes it.
OPTIONS = ["-forward-unknown-to-host-compiler", "-Dlab_EXPORTS", "-O3", "-DNDEBUG", "--generate-code=arch=compute_90,code=[sm_90]",
           "-Xcompiler=-fPIC", "-std=c++20", "-lineinfo", "--expt-relaxed-constexpr", "-MD", "-MT", "lab.cu.o", "-MF", "lab.cu.o.d",
           "-x", "cu", "-c"]


class Nvcc(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="warpbook-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.source = self.folder / "lab.cu"
        self.contract = self.folder / "lab.hpp"
        self.contract.write_text("void f(int* p);\n")

    def run_it(self, nvcc: str, simtcc: pathlib.Path = SIMTCC) -> subprocess.CompletedProcess:
        """Has nvcc.sh run a stand-in for nvcc, which is the text of a script."""
        compiler = self.folder / "nvcc"
        compiler.write_text(f"#!/bin/sh\n{nvcc}\n")
        os.chmod(compiler, 0o755)
        command = ["sh", ROOT / "common/cmake/nvcc.sh", simtcc, compiler, *OPTIONS[:-3], "-include", self.contract, *OPTIONS[-3:],
                   self.source, "-o", "lab.cu.o"]
        return subprocess.run(command, cwd=self.folder, text=True, capture_output=True, check=False)

    def test_the_bracket_without_a_partner_comes_before_nvccs_errors(self) -> None:
        self.source.write_text(UNCLOSED)
        words = f"{self.source}(8): error: this declaration may not have extern"
        done = self.run_it(f'echo "{words}"; exit 2')
        self.assertEqual(done.returncode, 2)
        finding = f"{self.source}:3:11: error: TODO(1) opens a {{ that nothing in it closes"
        self.assertEqual(done.stderr, f"{finding} [unbalanced]\n{words}\n")
        failure = student_file.failure_from(3, done.stderr, "lab.cu", self.folder)
        self.assertEqual((failure.diagnosis, failure.error, failure.details), (
            "compile-error", "lab.cu:3:11: error: TODO(1) opens a { that nothing in it closes",
            ["The compiler's own first error:", words.removeprefix(f"{self.folder}/")]))

    def test_of_other_errors_nvcc_speaks_alone(self) -> None:
        self.source.write_text("void f(int* p) { *p = missing; }\n")
        done = self.run_it('echo "lab.cu(1): error: no"; exit 1')
        self.assertEqual((done.returncode, done.stderr), (1, "lab.cu(1): error: no\n"))

    def test_nothing_is_said_of_what_the_simulators_headers_do_not_have_or_without_simtcc(self) -> None:
        self.source.write_text("#include <no_such_header.h>\n" + UNCLOSED)
        self.assertEqual(self.run_it('echo "error: no"; exit 1').stderr, "error: no\n")
        self.source.write_text(UNCLOSED)
        self.assertEqual(self.run_it('echo "error: no"; exit 1', self.folder / "simtcc").stderr, "error: no\n")

    def test_brackets_are_no_matter_of_a_file_that_compiles(self) -> None:
        self.source.write_text(UNCLOSED)
        done = self.run_it('echo "lab.cu(1): warning: hm"')
        self.assertEqual((done.returncode, done.stderr), (0, "lab.cu(1): warning: hm\n"))

    def test_a_lambda_of_the_device_gets_the_option_that_it_needs(self) -> None:
        self.source.write_text("int a;\n")
        done = self.run_it('case "$*" in *" --extended-lambda") exit 0 ;; esac; echo "error: needs --extended-lambda"; exit 1')
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.run_it('case "$*" in *" --extended-lambda") echo "error: no"; exit 3 ;; esac; echo "--extended-lambda"; exit 1')
        self.assertEqual((done.returncode, done.stderr), (3, "error: no\n"))


if __name__ == "__main__":
    unittest.main()
