"""What `simtrun --replay` adds to findings of whole programs: the environment is that of test_simtrun.py."""
from __future__ import annotations

import json
import pathlib
import subprocess
import time
import unittest

import test_simtrun
from test_findings import line_of
from test_simtrun import CXX, SIMTCC, SIMTRUN

#: Each kernel by its name, launched alone.
MISTAKES = """\
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define COLUMNS 8
__global__ void past(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int to = i + 3;  // made of i
  if (i < n) a[to] = i;  // past
}
__global__ void before(int* a, int n) {
  const int i = threadIdx.x;
  if (i < n) a[i] = a[i - 1];  // before
}
__global__ void far(int* a, const unsigned* in) {
  const unsigned i = threadIdx.x;
  const unsigned left = i - 2;  // below 0
  a[left] = in[i];  // far
}
__device__ void put(int* a, int at, int value) {
  a[at] = value;  // in a function
}
__global__ void in_function(int* a, int n) { put(a, threadIdx.x * 2, n); }
template <typename T, int width>
__global__ void in_template(T* a) {
  const int row = threadIdx.x / 4, column = threadIdx.x % 4;
  a[row * width + column] = 1;  // in a template
}
__global__ void in_loop(int* a, int n) {
  for (int k = threadIdx.x; k <= n; k += blockDim.x) a[k] = k;  // in a loop
}
__global__ void two_dimensions(int* a, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) a[x * width + y] = 1;  // two dimensions
}
__global__ void overflow(int* a, int big) {
  const int i = threadIdx.x + 1;
  const int at = i * big;
  a[at] = 1;  // overflow
}
__global__ void child(int* a, int from) {
  const int i = from + threadIdx.x;
  a[i] = 1;  // in a child grid
}
__global__ void parent(int* a) { child<<<1, 8>>>(a, 60); }
__global__ void shared_past(int* a) {
  __shared__ int tile[COLUMNS];
  const int t = threadIdx.x;
  if (t <= COLUMNS) tile[t] = a[t];  // past shared
  __syncthreads();
  a[t] = tile[t % COLUMNS];
}
__global__ void race(int* a) {
  const int i = threadIdx.x;
  a[i / 2] = i;  // race
}
__global__ void unwritten(int* a, const int* in) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  if (t < 20) s[t] = in[t];
  __syncthreads();
  const int from = t + 1;
  a[t] = s[from % 32];  // unwritten
}
__global__ void uninitialised(int* a, const int* fresh) {
  const int i = threadIdx.x;
  a[i] = fresh[2 * i];  // uninitialised
}
__global__ void no_atomics_beyond(int* a) {
  const int bin = threadIdx.x * 4;
  atomicAdd(&a[bin], 1);  // atomic beyond
}
__global__ void right(int* a) { a[threadIdx.x] = 1; }
int main(int, char** argv) {
  int *a, *b, *fresh;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMalloc(&b, 64 * sizeof(int));
  cudaMalloc(&fresh, 64 * sizeof(int));
  cudaMemset(a, 0, 64 * sizeof(int));
  cudaMemset(b, 0, 64 * sizeof(int));
  const auto is = [how = argv[1]](const char* name) { return strcmp(how, name) == 0; };
  if (is("past")) past<<<2, 32>>>(a, 62);
  if (is("before")) before<<<1, 32>>>(a, 32);
  if (is("far")) far<<<1, 32>>>(a, reinterpret_cast<unsigned*>(b));
  if (is("in_function")) in_function<<<1, 33>>>(a, 9);
  if (is("in_template")) in_template<int, 21><<<1, 16>>>(a);
  if (is("in_loop")) in_loop<<<1, 32>>>(a, 64);
  if (is("two_dimensions")) two_dimensions<<<dim3(2, 1), dim3(8, 4)>>>(a, 16, 4);
  if (is("overflow")) overflow<<<1, 2>>>(a + 32, 1 << 30);
  if (is("child")) parent<<<1, 1>>>(a);
  if (is("shared_past")) shared_past<<<1, 9>>>(a);
  if (is("race")) race<<<1, 32>>>(a);
  if (is("unwritten")) unwritten<<<1, 32>>>(a, b);
  if (is("uninitialised")) uninitialised<<<1, 32>>>(a, fresh);
  if (is("atomic")) no_atomics_beyond<<<1, 17>>>(a);
  if (is("right")) right<<<1, 32>>>(a);
  if (is("reads")) {
    int n = 0;
    if (scanf("%d", &n) != 1) return 3;
    past<<<2, 32>>>(a, n);
  }
  if (is("other_way")) {  // what the first run leaves, the second one finds
    FILE* left = fopen("left", "r");
    if (left) return 0;
    fclose(fopen("left", "w"));
    past<<<2, 32>>>(a, 62);
  }
  if (is("waits")) {
    FILE* left = fopen("left", "r");
    if (left) for (;;) {}
    fclose(fopen("left", "w"));
    past<<<2, 32>>>(a, 62);
  }
  if (is("of_host")) {
    int h[4] = {};
    cudaMemcpy(h, a + 62, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  }
  if (is("fatal")) past<<<1, 1>>>(nullptr, 62);
  printf("once\\n");
  fprintf(stderr, "%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
"""


class Replays(test_simtrun.Programs):
    def setUp(self) -> None:
        self.built_once(MISTAKES, "-w")
        self.module = self.folder / "replay.so"
        self.module.unlink(missing_ok=True)
        (self.folder / "left").unlink(missing_ok=True)
        self.how = self.folder / "how.json"
        self.build([SIMTCC, "--program", "--cxx", CXX, "--replay", "-w", "-o", str(self.module), str(self.folder / "program.cu")])

    def build(self, command: list[str]) -> None:
        self.how.write_text(json.dumps({"build": command, "module": str(self.module)}))

    def run_it(self, *words: str, stdin: str = "", replay: bool = True) -> subprocess.CompletedProcess:
        more = ["--replay", str(self.how)] if replay else []
        return subprocess.run([SIMTRUN, "--no-counters", *more, "program.so", *words], cwd=self.folder, text=True, capture_output=True,
                              check=False, input=stdin)

    def told(self, kernel: str) -> str:
        done = self.run_it(kernel)
        self.assertEqual((done.returncode, done.stdout), (99, "once\n"), done.stderr)
        self.assertTrue(self.module.exists())
        self.assertEqual(list(self.folder.glob("*.diaries")), [])
        return done.stderr

    def nothing_more(self, *words: str, stdin: str = "") -> None:
        """A second run adds nothing to the report, neither right nor wrong."""
        done = self.run_it(*words, stdin=stdin)
        (self.folder / "left").unlink(missing_ok=True)
        plain = self.run_it(*words, stdin=stdin, replay=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (plain.returncode, plain.stdout, plain.stderr))
        self.assertEqual(done.returncode, 99)

    @staticmethod
    def line(mark: str) -> int:
        return line_of(MISTAKES, "// " + mark)

    def test_past_the_end(self) -> None:
        told = self.told("past")
        self.assertIn("      there to = 64\n", told)
        self.assertIn(f"      program.cu:{self.line('made of i')} | const int to = i + 3;  // made of i   with i = 61\n", told)
        self.assertIn(f"      line {self.line('past')}, `i < n`: 61 < 62 is true\n", told)

    def test_before_the_start(self) -> None:
        told = self.told("before")
        self.assertIn("      there i = 0, and `i - 1` is -1\n", told)
        self.assertIn(f"      line {self.line('before')}, `i < n`: 0 < 32 is true\n", told)

    def test_far_away(self) -> None:
        told = self.told("far")
        self.assertIn("      there left = 4294967294 (which is 2 below 0)\n", told)
        self.assertIn("// below 0   with i = 0\n", told)

    def test_in_a_device_function(self) -> None:
        told = self.told("in_function")
        self.assertIn("      there at = 64\n", told)

    def test_in_a_template(self) -> None:
        told = self.told("in_template")
        self.assertIn("      there row = 3, width = 21, column = 1, and `row * width + column` is 64\n", told)

    def test_in_a_loop(self) -> None:
        told = self.told("in_loop")
        self.assertIn("      there k = 64\n", told)
        self.assertIn(f"      line {self.line('in a loop')}, `k <= n`: 64 <= 64 is true\n", told)

    def test_in_two_dimensions(self) -> None:
        told = self.told("two_dimensions")
        self.assertIn("      there x = 4, width = 16, y = 0, and `x * width + y` is 64\n", told)
        self.assertIn("`x < width`: 4 < 16 is true\n", told)
        self.assertIn("`y < height`: 0 < 4 is true\n", told)

    def test_an_integer_that_overflows(self) -> None:
        told = self.told("overflow")
        self.assertRegex(told, r"      there at = (-2147483648|1073741824)\n")
        self.assertRegex(told, r"with i = [12], big = 1073741824\n")

    def test_a_child_grid(self) -> None:
        told = self.told("child")
        self.assertIn("      there i = 64\n", told)
        self.assertIn("   with from = 60, threadIdx.x = 4\n", told)

    def test_shared_memory(self) -> None:
        told = self.told("shared_past")
        self.assertIn("      there t = 8\n", told)
        self.assertIn("`t <= COLUMNS`: 8 <= 8 is true\n", told)

    def test_both_threads_of_a_race(self) -> None:
        told = self.told("race")
        self.assertIn("      there i = 0, and `i / 2` is 0\n", told)
        self.assertIn("      there i = 1, and `i / 2` is 0\n", told)

    def test_shared_memory_that_nobody_wrote(self) -> None:
        told = self.told("unwritten")
        self.assertIn("      there from = 20, and `from % 32` is 20\n", told)
        self.assertNotIn("there a", told)

    def test_memory_that_nobody_wrote(self) -> None:
        told = self.told("uninitialised")
        self.assertIn("      there i = 0, and `2 * i` is 0\n", told)

    def test_an_atomic_operation(self) -> None:
        told = self.told("atomic")
        self.assertIn("      there bin = 64\n", told)
        self.assertIn("   with threadIdx.x = 16\n", told)

    def test_a_kernel_that_is_stopped(self) -> None:
        done = self.run_it("fatal")
        self.assertEqual((done.returncode, done.stdout), (99, "once\n"))
        self.assertIn("      there to = 3\n", done.stderr)

    def test_the_document_has_the_lines(self) -> None:
        done = subprocess.run([SIMTRUN, "--json", "--replay", str(self.how), "program.so", "past"], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        self.assertIn("there to = 64", json.dumps(json.loads(done.stdout)["diagnostics"]))

    def test_a_program_that_reads_its_input(self) -> None:
        self.nothing_more("reads", stdin="62\n")

    def test_a_program_that_takes_another_way(self) -> None:
        self.nothing_more("other_way")

    def test_findings_of_host_code(self) -> None:
        self.nothing_more("of_host")
        self.assertFalse(self.module.exists())

    def test_without_a_finding_nothing_is_compiled(self) -> None:
        done = self.run_it("right")
        self.assertEqual((done.returncode, done.stdout), (0, "once\n"))
        self.assertFalse(self.module.exists())

    def test_a_second_run_that_does_not_end(self) -> None:
        start = time.monotonic()
        self.nothing_more("waits")
        self.assertLess(time.monotonic() - start, 60)

    def test_a_command_that_fails_or_does_not_exist(self) -> None:
        for command in (["/bin/false"], ["/no/such/program"], [], "text", None):
            with self.subTest(command):
                self.build(command)
                self.nothing_more("past")
        self.build(["/bin/true"])  # and there is no module
        self.nothing_more("past")
        for text in ("", "[]", "{}", "no JSON", '{"build": ["/bin/true"]}', '{"build": ["/bin/true"], "module": 5}'):
            with self.subTest(text):
                self.how.write_text(text)
                self.nothing_more("past")


if __name__ == "__main__":
    unittest.main()
