"""Configuring for a GPU without a toolkit, or with an old one: real CMake, a fake nvcc."""
import os
import pathlib
import subprocess
import sys
import unittest

from fakes import ROOT, Scratch
from small_workbook import needs_machine

NVCC = "nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 11.8, V11.8.89"


@needs_machine
class Toolkit(Scratch):
    def configure(self, *options: str, **environment: str) -> str:
        """What CMake says where the preset cuda fails; it must fail."""
        kept = {name: value for name, value in os.environ.items() if name not in ("CUDACXX", "CUDA_HOME", "CUDA_PATH")}
        command = ["cmake", "--preset", "cuda", "-B", str(self.folder / "build"), f"-DPython3_EXECUTABLE={sys.executable}"]
        done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=False,
                              env={**kept, **environment})
        self.assertNotEqual(done.returncode, 0, done.stdout)
        return " ".join(done.stderr.split())

    def test_without_nvcc_it_says_what_to_install_and_what_does_without(self):
        folders = {str(pathlib.Path(folder)) for folder in os.environ["PATH"].split(":")} | {"/usr/local/cuda/bin"}
        hidden = ";".join(folder for folder in sorted(folders) if os.path.exists(f"{folder}/nvcc"))
        said = self.configure(f"-DCMAKE_IGNORE_PATH={hidden}")
        self.assertIn("No nvcc was found", said)
        self.assertIn("install the CUDA toolkit 12.4 or newer", said)
        self.assertIn("The preset `sim` needs no toolkit at all.", said)

    def test_an_old_toolkit_is_named_with_its_version(self):
        said = self.configure(CUDACXX=str(self.answering("nvcc", NVCC)))
        self.assertIn("Warpbook needs the CUDA toolkit 12.4 or newer", said)
        self.assertIn("is 11.8.", said)

    def test_a_cxx_compiler_that_is_too_old_is_named_with_both_versions(self):
        said = self.configure("-DCMAKE_CXX_COMPILER_ID_RUN=1", "-DCMAKE_CXX_COMPILER_ID=GNU",
                              "-DCMAKE_CXX_COMPILER_VERSION=10.2.1", "-DCMAKE_CXX_COMPILER_FORCED=1")
        self.assertIn("Warpbook needs g++ 11 or clang++ 14, or newer", said)
        self.assertIn("is GNU 10.2.1.", said)

    def test_a_compiler_that_is_not_there_is_named(self):
        said = self.configure(CUDACXX="/nowhere/nvcc")
        self.assertIn("/nowhere/nvcc cannot be run", said)


if __name__ == "__main__":
    unittest.main()
