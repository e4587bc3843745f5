"""`simtcc --program`, `simtrun` and the cache of `./warpbook sim`, with the real tools.

The environment names them: SIMTCC, SIMTRUN, CXX for the compiler, and PRECOMPILED for the folder with the build's precompiled
headers of the simulator.
"""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from command import cli, sim  # noqa: E402
from command.problem import Problem  # noqa: E402

SIMTCC, SIMTRUN, CXX, PRECOMPILED = (os.environ[name] for name in ("SIMTCC", "SIMTRUN", "CXX", "PRECOMPILED"))

PROGRAM = """\
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
__global__ void fill(int* data, int n) {
  int i = threadIdx.x;
  if (i < n) data[i] = i;  // the only line that stores
}
int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  int* numbers;
  cudaMalloc(&numbers, 32 * sizeof(int));
  fill<<<1, 64>>>(numbers, strcmp(how, "beyond") == 0 ? 33 : 32);
  printf("%s says %s\\n", argv[0], how);
  if (strcmp(how, "exit") == 0) exit(3);
  if (strcmp(how, "quick") == 0) { fflush(stdout); quick_exit(4); }
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "throw") == 0) throw std::runtime_error("lost");
  if (strcmp(how, "read") == 0) return numbers[2];
  if (strcmp(how, "crash") == 0) *reinterpret_cast<volatile int*>(8) = 1;
  return strcmp(how, "seven") == 0 ? 7 : 0;
}
"""


#: Each kernel is launched ten times. What it does is said by its name.
REPEATS = """\
#include <cstdio>
#include <cstring>
constexpr int n = 1 << 14;
__device__ int turns;
__global__ void scale(const float* in, float* out, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = by * in[i];
}
__global__ void increment(float* data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void count() { atomicAdd(&turns, 1); }
__global__ void fill_and_print(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1;
  if (i == 0) printf("printed\\n");
}
__global__ void race(float* out) { out[0] = blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void use_leftovers(float* left, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = left[i];
  left[i] += i + 1;
}
__global__ void approach(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] < 500 ? in[i] + 20 : 520;
}
__global__ void beyond(float* out) { out[n + blockIdx.x] = 1; }
int main(int, char** argv) {
  static float numbers[n];
  float *in, *out, *unwritten;
  cudaMalloc(&unwritten, sizeof numbers);
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof numbers);
  for (int i = 0; i < n; ++i) numbers[i] = i % 100;
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyDefault);
  const auto is = [how = argv[1]](const char* what) { return strcmp(how, what) == 0; };
  for (int turn = 0; turn < (is("settles") ? 50 : 10); ++turn) {
    if (is("settles")) turn % 2 ? approach<<<n / 256, 256>>>(out, in) : approach<<<n / 256, 256>>>(in, out);
    if (is("in-place") || is("same")) scale<<<n / 256, 256>>>(in, out, 2);
    if (is("in-place") || is("accumulates")) increment<<<n / 256, 256>>>(is("in-place") ? out : in);
    if (is("argument")) scale<<<n / 256, 256>>>(in, out, turn);
    if (is("variable")) count<<<n / 256, 256>>>();
    if (is("prints")) fill_and_print<<<n / 256, 256>>>(out);
    if (is("races")) race<<<n / 256, 256>>>(out);
    if (is("unwritten")) scale<<<n / 256, 256>>>(unwritten, out, 2);
    if (is("leftovers")) {
      float* left;
      cudaMallocAsync(&left, sizeof numbers, 0);
      use_leftovers<<<n / 256, 256>>>(left, out);
      cudaFreeAsync(left, 0);
    }
    if (is("beyond")) beyond<<<n / 256, 256>>>(out);
    if (is("input") || is("late-input")) {
      scale<<<n / 256, 256>>>(in, out, 2);
      if (is("input") || turn == 6) {
        numbers[7] = turn;
        cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyDefault);
      }
    }
  }
  float sum = 0;
  int seen = 0;
  cudaMemcpy(numbers, is("accumulates") ? in : out, is("variable") ? 0 : sizeof numbers, cudaMemcpyDefault);
  cudaMemcpyFromSymbol(&seen, turns, sizeof seen);
  for (float number : numbers) sum += number;
  printf("%g %g %d\\n", sum, numbers[7], seen);
}
"""


class Programs(unittest.TestCase):
    folders: dict[str, pathlib.Path] = {}  # of programs that are built once

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="warpbook-program-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name: str, text: str) -> pathlib.Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def built_once(self, text: str, *options: str, name: str = "program.cu") -> None:
        """For a program that several tests run, all in one folder."""
        if text not in self.folders:
            folder = tempfile.TemporaryDirectory(prefix="warpbook-program-")
            unittest.addModuleCleanup(folder.cleanup)
            self.folder = self.folders[text] = pathlib.Path(folder.name)
            self.built(text, *options, name=name)
        self.folder = self.folders[text]

    def compile(self, *arguments: str) -> subprocess.CompletedProcess:
        return self.compile_alone("--precompiled", PRECOMPILED, *arguments)

    def compile_alone(self, *arguments: str) -> subprocess.CompletedProcess:
        """Without precompiled headers, which other options would need their own of."""
        return subprocess.run([SIMTCC, "--program", "--cxx", CXX, "-o", "program.so", *arguments], cwd=self.folder, text=True,
                              capture_output=True, check=False)

    def built(self, text: str, *options: str, name: str = "program.cu") -> None:
        self.write(name, text)
        done = self.compile(*options, name)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def report(self, *words: str) -> dict:
        """Of a run of program.so with these options and arguments."""
        done = subprocess.run([SIMTRUN, "--json", *words], cwd=self.folder, text=True, capture_output=True, check=False)
        return json.loads(done.stdout)

    def refused(self, text: str, sentence: str, *options: str, name: str = "program.cu") -> None:
        self.write(name, text)
        done = self.compile(*options, name)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(sentence, done.stderr)
        self.assertLess(done.stderr.count("\n"), 8, done.stderr)  # a sentence, not a compiler's page

    def run_program(self, *arguments: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
        return subprocess.run([SIMTRUN, *options, "program.so", *arguments], cwd=self.folder, text=True,
                              capture_output=True, check=False)


class Waiting(Programs):
    """What a program does not wait for."""

    PROGRAM = """\
#include <cstdio>
#include <cstring>
__global__ void hello() { printf("hello\\n"); }
__global__ void silent() {}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  cudaEvent_t start, stop;
  cudaEventCreate(&start), cudaEventCreate(&stop);
  cudaEventRecord(start);
  if (is("silent")) silent<<<1, 1>>>();
  else hello<<<1, 2>>>();
  cudaEventRecord(stop);
  if (is("lost") || is("silent")) return 0;
  if (is("asked")) while (cudaStreamQuery(0) == cudaErrorNotReady) {}
  if (is("waited")) cudaDeviceSynchronize();
  if (is("freed")) { void* memory; cudaMalloc(&memory, 4); cudaFree(memory); }
  if (is("reset")) cudaDeviceReset();
  if (is("time") || is("right time")) {
    float milliseconds = -1;
    if (is("right time")) cudaEventSynchronize(stop);
    printf("%s\\n", cudaGetErrorName(cudaEventElapsedTime(&milliseconds, start, stop)));
    cudaEventSynchronize(stop);
  }
}
"""

    def setUp(self) -> None:
        self.built_once(self.PROGRAM)

    def test_output_that_nobody_waits_for_is_lost_on_a_device(self):
        for how in ("lost", "asked"):  # as an H200 does it
            with self.subTest(how):
                done = self.run_program(how, options=("--no-counters",))
                self.assertEqual((done.returncode, done.stdout), (99, "hello\nhello\n"))
                self.assertIn("error: unfinished-work\n  The program ends without having waited for a kernel that prints.", done.stderr)
                self.assertIn("- host code launches hello\n      program.cu:11 | else hello<<<1, 2>>>();", done.stderr)
        for how in ("silent", "waited", "freed", "reset"):
            with self.subTest(how):
                done = self.run_program(how, options=("--no-counters",))
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_events_have_times_when_someone_has_waited_for_them(self):
        for how, answer in (("time", "cudaErrorNotReady"), ("right time", "cudaSuccess")):
            with self.subTest(how):
                done = self.run_program(how, options=("--no-counters",))
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"hello\nhello\n{answer}\n", ""))


class Running(Programs):
    def setUp(self) -> None:
        self.built_once(PROGRAM)

    def test_status_and_output_are_the_programs_own(self):
        done = self.run_program("seven", "more", options=("--name=./mine",))
        self.assertEqual((done.returncode, done.stdout), (7, "./mine says seven\n"))

    def test_counters_stand_on_stderr_by_kernel_and_by_line(self):
        done = self.run_program()
        self.assertEqual(done.returncode, 0)
        self.assertIn("fill: 1 launch of 1 block of 64 threads", done.stderr)
        self.assertRegex(done.stderr, r"global stores +1 requests, +4 sectors \(4\.00 per request, 100 % of the bytes used")
        self.assertIn("program.cu:7 | if (i < n) data[i] = i;  // the only line that stores", done.stderr)
        self.assertEqual(self.run_program(options=("--no-counters",)).stderr, "")
        self.assertNotIn("program.cu:7", self.run_program(options=("--no-lines",)).stderr)

    def test_a_diagnostic_makes_status_99_and_names_the_allocation(self):
        done = self.run_program("beyond")
        self.assertEqual(done.returncode, 99)
        self.assertIn("error: out-of-bounds in kernel fill", done.stderr)
        self.assertIn("numbers, which has 32 elements (as an index: numbers[32])", done.stderr)

    def test_the_report_comes_however_the_program_ends(self):
        for how, status in (("exit", 3), ("quick", 4), ("abort", -signal.SIGABRT), ("throw", -signal.SIGABRT),
                            ("crash", -signal.SIGSEGV)):
            with self.subTest(how):
                done = self.run_program(how)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertEqual(done.stderr.count("fill: 1 launch"), 1)
                self.assertIn(f"says {how}", done.stdout)

    def test_host_code_that_reads_device_memory_is_diagnosed(self):
        done = self.run_program("read")
        self.assertIn("device-pointer-on-host", done.stderr)
        self.assertIn("numbers[2]", done.stderr)

    def test_json_is_one_document_with_the_programs_output_in_it(self):
        done = self.run_program("beyond", options=("--json", "--schedule=random", "--seed=5"))
        self.assertEqual((done.returncode, done.stderr), (99, ""))
        report = json.loads(done.stdout)
        self.assertEqual((report["status"], report["schedule"], report["seed"]), (0, "random", 5))
        self.assertIn("says beyond", report["output"])
        self.assertEqual(report["kernels"][0]["lines"][0]["line"], 7)
        self.assertEqual(report["kernels"][0]["counters"]["global_store_requests"], 2)
        self.assertEqual(report["diagnostics"][0]["id"], "out-of-bounds")
        self.assertEqual(report["diagnostics"][0]["participants"][0]["line"], 7)
        self.assertEqual(json.loads(self.run_program("abort", options=("--json",)).stdout)["signal"], "Aborted")

    def test_options_that_make_no_sense_are_status_2(self):
        for options, sentence in ((("--schedule=sideways",), "sideways not in"), (("--seed=x",), "--seed"),
                                  (("--loud",), "unknown option --loud"), (("--steps=0",), "--steps"), (("--memory=0",), "--memory")):
            done = self.run_program(options=options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(sentence, done.stderr)
        done = subprocess.run([SIMTRUN, "none.so"], text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("none.so is missing", done.stderr)

    def test_the_device_has_as_much_memory_as_is_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            self.built("#include <cstdio>\nint main() { void* p; cudaDeviceProp d; cudaGetDeviceProperties(&d, 0);\n"
                       "std::printf(\"%zu MiB\\n\", d.totalGlobalMem >> 20); cudaMalloc(&p, size_t{3} << 30); }\n")
            done = self.run_program()
            self.assertEqual((done.returncode, done.stdout), (0, "81920 MiB\n"))
            done = self.run_program(options=("--memory=1024",))
            self.assertEqual((done.returncode, done.stdout), (99, "1024 MiB\n"))
            self.assertIn("the simulated device has 1024 MiB", done.stderr)

    #: Calls that fail, or do other than is meant: way -> status, and what is said (nothing, where the program asks itself).
    CALLS = {
        "cudaMemcpy(d, h, 64, cudaMemcpyDeviceToHost)": (99, "it reads memory of the device, but its second argument is memory of the host"),
        "cudaMemcpy(h, d, 64, cudaMemcpyHostToDevice)": (99, "it writes memory of the device, but its first argument is memory of the host"),
        "if (h[0] == 1) ::cudaMemcpy(h, h, 64, cudaMemcpyHostToDevice)": (99, "its first argument is memory of the host"),
        "for (int i = 0; i < 2; ++i) cudaMemcpyAsync(h, h, 64, cudaMemcpyDeviceToHost)": (99, "its second argument is memory of the host"),
        "cudaMemcpyToSymbol(&taps, h, 64)": (99, "it takes the variable itself, and is given its address"),
        'cudaMemcpyToSymbol("taps", h, 64)': (99, "is given its name as text"),
        "cudaMemcpyToSymbol(taps, h, 128)": (99, "it is to use more bytes than taps has, which is 64 bytes"),
        "cudaMemcpyFromSymbol(h, h[0], 4)": (99, "its symbol is no variable of the device"),
        "cudaMemcpy(d + 4, h, 64, cudaMemcpyHostToDevice)": (99, "it is to use 64 bytes, and d has 48 bytes from there on"),
        "cudaMemset(&d, 0, 64)": (99, "itself: `p`, and not `&p`"),
        "cudaMemset(none, 0, 64)": (99, "it is given a null pointer"),
        "cudaMalloc(&none, size_t{1} << 50)": (99, "cudaMalloc cannot give 1,125,899,906,842,624 bytes"),
        "cudaMallocHost(&none, 64); cudaFreeHost(none); cudaFreeHost(none)": (99, "it is given none, which has been freed before"),
        "cudaMallocHost(&none, 64); cudaFree(none)": (99, "which is page-locked memory of the host"),
        "cudaSetDevice(7)": (99, "cudaSetDevice fails with cudaErrorInvalidDevice"),
        "cudaMemset(d, 1000, 64)": (99, "1000 does not fit into one: each byte becomes 232"),
        "cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice); add<<<1, 16>>>(d)": (99, "cudaMemcpy has written 16 of the 64 bytes"),
        "add<<<taps_left - 1, 16>>>(d)": (99, "a number that is below 0 as an int gets that large"),
        "add<<<dim3(1, 65536), 16>>>(d)": (99, "put the longest dimension into x"),
        "cudaMemset(d, 0x3f3f3f3f, 64)": (0, ""),
        "cudaMemset(d, -1, 64)": (0, ""),
        "if (cudaMalloc(&none, size_t{1} << 50) != cudaSuccess) return 3": (3, ""),
        "cudaMemcpy(h, d, 64, cudaMemcpyHostToDevice); if (cudaGetLastError() != cudaSuccess) return 4": (4, ""),
        "const cudaError_t error = cudaMemcpy(h, d, 64, cudaMemcpyHostToDevice); return error": (1, ""),
        "return cudaMemcpy(h, d, 64, cudaMemcpyHostToDevice)": (1, ""),
        # As on a GPU, where memory of the device serves in the place of the host's.
        "cudaMemcpy(d, d, 32, cudaMemcpyHostToDevice)": (0, ""),
        "cudaMemcpyToSymbol(table, d, sizeof d)": (0, ""),
        "(void)cudaMemcpy(h, d, 64, cudaMemcpyHostToDevice)": (0, ""),
        "own::cudaFree(1)": (0, ""),
    }

    def test_a_call_that_fails_and_that_no_code_asks_about_is_heard(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            self.built("__constant__ float taps[16];\n__device__ float* table;\n__global__ void add(float* p) { p[threadIdx.x] += taps[0]; }\n"
                       "namespace own { void cudaFree(int) {} void call() { cudaFree(2); } }\n"
                       "int main(int, char** words) { float h[16] = {1}, *d, *none = nullptr; int taps_left = 0; cudaMalloc(&d, 64);\n"
                       "  switch (atoi(words[1])) {\n" + "".join(f"  case {i}: {{ {call}; break; }}\n" for i, call in enumerate(self.CALLS))
                       + "  }\n  return 0; }\n", "-w")
            for i, (call, (status, words)) in enumerate(self.CALLS.items()):
                with self.subTest(call):
                    done = self.run_program(str(i), options=("--no-counters",))
                    self.assertEqual(done.returncode, status, done.stderr)
                    if words:
                        self.assertIn(words, done.stderr)
                        self.assertIn(f"case {i}:", done.stderr)
                    else:
                        self.assertEqual(done.stderr, "")

    def test_a_kernel_that_never_ends_ends_by_its_steps(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            self.built("__global__ void k(int* p) { for (unsigned i = 0;; ++i) p[i % 4] = i; }\n"
                       "int main() { int* p; cudaMalloc(&p, 16); k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }\n")
            done = self.run_program(options=("--steps=100000",))
            self.assertEqual(done.returncode, 702 % 256)
            self.assertIn("step-budget", done.stderr)

    def test_a_large_grid_is_no_endless_loop(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            self.built("__global__ void k(int* p, long long* c) { if (threadIdx.x == 0) p[blockIdx.x] = 1; if (blockIdx.x % 1000 == 0 && threadIdx.x == 0) c[blockIdx.x / 1000] = clock64(); }\n"
                       "int main() { int* p; long long* c; cudaMallocManaged(&p, 4 * 4000); cudaMallocManaged(&c, 32); k<<<4000, 32>>>(p, c);"
                       " return cudaDeviceSynchronize() != 0 || c[3] < 3000; }\n")
            done = self.run_program(options=("--steps=500", "--no-counters"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_thread_that_waits_for_a_time_gets_there(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            self.built("__global__ void wait(long long ticks, long long* waited) {\n"
                       "  const long long start = clock64();\n"
                       "  long long passed = 0;\n"
                       "  while (passed < ticks) passed = clock64() - start;\n"
                       "  waited[threadIdx.x] = passed;\n"
                       "}\n"
                       "__global__ void wait_in_words(clock_t ticks) {\n"
                       "  const unsigned start = clock();\n"
                       "  while (clock() - start < ticks) {}\n"
                       "}\n"
                       "int main() {\n"
                       "  long long* waited;\n"
                       "  cudaMallocManaged(&waited, 64 * sizeof *waited);\n"
                       "  wait<<<1, 64>>>(20'000'000'000, waited);\n"
                       "  wait_in_words<<<2, 64>>>(2'000'000'000);\n"
                       "  if (cudaDeviceSynchronize() != cudaSuccess) return 1;\n"
                       "  for (int i = 0; i < 64; ++i)\n"
                       "    if (waited[i] < 20'000'000'000) return 2;\n"
                       "  return 0;\n"
                       "}\n")
            done = self.run_program()
            self.assertEqual((done.returncode, done.stderr.count("error:")), (0, 0), done.stderr)

    def test_a_function_that_ends_without_its_return_runs_into_nothing_else(self):
        for compiler in filter(None, (CXX, shutil.which("clang++"))):
            with tempfile.TemporaryDirectory() as folder, self.subTest(compiler):
                self.folder = pathlib.Path(folder)
                self.built("#include <cstdio>\n"
                           "__device__ int low(int i) { if (i > 1000) return 1; }\n"
                           "__global__ void k(int* p) { low(threadIdx.x); p[threadIdx.x] = threadIdx.x; }\n"
                           "int check(int* p) { for (int i = 0; i < 32; ++i) if (p[i] != i) { printf(\"wrong\\n\"); return 1; } printf(\"right\\n\"); }\n"
                           "int main() { int* p; cudaMallocManaged(&p, 128); k<<<1, 32>>>(p); cudaDeviceSynchronize(); check(p); return 0; }\n",
                           "-w", "--cxx", compiler)
                done = self.run_program(options=("--no-counters",))
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "right\n", ""))

    @unittest.skipIf(shutil.which("g++") is None, "clang++ makes nothing of such code")
    def test_code_that_is_marked_as_impossible_is_named_where_it_is_reached(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            self.built("__global__ void k(int* p, int n) { switch (n) { case 1: *p = 2; break; default: __builtin_unreachable(); } }\n"
                       "int main(int n, char**) { int* p; cudaMallocManaged(&p, 4); k<<<1, 1>>>(p, n + 1); return cudaDeviceSynchronize() == 0; }\n",
                       "--cxx", "g++")
            done = self.run_program(options=("--no-counters",))
            self.assertEqual(done.returncode, 99)
            self.assertIn("impossible-code", done.stderr)

    def test_a_null_pointer_is_called_one_whatever_is_done_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            self.built("__global__ void reads(const int* p, int* q) { if (p[threadIdx.x] == 3) *q = 1; }\n"
                       "__global__ void updates(int* p) { p[threadIdx.x] += 2; }\n"
                       "int main() { reads<<<1, 8>>>(nullptr, nullptr); cudaDeviceSynchronize(); cudaDeviceReset();\n"
                       "  updates<<<1, 8>>>(nullptr); return cudaDeviceSynchronize() == 0; }\n")
            done = self.run_program(options=("--no-counters",))
            self.assertEqual(done.stderr.count("A thread reads 4 bytes through a null pointer (address 0x0)."), 2, done.stderr)
            self.assertNotIn("crash-in-kernel", done.stderr)

    LONG = ("#include <csignal>\n#include <cstdio>\n#include <cstring>\n"
            "__global__ void work(float* p, int rounds) { float s = 0; for (int i = 0; i < rounds; ++i) s += p[(i * 7 + threadIdx.x) % 1024]; "
            "if (s == 42) p[0] = s; }\n"
            "int main(int, char** a) { float* p; cudaMalloc(&p, 4096); cudaMemset(p, 0, 4096);\n"
            "  printf(\"begun\\n\"); fflush(stdout);\n"
            "  if (!strcmp(a[1], \"blocks\")) work<<<10000000, 64>>>(p, 1000);\n"
            "  if (!strcmp(a[1], \"one\")) work<<<1, 64>>>(p, 1 << 30);\n"
            "  if (!strcmp(a[1], \"launches\")) for (;;) work<<<8, 64>>>(p, 4000);\n"
            "  if (!strcmp(a[1], \"between\")) { for (int i = 0; i < 20; ++i) work<<<8, 64>>>(p, 20000 + i);\n"
            "    raise(SIGTERM); }\n"
            "  volatile long n = 0; if (!strcmp(a[1], \"host\")) for (;;) n = n + 1;\n"
            "  return cudaDeviceSynchronize(); }\n")

    def test_a_program_over_its_limit_says_how_far_it_has_come(self):
        self.built_once(self.LONG)
        for how, words in (("blocks", r"limit of 0\.5 s is over after [\d.]+ s, in kernel work \(program\.cu:7\)\. [\d,]+ of its 10,000,000 blocks are "
                                      r"done after [\d.]+ s, and all would take [\d.]+ (min|hours)\. Give the program a smaller size: about [\d,]+ blocks"),
                           ("one", r"in kernel work \(program\.cu:8\)\. None of its 1 block is done after"),
                           ("launches", r"(in|after) launch [\d,]+ of kernel work \(program\.cu:9\)\. The launches (before it|from there) have taken [\d.]+ s, and about "
                                        r"[\d,]+ launch(es)? ends? in 5\.0 s: give the program fewer rounds"),
                           ("host", r"in code of the host; kernels have taken 0\.0 s of them")):
            with self.subTest(how):
                done = self.run_program(how, options=("--limit=0.5",))
                self.assertEqual((done.returncode, done.stdout), (124, "begun\n"))
                self.assertRegex(done.stderr, words)
                self.assertNotIn("error:", done.stderr)
        done = self.run_program("blocks", options=("--limit=0.5", "--json"))
        document = json.loads(done.stdout)
        self.assertEqual((done.returncode, document["output"], document["diagnostics"]), (124, "begun\n", []))
        self.assertIn("of its 10,000,000 blocks are done", document["stopped"])
        self.assertGreater(document["kernels"][0]["counters"]["global_load_requests"], 1000)

    def test_a_program_stopped_between_two_launches_names_the_loop_that_took_the_time(self):
        self.built_once(self.LONG)
        done = self.run_program("between", options=("--no-counters",))
        self.assertEqual((done.returncode, done.stdout), (-signal.SIGTERM, "begun\n"))
        self.assertRegex(done.stderr, r"terminated after [\d.]+ s, after launch 20 of kernel work \(program\.cu:10\)\. The launches from there "
                                      r"have taken [\d.]+ s, and about [\d,]+ launch(es)? ends? in 5\.0 s: give the program fewer rounds")

    def test_an_interrupted_program_has_a_report_and_dies_of_the_signal(self):
        self.built_once(self.LONG)
        for how in ("blocks", "host"):
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(how, number=number):
                    program = subprocess.Popen([SIMTRUN, "program.so", how], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                               stderr=subprocess.PIPE)
                    self.assertEqual(program.stdout.readline(), "begun\n")
                    time.sleep(0.1)
                    program.send_signal(number)
                    _, errors = program.communicate(timeout=30)
                    self.assertEqual(program.returncode, -number)
                    self.assertRegex(errors, ("interrupted" if number == signal.SIGINT else "terminated") + r" after [\d.]+ s, in ")

    def test_many_launches_share_a_record(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            self.built("__global__ void k(int* p) { ++*p; }\n"
                       "int main() { int* p; cudaMallocManaged(&p, 4); for (int i = 0; i < 500; ++i) k<<<1, 1>>>(p); cudaDeviceSynchronize(); "
                       "return *p != 500; }\n")
            done = self.run_program()
            self.assertEqual(done.returncode, 0)
            self.assertIn("k: 500 launches of 1 block of 1 thread\n", done.stderr)
            self.assertEqual(done.stderr.count("k: "), 1)


THREADS = """\
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
__global__ void beyond(int* a) { a[threadIdx.x + 1] = 1; }
__device__ int deep(int n, volatile int* p) {
  volatile char big[4096];
  big[0] = p[0] = n;
  return n == 0 ? big[0] : deep(n - 1, p) + big[0];
}
__global__ void overflow(int* a, int n) { a[0] = deep(n, a); }
__global__ void endless(int* out, unsigned odd) {
  int r = 0;
  for (unsigned i = 0; i != odd; ++r) i = i * 4 + 2;
  *out = r;
}
__global__ void works_on(volatile int* p) { for (;;) p[0] = p[0] + 1; }
int main(int, char** argv) {
  const char* how = argv[1];
  std::thread thread([how] {
    int* a;
    cudaMalloc(&a, 32 * sizeof(int));
    if (!strcmp(how, "beyond")) beyond<<<1, 32>>>(a);
    if (!strcmp(how, "overflow")) overflow<<<1, 1>>>(a, 100000);
    if (!strcmp(how, "endless")) endless<<<1, 1>>>(a, 1);
    if (!strcmp(how, "exit")) works_on<<<1, 1>>>(a);
    if (!strcmp(how, "read")) a[0] = 1;
    cudaDeviceSynchronize();
  });
  if (!strcmp(how, "exit")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    exit(3);
  }
  thread.join();
}
"""


class Repeating(Programs):
    def test_a_launch_that_would_repeat_an_earlier_one_is_spared_and_nothing_shows_it(self) -> None:
        self.built_once(REPEATS)
        # Of ten launches the first two run. Of "in-place" there are ten of each of two kernels, and the second one changes what
        # the first one has written. After a late change of the input the next two run again. Reads of memory that was never written
        # are counted once more. What has changed memory for long is looked at less often: the 16th and 17th launch of each of two.
        for how, spared in {"same": 8, "in-place": 16, "late-input": 6, "unwritten": 8, "settles": 18, "accumulates": 0, "argument": 0, "variable": 0,
                            "prints": 0, "races": 0, "beyond": 0, "leftovers": 0, "input": 0}.items():
            with self.subTest(how):
                each = self.report("--every-launch", "program.so", how)
                some = self.report("program.so", how)
                self.assertEqual((each.pop("spared_launches"), some.pop("spared_launches")), (0, spared))
                self.assertEqual(some, each)

    def test_under_a_random_schedule_and_with_a_trace_no_launch_is_spared(self) -> None:
        self.built_once(REPEATS)
        for options in (["--schedule=random"], ["--trace=file.trace"]):
            self.assertEqual(self.report(*options, "program.so", "same")["spared_launches"], 0)


class Unwritten(Programs):
    PROGRAM = """\
#include <cstdlib>
struct alignas(8) Pair { float first, second; };
__global__ void rows(float* a, float* out) { out[threadIdx.x] = a[threadIdx.x]; }
__global__ void columns(float* a, float* out) { out[threadIdx.x] = a[threadIdx.x * 32]; }
__global__ void in_place(float* a, float*) { a[threadIdx.x] += 1; }
__global__ void twice(float* a, float* out) {
  for (int i = 0; i < 2; ++i) out[threadIdx.x] += a[threadIdx.x];
}
__global__ void write_between(float* a, float* out) {
  for (int i = 0; i < 2; ++i) {
    out[threadIdx.x] += a[threadIdx.x];
    if (threadIdx.x == 40) a[48] = 1;
  }
}
__global__ void pairs(float* a, float* out) {
  if (threadIdx.x % 2) a[2 * threadIdx.x] = 1;
  const Pair pair = reinterpret_cast<Pair*>(a)[threadIdx.x];
  out[threadIdx.x] = pair.first;
}
__global__ void vectors(float* a, float* out) {
  if (threadIdx.x % 2) a[2 * threadIdx.x] = 1;
  const float2 pair = reinterpret_cast<float2*>(a)[threadIdx.x];
  out[threadIdx.x] = pair.x;
}
__global__ void from_two(float* a, float* out) {
  for (int i = 0; i < 4; ++i) out[threadIdx.x] += (i % 2 ? a : a + 4096)[threadIdx.x];
}
__global__ void some_lanes(float* a, float* out) {
  if (threadIdx.x % 4 == 1) out[threadIdx.x] = a[threadIdx.x];
}
int main(int, char** argv) {
  float *a, *out;
  cudaMalloc(&a, 8192 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(out, 0, 256 * sizeof(float));
  void (*kernels[])(float*, float*) = {rows, columns, in_place, twice, write_between, pairs, vectors, from_two, some_lanes};
  kernels[atoi(argv[1])]<<<1, 64>>>(a, out);
  kernels[atoi(argv[1])]<<<1, 64>>>(a, out);
  cudaFree(a);
  kernels[atoi(argv[1])]<<<1, 64>>>(a, out);
}
"""

    def test_each_read_of_memory_that_was_never_written_is_counted(self) -> None:
        self.built_once(self.PROGRAM)
        for kernel, times in enumerate((128, 128, 64, 256, 252, 64, 128, 512, 32)):
            with self.subTest(kernel):
                found = self.report("program.so", str(kernel))["diagnostics"]
                self.assertEqual([finding["count"] for finding in found if finding["id"] == "uninitialised-read"], [times])
                self.assertIn("use-after-free", [finding["id"] for finding in found])


class Threads(Programs):
    def test_mistakes_in_what_a_thread_of_the_host_launches_are_found(self):
        self.built_once(THREADS)
        for how, found in (("beyond", "error: out-of-bounds in kernel beyond"), ("overflow", "error: stack-overflow in kernel overflow"),
                           ("endless", "error: step-budget in kernel endless"), ("read", "error: device-pointer-on-host\n")):
            with self.subTest(how):
                done = self.run_program(how)
                self.assertEqual(done.returncode, 99)
                self.assertIn(found, done.stderr)

    def test_a_program_that_ends_while_a_thread_runs_a_kernel_says_so(self):
        self.built_once(THREADS)
        done = self.run_program("exit")
        self.assertEqual(done.returncode, 3)
        self.assertIn("the program has ended while another of its threads was running a kernel", done.stderr)


class OpenMP(Programs):
    PROGRAM = """\
#include <cstdio>
{include}
__global__ void fill(int* part, int value) {{ part[threadIdx.x] = value; }}
int main() {{
  const int parts = 4, n = 64;
  int* filled;
  cudaMallocManaged(&filled, parts * n * sizeof(int));
  for (int i = 0; i < parts * n; ++i) filled[i] = 0;
{begin}
  {{
    fill<<<1, n>>>(filled + {number} * n, {number} + 1);
    cudaDeviceSynchronize();
  }}
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < parts * n; ++i) sum += filled[i];
  printf("%d\\n", sum);
}}
"""
    BY_NUMBER = PROGRAM.format(include="#include <omp.h>", number="omp_get_thread_num()",
                               begin="omp_set_num_threads(parts);\n#pragma omp parallel")
    BY_TASKS = PROGRAM.format(include="", number="t", begin="#pragma omp parallel for num_threads(parts)\nfor (int t = 0; t < parts; ++t)")

    def prints(self, sum_of_all: str) -> None:
        done = self.run_program(options=("--no-counters",))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, sum_of_all + "\n", ""))

    with_gxx = unittest.skipIf("clang" in pathlib.Path(CXX).resolve().name, "needs g++, which brings a library for OpenMP")

    @with_gxx
    def test_a_team_has_as_many_threads_as_it_is_to_have(self) -> None:
        for text, options in ((self.BY_NUMBER, ()), (self.BY_NUMBER, ("-Xcompiler", "-fopenmp,-Wall")), (self.BY_TASKS, ("-Xcompiler=-fopenmp",)),
                              (self.BY_TASKS, ())):  # nvcc alone passes over the directives
            with self.subTest(text, options=options):
                self.built(text, *options)
                self.prints("640")

    @with_gxx
    def test_host_code_in_c_has_it_too(self) -> None:
        self.write("team.c", "#include <omp.h>\nint team(void) {\n  int size = 0;\n#pragma omp parallel num_threads(3)\n"
                             "  if (omp_get_thread_num() == 2) size = omp_get_num_threads();\n  return size;\n}\n")
        self.write("program.cu", "extern \"C\" int team(void);\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return team(); }\n")
        done = self.compile("program.cu", "team.c")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.run_program().returncode, 3)

    def test_a_compiler_without_it_ends_a_program_that_asks_for_a_team(self) -> None:
        clang = shutil.which("clang++")
        if not clang or pathlib.Path(subprocess.run([clang, "-print-file-name=libomp.so"], text=True, capture_output=True,
                                                    check=True).stdout.strip()).is_absolute():
            self.skipTest("needs a clang++ without libomp")
        self.write("program.cu", self.BY_NUMBER)
        done = self.compile_alone("--cxx", clang, "program.cu")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.run_program(options=("--no-counters",))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("asks OpenMP for 4 threads, and this compiler has no OpenMP", done.stderr)


class LoadingCode(Programs):
    SOURCES = pathlib.Path(__file__).resolve().parent / "run_time"

    def setUp(self) -> None:
        self.built_once((self.SOURCES / "loads.cpp").read_text(), name="loads.cpp")
        self.write("image.cu", (self.SOURCES / "image.cu").read_text())

    def image(self, *words: str) -> None:
        done = subprocess.run([SIMTCC, *words, "--cxx", CXX, "-arch=sm_90", "--precompiled", PRECOMPILED, "-o", "image.bin",
                               "image.cu"], cwd=self.folder, text=True, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_modules_and_libraries_that_simtcc_has_built_are_loaded(self):
        self.image("--fatbin")
        done = self.run_program("image.bin", options=("--no-counters",))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "all is well\n", ""))

    def test_a_finding_names_the_line_of_the_loaded_source(self):
        self.image("-ptx")
        done = self.run_program("image.bin", "beyond", options=("--no-counters",))
        self.assertIn("error: out-of-bounds in kernel fill", done.stderr)
        self.assertIn("image.cu:19 | if (i <= n) out[i] = i; // one too many", done.stderr)

    def test_code_for_a_gpu_is_refused_in_a_sentence(self):
        done = self.run_program("text", options=("--no-counters",))
        self.assertEqual(done.returncode, 99)
        self.assertIn("error: unsupported\n  The program loads code for a GPU", done.stderr)
        self.assertIn("simtcc --fatbin", done.stderr)

    def test_several_images_are_refused_in_a_sentence(self):
        self.image("--cubin")
        done = self.run_program("image.bin", "twice", options=("--no-counters",))
        self.assertIn("error: unsupported\n  The program links several images", done.stderr)
        self.assertIn("loads.cpp:", done.stderr)

    def test_a_source_is_compiled_at_run_time(self):
        self.built_once((self.SOURCES / "compiled.cu").read_text(), "-lnvrtc", "-lcuda", name="compiled.cu")
        done = self.run_program(options=("--no-counters",))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "all values are right\n", ""))


class Building(Programs):
    KERNEL = "__global__ void k() {}\n"
    MAIN = KERNEL + "int main() { k<<<1, 1>>>(); }\n"

    def test_parts_of_the_toolkit_that_are_not_simulated_are_refused_in_a_sentence(self):
        for header, sentence in (("thrust/device_vector.h", "Thrust and CUB are not simulated"),
                                 ("cub/cub.cuh", "Thrust and CUB are not simulated"),
                                 ("cublas_v2.h", "code for a GPU and is not simulated"),
                                 ("curand_mtgp32_kernel.h", "code for a GPU and is not simulated"),
                                 ("cuda/ptx", "This part is for a GPU alone"),
                                 ("cuda_fp8.h", "Of the small floating-point types half (cuda_fp16.h) and bfloat16")):
            with self.subTest(header):
                self.refused(f"#include <cstdio>\n#include <{header}>\n{self.MAIN}", sentence)
        self.refused(self.MAIN, "the library cublas is code for a GPU", "-lcublas")

    def test_nvidias_own_headers_are_for_programs(self):
        self.write("module.cu", "#include <cuda/std/tuple>\n" + self.KERNEL)
        done = subprocess.run([SIMTCC, "--cxx", CXX, "-o", "module.so", "module.cu"], capture_output=True, text=True,
                              cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("pip install nvidia-cuda-cccl", done.stderr)

    def test_parts_of_the_language_that_are_not_simulated_are_refused_in_a_sentence(self):
        for code, sentence in (("texture<float, 1> t;", "texture references are gone since CUDA 12"),
                               ("void f() { cudaUnbindTexture(0); }", "make a texture object with cudaCreateTextureObject"),
                               ("unsigned f() { return cudaArraySparse; }",
                                "arrays without memory of their own are not simulated"),
                               ("__device__ void f() { asm(\"wgmma.fence.sync.aligned;\"); }",
                                "the PTX instruction wgmma.fence.sync.aligned is not simulated"),
                               ("__device__ int f(char c) { int r; asm(\"mov.u32 %0, %1;\" : \"=r\"(r) : \"r\"(c)); return r; }",
                                "is for integers of 4 bytes"),
                               ("__device__ int f(int v) { return __shfl_down(v, 1); }",
                                "write __shfl_down_sync(0xffffffff, value, distance), or build with --legacy-warp-functions"),
                               ("void f() { cudaMipmappedArray_t a; cudaFreeMipmappedArray(a); }",
                                "mipmapped arrays are not simulated")):
            with self.subTest(code):
                self.refused(code + "\n" + self.MAIN, sentence)

    def test_variables_lie_on_the_device_with_attributes_before_and_as_statics_of_functions(self):
        self.built("""\
alignas(16) __device__ float4 a[2];
[[maybe_unused]] __device__ int b = 5;
__align__(32) __device__ int c[8];
__attribute__((used)) __constant__ int d = 3;
[[maybe_unused]] alignas(8) __managed__ int e = 4;
__device__ int next() { static int n = 4; return n++; }
inline __device__ int next_inline() { static int m; return ++m; }
struct C { __device__ int one() { static int k = 1; return k; } };
__forceinline__ __device__ int two() { static volatile int k = 2; return k; }
__device__ int table(int i) { static const int t[4] = {1, 2, 3, 4}; return t[i]; }
__global__ void k(int* o) {
  static int n, q = 2;
  static unsigned long long big;
  n += 5, big += 2;
  *o = b + d + e + (((unsigned long long)c & 31) == 0) + (int)a[1].x + n + next() + next_inline() + table(2) + q + (int)big + C().one() + two();
}
int main() {
  const auto launch = [] (int* to) __attribute__((noinline)) { k<<<1, 1>>>(to); };
  int* o;
  cudaMallocManaged(&o, 4);
  for (int i = 0; i < 2; ++i) launch(o);
  cudaDeviceSynchronize();
  return *o != 5 + 3 + 4 + 1 + 0 + 10 + 5 + 2 + 3 + 2 + 4 + 1 + 2;
}
""")
        done = self.run_program(options=("--no-counters",))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_compiler_warns_of_what_nvcc_warns_of(self):
        for line, warning in (("if (i >= 0) o[i] = 1;", "comparison of unsigned expression"),
                              ("for (unsigned d = 16; d >= 0; d /= 2) { o[d] = 1; if (d == i) break; }", "comparison of unsigned expression"),
                              ('printf("%d\\n", o[i]);', "format ‘%"),
                              ('printf("%f\\n", i);', "format ‘%"),
                              ("i == 3;", "program.cu:4:"),
                              ("if (i < n) o[i] = 1;", ""), ('printf("%lld %u\\n", o[i], i);', ""), ("if (n >= 0) o[i] = 1;", "")):
            with self.subTest(line):
                self.write("program.cu", "#include <cstdio>\n__global__ void k(long long* o, int n) {\n  unsigned i = threadIdx.x;\n  " + line
                           + "\n}\nint main() { k<<<1, 1>>>(nullptr, 0); }\n")
                done = self.compile("program.cu")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr.count("warning: "), 1 if warning else 0, done.stderr)
                self.assertIn(warning, done.stderr)

    def test_a_lab_file_without_main_is_told_where_it_belongs(self):
        self.refused(self.KERNEL, "there is no main function")

    def test_the_usual_options_of_nvcc_are_taken(self):
        self.write("program.cu", "#include \"part.h\"\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return VALUE - 5; }\n")
        (self.folder / "include").mkdir()
        self.write("include/part.h", "#if __cplusplus < 201703L\n#error\n#endif\n")
        done = self.compile_alone("-arch=sm_80", "-gencode", "arch=compute_70,code=sm_70", "-O3", "-std=c++11", "-rdc=true",
                                  "-lineinfo", "-G", "--expt-extended-lambda", "-Xcompiler", "-Wall,-O3", "-DVALUE=5",
                                  "-Iinclude", "-lcudart", "-lcudadevrt", "-lm", "--use_fast_math", "program.cu")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.run_program().returncode, 0)

    def test_files_of_any_name_are_cuda_where_nvcc_is_told_so(self):
        self.write("main.cpp", "int from_other();\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return from_other() - 3; }\n")
        self.write("other.c", "struct A { __host__ __device__ int three() const { return 3; } };\nint from_other() { return A().three(); }\n")
        for options in (("-x", "cu"), ("-x=cu",), ("--x", "cu")):
            done = self.compile(*options, "main.cpp", "other.c")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.run_program().returncode, 0)
        self.assertNotEqual(self.compile("main.cpp", "other.c").returncode, 0)

    def test_what_two_files_define_is_told_with_both_places(self):
        self.write("a.cu", "int helper() { return 1; }\n" + self.MAIN)
        self.write("b.cu", "int helper() { return 2; }\n")
        done = self.compile("a.cu", "b.cu")
        self.assertEqual(done.returncode, 1)
        self.assertIn("b.cu:1: error: helper() is defined in several files, first at a.cu:1", done.stderr)

    def test_device_functions_of_one_name_are_each_files_own(self):
        self.write("a.cu", "__device__ int which() { return 1; }\n__device__ int cell;\nvoid run_b(int*);\n"
                           "__global__ void ka(int* p) { *p = which() + (cell = 4); }\n"
                           "int main() { int* p; cudaMallocManaged(&p, 8); ka<<<1, 1>>>(p); run_b(p + 1); "
                           "cudaDeviceSynchronize(); return p[0] != 5 || p[1] != 2; }\n")
        self.write("b.cu", "__device__ int which() { return 2; }\n__device__ int cell;\n"
                           "__global__ void kb(int* p) { *p = which() + cell; }\nvoid run_b(int* p) { kb<<<1, 1>>>(p); }\n")
        done = self.compile("a.cu", "b.cu")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.run_program().returncode, 0)

    def test_host_files_in_cpp_and_c_belong_to_the_program(self):
        self.write("a.cu", "extern \"C\" int from_c(void);\nint from_cpp();\n__global__ void k() {}\n"
                           "int main() { k<<<1, 1>>>(); return from_c() + from_cpp() - 7; }\n")
        self.write("b.cpp", "#include <cuda_runtime.h>\n__host__ __device__ inline int three() { return 3; }\n"
                            "int from_cpp() { int n = 0; cudaGetDeviceCount(&n); return three() + n; }\n")
        self.write("c.c", "int from_c(void) { int *class = 0; return class == 0 ? 3 : 0; }\n")
        done = self.compile("a.cu", "b.cpp", "c.c")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.run_program().returncode, 0)


class Command(Programs):
    """The part of ./warpbook sim that is not CMake's."""

    def setUp(self) -> None:
        super().setUp()
        previous = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, previous)
        (self.folder / "precompiled").symlink_to(PRECOMPILED)
        programs = {"simtcc": pathlib.Path(SIMTCC), "simtrun": pathlib.Path(SIMTRUN)}
        self.simulator = sim.Simulator(types.SimpleNamespace(program=programs.get, folder=self.folder, compiler=CXX))

    def test_libcxx_that_pip_has_installed_is_named_unless_another_is(self):
        folder = self.folder / "site" / "nvidia" / "cu13" / "include" / "cccl"
        (folder / "cuda" / "std" / "detail").mkdir(parents=True)
        (folder / "cuda" / "std" / "detail" / "__config").touch()
        with mock.patch.object(sim.site, "getsitepackages", return_value=[str(self.folder / "site")]), \
                mock.patch.object(sim.site, "getusersitepackages", return_value=str(self.folder)):
            self.assertEqual(self.request("a.cu").build_options, ["--cccl", str(folder)])
            self.assertEqual(self.request("a.cu", "--cccl", "x").build_options, ["--cccl", "x"])

    @staticmethod
    def request(*words: str) -> sim.Request:
        return sim.request(cli.parser_of_all()[0].parse_args(["sim", *words]))

    def build(self, *words: str) -> tuple[pathlib.Path, int]:
        """The module, and how often simtcc ran."""
        real = subprocess.run
        with mock.patch.object(sim.subprocess, "run", side_effect=real) as runs:
            return self.simulator.program(self.request(*words)), runs.call_count

    def test_a_program_is_built_again_only_if_something_has_changed(self):
        self.write("part.h", "#define VALUE 1\n")
        self.write("a.cu", "#include \"part.h\"\n__global__ void k() {}\nint main() { return VALUE; }\n")
        module, runs = self.build("a.cu")
        self.assertEqual(runs, 1)
        self.assertEqual(self.build("a.cu"), (module, 0))
        os.utime("a.cu")  # touched, not changed
        self.assertEqual(self.build("a.cu"), (module, 0))
        self.write("part.h", "#define VALUE 2\n")
        self.assertEqual(self.build("a.cu")[1], 1)
        self.assertEqual(subprocess.run([SIMTRUN, module], check=False).returncode, 2)
        self.assertEqual(self.build("-DOTHER", "a.cu")[1], 1)

    def test_a_program_that_does_not_compile_is_status_1_and_leaves_no_module(self):
        self.write("a.cu", "int main() { return x; }\n")
        with self.assertRaises(Problem) as caught, mock.patch.object(sim.subprocess, "run", side_effect=self.silent):
            self.build("a.cu")
        self.assertEqual(caught.exception.status, 1)
        self.assertEqual([path.name for path in self.folder.glob("programs/*/*")], [])

    @staticmethod
    def silent(command, **options):
        return subprocess.CompletedProcess(command, subprocess.call(command, stderr=subprocess.DEVNULL))

    def test_the_words_of_the_command_line_find_their_places(self):
        request = self.request("--json", "--schedule", "random", "-I", "inc", "-O3", "a.cu", "--steps", "9", "--memory", "64", "--limit", "20", "-DX", "b.cpp",
                               "--seed=4", "-UX", "-arch", "sm_90", "--", "-x", "--json", "--build")
        self.assertEqual(request.files, ["a.cu", "b.cpp"])
        self.assertEqual(request.build_options, ["-I", "inc", "-O3", "-DX", "-UX", "-arch", "sm_90"])
        self.assertEqual(request.run_options, ["--json", "--schedule=random", "--seed=4", "--steps=9", "--limit=20", "--memory=64"])
        self.assertEqual(request.arguments, ["-x", "--json", "--build"])
        self.assertTrue(request.json)

    def test_a_word_that_is_no_option_of_its_own_is_the_compilers(self):
        for word in ("-lineinfo", "-std=c++17", "--use_fast_math", "-j", "--no-runs"):
            with self.subTest(word=word):
                request = self.request(word, "a.cu")
                self.assertEqual((request.build_options, request.files, request.run_options), ([word], ["a.cu"], []))
        with self.assertRaises(Problem) as caught:
            self.request("a.cu", "--seed")
        self.assertIn("./warpbook sim: argument --seed", caught.exception.sentence)

    def test_files_that_are_none_are_a_sentence(self):
        self.write("a.cuh", "")
        self.write("a.txt", "")
        for files, sentence in (([], "needs the program's source files"), (["none.cu"], "no file none.cu"),
                                (["."], "not a file"), (["a.cuh"], "is a header"), (["a.txt"], "no CUDA, C++ or C source")):
            with self.assertRaises(Problem) as caught:
                sim.require_files(files)
            self.assertIn(sentence, caught.exception.sentence)
            self.assertEqual(caught.exception.status, 2)


if __name__ == "__main__":
    unittest.main()
