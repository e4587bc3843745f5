"""What findings of whole programs say to do: the environment is that of test_simtrun.py."""
from __future__ import annotations

import unittest

import test_simtrun

#: Each kernel by its name, launched alone.
RACES = """\
#include <cstdio>
#include <cstring>
__device__ int sink;
__global__ void scan(int* a) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    if (t >= d) s[t] += s[t - d];  // scan
    __syncthreads();
  }
  a[t] = s[t];
}
__global__ void scan_right(int* a) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  a[t] = s[t];
}
__global__ void last_warp(int* a) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32]; __syncwarp();
    s[t] += s[t + 16]; __syncwarp();  // first of warp
    s[t] += s[t + 8]; __syncwarp();
    s[t] += s[t + 4]; __syncwarp();
  }
  a[t] = s[t];
}
__global__ void paths(int* a) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int k = 0; k < 64; ++k) {
    const int via = s[k] + k;        // reads all
    if (via < s[t]) s[t] = via;      // writes own
  }
  a[t] = s[t];
}
__global__ void bodies(int* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int j = 0; j < 128; ++j) sum += a[j];
  __syncthreads();
  a[i] = a[i] + sum;
}
__global__ void count(int* a) { a[threadIdx.x % 8] += 1; }
__global__ void stride(int* a) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 128; i += gridDim.x) a[i] += 1;  // small step
}
__global__ void stride_right(int* a) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 128; i += gridDim.x * blockDim.x) a[i] += 1;
}
__global__ void total(int* a) { *a += 1; }
__global__ void step(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < 128) out[i] += in[i + 1];
}
__global__ void below_zero(int* a) {
  for (unsigned i = threadIdx.x; i >= 0; --i) a[i] = 1;
}
__global__ void just_beyond(int* a) {
  for (int i = threadIdx.x; i < 160; i += blockDim.x) a[i] = 1;
}
int main(int, char** argv) {
  int *a, *b;
  cudaMalloc(&a, 128 * sizeof(int));
  cudaMalloc(&b, 128 * sizeof(int));
  int h[128];
  for (int i = 0; i < 128; ++i) h[i] = i * 37 % 64;
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
  const auto is = [how = argv[1]](const char* name) { return strcmp(how, name) == 0; };
  if (is("scan")) scan<<<1, 64>>>(a);
  if (is("scan_right")) scan_right<<<1, 64>>>(a);
  if (is("last_warp")) last_warp<<<1, 64>>>(a);
  if (is("paths")) paths<<<1, 64>>>(a);
  if (is("bodies")) bodies<<<2, 64>>>(a);
  if (is("count")) count<<<1, 64>>>(a);
  if (is("stride")) stride<<<2, 32>>>(a);
  if (is("stride_right")) stride_right<<<2, 32>>>(a);
  if (is("total")) total<<<1, 64>>>(a);
  if (is("step")) step<<<2, 64>>>(a, a);  // the same
  if (is("step_right")) step<<<2, 64>>>(b, a);
  cudaError_t (*const allocate)(void**, size_t) = cudaMalloc;  // no name of it is known
  void* memory;
  allocate(&memory, 128 * sizeof(int));
  int* const unnamed = static_cast<int*>(memory);
  cudaMemcpy(unnamed, h, sizeof h, cudaMemcpyHostToDevice);
  if (is("step_unnamed")) step<<<2, 64>>>(unnamed, unnamed);
  if (is("below_zero")) below_zero<<<1, 64>>>(a);
  if (is("just_beyond")) just_beyond<<<1, 64>>>(a);
  printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


#: What a device limits, and what it has to be waited for; each by its name.
LIMITS = """\
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cassert>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;
__device__ int walk(const int* next, int i, int depth) {
  volatile int seen[8];
  seen[depth & 7] = i;
  if (next[i] < 0) return depth;
  return walk(next, next[i], depth + 1) + (seen[depth & 7] < 0);  // calls itself
}
__global__ void deep(const int* next, int* out) { *out = walk(next, 0, 0); }
__global__ void large_array(const int* next, int* out) {
  volatile int mine[6000];
  for (int i = 0; i < 6000; ++i) mine[i] = next[i % 256];
  *out = mine[5999];
}
__global__ void from_heap(bool checks, int* out) {
  __shared__ int* p;
  if (threadIdx.x == 0) p = new int[3 << 20];
  __syncthreads();
  if (checks && !p) return;
  p[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    *out = p[5];
    delete[] p;
  }
}
__global__ void own_scratch(int* out, int words, int turns, bool checks) {
  int sum = 0;
  for (int turn = 0; turn < turns; ++turn) {
    int* const own = static_cast<int*>(malloc(words * sizeof(int)));
    if (checks && !own) return;
    own[turn] = threadIdx.x;  // scratch
    sum += own[turn];
    free(own);
  }
  out[threadIdx.x] = sum;
}
__global__ void scratch_in_turns(int* out, int words) {
  for (int turn = 0; turn < blockDim.x; ++turn) {
    if (threadIdx.x == turn) {
      int* const own = new int[words];
      own[0] = turn;
      out[turn] = own[0];
      delete[] own;
    }
    __syncthreads();
  }
}
__global__ void given_away(int* out, int words) {
  __shared__ int* given[64];
  for (int turn = 0; turn < 4; ++turn) {
    given[threadIdx.x] = new int[words];
    given[threadIdx.x][0] = turn;
    __syncthreads();
    int* const other = given[63 - threadIdx.x];
    out[blockIdx.x * blockDim.x + threadIdx.x] = other[0];
    delete[] other;
    __syncthreads();
  }
}
__global__ void null_pointer(int* p) { p[threadIdx.x] = 1; }
__global__ void prints(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) printf("%d %f\\n", i, i * 0.5);
}
__global__ void copies(const int* in, int* out, bool waits) {
  __shared__ int s[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof s);  // the copy
  if (waits) cg::wait(block);
  block.sync();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void asks(int* out) {
  const auto grid = cg::this_grid();
  assert(grid.is_valid());
  if (grid.thread_rank() == 0) *out = 1;
}
__global__ void asserts(int* out) { assert(*out > 1000); }
__global__ void child(volatile int* flag) { *flag = 1; }
__global__ void parent(volatile int* flag, int* out) {
  child<<<1, 1>>>(flag);
  while (*flag == 0) {}  // spins
  *out = 1;
}
__global__ void tail(int* flag, int* out) { *out = *flag; }
__global__ void parent_right(int* flag, int* out) {
  child<<<1, 1>>>(flag);
  tail<<<1, 1, 0, cudaStreamTailLaunch>>>(flag, out);
}
__global__ void neighbour_waits(volatile int* flag, int* out) {
  if (blockIdx.x == 1) *flag = 1;
  if (blockIdx.x == 0) while (*flag == 0) {}
  child<<<1, 1>>>(out + blockIdx.x);
}
__global__ void vectors(float* x, int n, int behind) {
  const int i = 4 * threadIdx.x;
  if (i + behind < n) *reinterpret_cast<float4*>(x + i) = {1, 2, 3, 4};
}
__device__ int arrived;
__global__ void barrier_by_hand() {
  atomicAdd(&arrived, 1);
  while (arrived < gridDim.x) {}
}
__global__ void sees_updates(int* out) {
  if (blockIdx.x == 0) atomicAdd(out, 1);
  if (blockIdx.x == 1) out[1] = *out;
}
int main(int, char** argv) {
  const auto is = [how = argv[1]](const char* name) { return strcmp(how, name) == 0; };
  int h[1024], *next, *out, *flag;
  for (int i = 0; i < 1024; ++i) h[i] = i < 512 ? i + 1 : -1;
  cudaMalloc(&next, sizeof h);
  cudaMemcpy(next, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMalloc(&out, sizeof h);
  cudaMemset(out, 0, sizeof h);
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  if (is("deep_with_limit")) cudaDeviceSetLimit(cudaLimitStackSize, 32 << 10);
  if (is("heap_with_limit")) cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20);
  if (is("prints_with_limit")) cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 8 << 20);
  if (is("deep") || is("deep_with_limit")) deep<<<1, 1>>>(next, out);
  if (is("shallow")) deep<<<1, 1>>>(next + 512, out);
  if (is("large_array")) large_array<<<1, 1>>>(next, out);
  if (is("heap") || is("heap_checked") || is("heap_with_limit")) from_heap<<<1, 32>>>(is("heap_checked"), out);
  if (is("heap_at_once_with_limit")) cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20);
  if (is("heap_at_once") || is("heap_at_once_with_limit")) own_scratch<<<1, 256>>>(out, 1 << 14, 1, false);
  if (is("heap_of_a_warp")) own_scratch<<<1, 32>>>(out, 1 << 17, 1, false);
  if (is("heap_again")) own_scratch<<<1, 256>>>(out, 1 << 14, 3, false);
  if (is("heap_at_once_checked")) own_scratch<<<1, 256>>>(out, 1 << 14, 1, true);
  if (is("heap_small")) own_scratch<<<1, 256>>>(out, 1 << 12, 20, false);
  if (is("heap_of_blocks")) own_scratch<<<16, 64>>>(out, 1 << 14, 1, true);
  if (is("heap_in_turns")) scratch_in_turns<<<1, 64>>>(out, 1 << 20);
  if (is("heap_given_away")) given_away<<<2, 64>>>(out, 1 << 14);
  if (is("null_pointer")) null_pointer<<<1, 32>>>(nullptr);
  if (is("prints") || is("prints_with_limit")) prints<<<200, 256>>>(50000);
  if (is("prints_in_turns"))
    for (int i = 0; i < 4; ++i) prints<<<100, 256>>>(25000);
  if (is("copies") || is("copies_right")) copies<<<1, 64>>>(next, out, is("copies_right"));
  if (is("asks")) asks<<<2, 32>>>(out);
  if (is("asks_right")) {
    void* arguments[] = {&out};
    cudaLaunchCooperativeKernel(asks, 2, 32, arguments);
  }
  if (is("asserts")) asserts<<<1, 1>>>(out);
  if (is("parent")) parent<<<1, 1>>>(flag, out);
  if (is("parent_right")) parent_right<<<1, 1>>>(flag, out);
  if (is("neighbour_waits")) neighbour_waits<<<2, 1>>>(flag, out);
  if (is("vectors")) vectors<<<1, 64>>>(reinterpret_cast<float*>(out), 253, 0);
  if (is("vectors_end")) {
    float* x;
    cudaMalloc(&x, 253 * sizeof(float));
    vectors<<<1, 64>>>(x, 253, 0);
  }
  if (is("vectors_right")) vectors<<<1, 64>>>(reinterpret_cast<float*>(out), 253, 3);
  if (is("barrier_by_hand")) barrier_by_hand<<<2, 1>>>();
  if (is("sees_updates")) sees_updates<<<2, 1>>>(out);
  std::size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitStackSize);
  const char* error = cudaGetErrorName(cudaDeviceSynchronize());
  if (!strstr(argv[1], "prints")) printf("%s, stack %zu\\n", error, limit);
}
"""


def line_of(text: str, mark: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if mark in line)


class Races(test_simtrun.Programs):
    def setUp(self) -> None:
        self.built_once(RACES, "-w")  # one has a comparison that is always true

    def told(self, kernel: str) -> str:
        done = self.run_program(kernel, options=("--no-counters",))
        self.assertEqual(done.returncode, 99 if done.stderr else 0)
        return done.stderr

    def test_two_accesses_of_one_statement_are_taken_apart(self) -> None:
        told = self.told("scan")
        self.assertIn("try: both accesses are this line: read what it needs into a local variable, then put __syncthreads(), then write", told)
        self.assertIn("keep an `if` around the read and around the write, and not around the barrier", told)
        self.assertEqual(self.told("scan_right"), "")

    def test_lanes_of_a_warp_are_told_the_barrier_of_a_warp_and_all_lines_at_once(self) -> None:
        told = self.told("last_warp")
        self.assertIn("then put __syncwarp(), then write", told)
        self.assertEqual(told.count("error:"), 1)
        first = line_of(RACES, "first of warp")
        self.assertIn(f"  - likewise in lines {first + 1} and {first + 2}\n", told)

    def test_a_loop_without_a_barrier_gets_one_at_its_end(self) -> None:
        told = self.told("paths")
        self.assertIn("note: both lines are in one loop without a barrier", told)
        self.assertIn("try: put __syncthreads() at the end of the loop's body", told)
        self.assertEqual(told.count("error:"), 1)

    def test_what_all_blocks_read_and_change_takes_a_second_array(self) -> None:
        told = self.told("bodies")
        self.assertIn("Two threads of different blocks use a[", told)
        self.assertIn("read from one array and write to another", told)
        self.assertNotIn("atomicAdd", told)

    def test_threads_that_share_elements_are_told_the_step_or_an_atomic(self) -> None:
        told = self.told("stride")
        self.assertIn(f"of the loop in line {line_of(RACES, 'small step')}, the second one in turn 1; the step `gridDim.x` is 2, and "
                      "64 threads share the loop", told)
        self.assertIn("`i += gridDim.x * blockDim.x`.", told)
        self.assertEqual(self.told("stride_right"), "")
        self.assertIn("try: if every element is meant for one thread, look at the index", self.told("count"))
        self.assertIn("try: let one thread of the block do it", self.told("total"))

    def test_one_buffer_passed_twice_is_named_with_the_launch(self) -> None:
        told = self.told("step")
        self.assertIn(f"note: arguments 1 and 2 of the launch in line {line_of(RACES, '// the same')} are the same memory, a:", told)
        self.assertIn("swap the two pointers before the next launch", told)
        self.assertEqual(self.told("step_right"), "")
        self.assertIn("are the same memory, a block of 512 bytes from cudaMalloc: what the kernel writes", self.told("step_unnamed"))

    def test_a_far_access_ends_the_kernel_and_a_near_one_does_not(self) -> None:
        far = self.report("program.so", "below_zero")
        self.assertEqual([(d["id"], d["count"]) for d in far["diagnostics"]], [("out-of-bounds", 1)])
        self.assertEqual(far["output"], "cudaErrorIllegalAddress\n")
        near = self.report("program.so", "just_beyond")
        self.assertEqual([(d["id"], d["count"]) for d in near["diagnostics"]], [("out-of-bounds", 32)])
        self.assertEqual(near["output"], "cudaSuccess\n")


class Ways(test_simtrun.Programs):
    """Of a program whose argument says what it does."""

    def found(self, how: str, *options: str) -> list[dict]:
        return self.report(*options, "program.so", how)["diagnostics"]

    def only(self, how: str, finding: str, *options: str) -> dict:
        found = self.found(how, *options)
        self.assertEqual([each["id"] for each in found], [finding], found)
        return found[0]

    def assert_clean(self, *ways: str) -> None:
        for how in ways:
            self.assertEqual(self.found(how), [], how)


ARITHMETIC = """
#include <climits>
#include <cstdio>
#include <cstring>
template <class Op, class... T> __global__ void does(long long* out, Op op, T... of) { *out = op(of...); }
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  long long *out, back = 77;
  cudaMalloc(&out, 8);
  const auto run = [&](auto op, auto... of) { does<<<1, 2>>>(out, op, of...); };
  if (is("quotient")) run([] __device__(int a, int b) { return a / b; }, 10, 0);
  if (is("remainder")) run([] __device__(int a, int b) { return a % b; }, 10, 0);
  if (is("unsigned quotient")) run([] __device__(unsigned a, unsigned b) { return a / b; }, 10u, 0u);
  if (is("wide quotient")) run([] __device__(long long a, long long b) { return a / b; }, -10ll, 0ll);
  if (is("short quotient")) run([] __device__(long long a, long long b) { return a / b; }, 10ll, 0ll);
  if (is("narrow quotient")) run([] __device__(unsigned char a, unsigned char b) { return a / b; }, static_cast<unsigned char>(10), static_cast<unsigned char>(0));
  if (is("lowest")) run([] __device__(int a, int b) { return a / b; }, INT_MIN, -1);
  if (is("lowest by zero")) run([] __device__(int a, int b) { return a / b; }, INT_MIN, 0);
  if (is("by two")) run([] __device__(int a, int b) { return a / b + a % b; }, 11, 2);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(&back, out, 8, cudaMemcpyDeviceToHost), printf("%lld\\n", back);
  return 0;
}
"""


class Arithmetic(Ways):
    def setUp(self) -> None:
        self.built_once(ARITHMETIC, "--extended-lambda")

    def test_a_division_by_zero_goes_on_as_on_a_gpu(self) -> None:
        """With the results of an H200."""
        for how, result in (("quotient", -1), ("remainder", -1), ("unsigned quotient", 4294967295), ("wide quotient", -1),
                            ("short quotient", 4294967295), ("lowest by zero", -1)):
            with self.subTest(how):
                found = self.only(how, "division-by-zero")
                number = {"wide quotient": -10, "lowest by zero": -2147483648}.get(how, 10)
                self.assertIn(f"divides {number} by zero", found["message"])
                self.assertEqual((found["severity"], found["count"]), ("error", 2))
                self.assertEqual(self.report("program.so", how)["output"], f"{result}\n")
        self.only("narrow quotient", "division-by-zero")  # by an instruction for 8 bits, whose result no GPU has
        lowest = self.only("lowest", "division-by-zero")
        self.assertEqual(lowest["severity"], "warning")
        self.assertIn("-2147483648, the lowest number of its type, by -1", lowest["message"])
        self.assertEqual(self.report("program.so", "lowest")["output"], "-2147483648\n")
        self.assert_clean("by two")


class Limits(Ways):
    def setUp(self) -> None:
        self.built_once(LIMITS)

    def test_recursion_beyond_the_stack_of_a_device_is_found_and_large_arrays_are_not(self) -> None:
        deep = self.only("deep", "stack-overflow")
        self.assertIn("1024 bytes (cudaLimitStackSize)", deep["message"])
        self.assertIn("cudaDeviceSetLimit(cudaLimitStackSize, bytes)", deep["suggestion"])
        self.assert_clean("shallow", "large_array", "deep_with_limit")
        self.assertEqual(self.report("program.so", "shallow")["output"], "cudaSuccess, stack 1024\n")
        self.assertEqual(self.report("program.so", "deep_with_limit")["output"], "cudaSuccess, stack 32768\n")

    def test_a_null_pointer_of_a_full_heap_names_the_limit(self) -> None:
        full = self.only("heap", "out-of-bounds")
        self.assertIn("12582912 bytes that were asked for do not fit into the device's heap, which has 8388608 bytes "
                      "(cudaLimitMallocHeapSize)", full["message"])
        self.assert_clean("heap_checked", "heap_with_limit")
        self.assertIn("check that cudaMalloc succeeded", self.only("null_pointer", "out-of-bounds")["suggestion"])

    def test_what_threads_of_a_block_take_from_the_heap_they_hold_at_the_same_time(self) -> None:
        for how, bytes_each in {"heap_at_once": 65536, "heap_of_a_warp": 524288, "heap_again": 65536}.items():
            with self.subTest(how):
                full = self.only(how, "out-of-bounds")
                self.assertIn(f"{bytes_each} bytes that were asked for do not fit into the device's heap, which has 8388608 bytes", full["message"])
                self.assertIn("// scratch", full["participants"][0]["text"])
        self.assert_clean("heap_at_once_checked", "heap_at_once_with_limit", "heap_small", "heap_of_blocks", "heap_in_turns", "heap_given_away")

    def test_more_output_than_the_buffer_holds_is_said_and_stays(self) -> None:
        whole = self.report("program.so", "prints")
        self.assertEqual([(each["id"], each["severity"]) for each in whole["diagnostics"]], [("printf-overflow", "warning")])
        self.assertEqual(whole["output"].count("\n"), 50000)
        self.assertIn("1048576 bytes (cudaLimitPrintfFifoSize)", whole["diagnostics"][0]["message"])
        self.assert_clean("prints_with_limit", "prints_in_turns")

    def test_a_copy_that_nothing_waits_for_is_named_with_its_line(self) -> None:
        found = self.only("copies", "uninitialised-read")
        self.assertIn("the copy that is to bring it is still under way", found["message"])
        self.assertIn("cg::wait(group)", found["suggestion"])
        self.assertEqual(found["participants"][1]["action"], "has started the copy")
        told = self.run_program("copies", options=("--no-counters",)).stderr
        self.assertIn(f":{line_of(LIMITS, '// the copy')} | ", told)
        self.assert_clean("copies_right")

    def test_a_grid_that_is_not_valid_is_told_the_launch(self) -> None:
        found = self.only("asks", "assertion-failed")
        self.assertIn("cudaLaunchCooperativeKernel", found["suggestion"])
        self.assert_clean("asks_right")
        self.assertIn("find out why it is not so", self.only("asserts", "assertion-failed")["suggestion"])

    def test_a_parent_that_waits_for_its_child_is_told_the_tail_launch(self) -> None:
        for options in [(), ("--schedule", "reverse")]:
            found = self.only("parent", "waits-for-child", *options)
            self.assertIn("cudaStreamTailLaunch", found["suggestion"])
            self.assertEqual(found["participants"][0]["action"],
                             "keeps reading it" if not options else "keeps reading the same value in a loop")
        self.assert_clean("parent_right", "neighbour_waits")

    def test_a_vector_across_the_end_is_told_its_elements(self) -> None:
        found = self.only("vectors_end", "out-of-bounds")
        self.assertIn("the access takes 4 elements from this index on", found["suggestion"])
        told = self.run_program("vectors_end", options=("--no-counters",)).stderr
        self.assertIn("as in `if (i + 3 < n)`", told)
        self.assertNotIn("lets this index through", told)
        self.assert_clean("vectors", "vectors_right")

    def test_a_wait_by_a_plain_read_is_told_the_atomic_one(self) -> None:
        self.assertIn("a plain read may be made once, before the loop", self.only("barrier_by_hand", "step-budget")["suggestion"])
        self.assertIn("A loop that waits for the value has to read it by an atomic", self.only("sees_updates", "global-race")["suggestion"])


#: Where pointers come from, by the way that the program is called.
POINTERS = """\
#include <cstdio>
#include <cstring>
template <class T> void allocate(T*& memory, int n) { cudaMalloc(&memory, n * sizeof(T)); }
void by_address(float** memory, int n) { cudaMalloc((void**)memory, n * sizeof(float)); }
static void two(void** first, void** second, int bytes) { cudaMalloc(first, bytes); cudaMalloc(second, bytes); }
struct Pair { int *left, *right; };
__device__ int* table;
__device__ unsigned arrived;
template <class T> __global__ void beyond(T* a) { a[32 + threadIdx.x] = 1; }
__global__ void fill(float* p) { p[threadIdx.x] = 3; }
__global__ void fill_before(float* p, int i) { p[i - 1] = 3; }
__global__ void fill_table() { table[threadIdx.x] = 3; }
__global__ void meet(int* a) {
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (arrived < gridDim.x) __threadfence();  // waits
  }
  __syncthreads();
  a[blockIdx.x] = 1;
}
__global__ void publish(int* a, int rounds) {
  for (int i = 0; i < rounds; ++i) { a[blockIdx.x * rounds + i] = i; __threadfence(); }
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  int *keys, *values;
  allocate(keys, 32), allocate<int>(values, 32);
  if (is("keys")) beyond<<<1, 1>>>(keys);
  if (is("values")) beyond<<<1, 1>>>(values);
  float *x, *rows[2];
  by_address(&x, 32), by_address(&rows[1], 32);
  if (is("x")) beyond<<<1, 1>>>(x);
  if (is("rows[1]")) beyond<<<1, 1>>>(rows[1]);
  Pair pair;
  allocate(pair.left, 32);
  if (is("pair.left")) beyond<<<1, 1>>>(pair.left);
  void *u, *v;
  two(&u, &v, 128);
  if (is("u")) beyond<<<1, 1>>>((int*)u);
  if (is("v")) beyond<<<1, 1>>>((int*)v);
  int n = 1 << 16;
  float* p = nullptr;
  if (is("product")) { cudaMalloc(&p, n * n * sizeof(float)); fill<<<1, 32>>>(p); }  // product
  if (is("negative")) { cudaMalloc(&p, (n - 1) * (n / 2 + 1)); fill<<<1, 32>>>(p); }
  if (is("null")) fill<<<1, 32>>>(p);
  if (is("before null")) fill_before<<<1, 1>>>(p, 0);
  if (is("nothing")) { cudaMalloc(&p, 0); fill<<<1, 32>>>(x); }
  if (is("contents")) { cudaMemset(keys, 0, 128); cudaMemcpyToSymbol(table, keys, sizeof(int*)); fill_table<<<1, 32>>>(); }
  if (is("pointer")) { cudaMemcpyToSymbol(table, &keys, sizeof(int*)); fill_table<<<1, 32>>>(); }
  if (is("a list of pointers")) {
    int** list;
    cudaMalloc(&list, sizeof(int*));
    cudaMemcpy(list, &keys, sizeof(int*), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(table, list, sizeof(int*), 0, cudaMemcpyDeviceToDevice);
    fill_table<<<1, 32>>>();
  }
  if (is("meet")) meet<<<4, 32>>>(keys);
  if (is("publish")) { cudaMalloc(&values, 4 * 20000 * sizeof(int)); publish<<<4, 1>>>(values, 20000); }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Pointers(Ways):
    def setUp(self) -> None:
        self.built_once(POINTERS)

    def test_what_a_function_allocates_for_its_caller_is_called_as_the_caller_does(self) -> None:
        for name in ("keys", "values", "x", "rows[1]", "pair.left", "u", "v"):
            with self.subTest(name):
                self.assertIn(f"past the end of {name}, which has ", self.only(name, "out-of-bounds")["message"])

    def test_a_null_pointer_is_told_where_it_comes_from(self) -> None:
        found = self.only("product", "out-of-bounds")
        self.assertIn("cudaMalloc, which was called before, was asked for 0 bytes, and gives a null pointer", found["message"])
        self.assertIn("std::size_t(n) * n * sizeof(float)", found["suggestion"])
        self.assertEqual(found["participants"][1]["line"], 1 + POINTERS[:POINTERS.index("// product")].count("\n"))
        memory, null = self.found("negative")
        self.assertEqual((memory["id"], null["id"]), ("out-of-memory", "out-of-bounds"))
        self.assertIn("bytes, which is -2147450881 as a signed number", memory["message"])
        found = self.only("before null", "out-of-bounds")
        self.assertIn("through a null pointer and a negative index, 4 bytes before address 0", found["message"])
        null = self.only("null", "out-of-bounds")["message"]
        self.assertTrue(null.startswith("A thread writes 4 bytes through a null pointer (address 0x0)."), null)
        found = self.only("contents", "out-of-bounds")
        self.assertIn("cudaMemcpyToSymbol, which was called before, has copied the first bytes of an array of the device", found["message"])
        self.assertIn("`&d` in the place of `d`", found["suggestion"])
        self.assert_clean("nothing", "pointer", "a list of pointers")

    def test_blocks_that_wait_by_plain_reads_and_fences_meet_and_are_told_the_atomic_read(self) -> None:
        self.assertIn("A loop that waits for the value has to read it by an atomic", self.only("meet", "global-race")["suggestion"])
        self.assert_clean("publish")


#: Copies to the host of as many bytes as there are elements, and others.
COPIES = """\
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void square(double* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = threadIdx.x * threadIdx.x; }
template <class Array> void print_sum(const Array& a, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i];
  printf("%d\\n", sum);
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const int n = 64;
  int* numbers;
  cudaMalloc(&numbers, n * sizeof(int));
  fill<<<1, n>>>(numbers);
  int *a = static_cast<int*>(calloc(n, sizeof(int))), *b = new int[n](), *locked, *quarter = new int[n / 4];
  std::vector<int> v(n);
  cudaMallocHost(&locked, n * sizeof(int));
  if (is("malloc")) { cudaMemcpy(a, numbers, n, cudaMemcpyDeviceToHost); print_sum(a, n); }  // too short
  if (is("new")) { cudaMemcpy(b, numbers, n, cudaMemcpyDefault); print_sum(b, n); }
  if (is("vector")) { cudaMemcpyAsync(v.data(), numbers, n, cudaMemcpyDeviceToHost); cudaDeviceSynchronize(); print_sum(v, n); }
  if (is("page-locked")) { cudaMemcpy(locked, numbers, n, cudaMemcpyDeviceToHost); print_sum(locked, n); }
  if (is("whole")) { cudaMemcpy(a, numbers, n * sizeof(int), cudaMemcpyDeviceToHost); print_sum(a, n); }
  if (is("a part that is read")) { cudaMemcpy(a, numbers, n, cudaMemcpyDeviceToHost); print_sum(a, n / 4); }
  if (is("the rest is written")) {
    cudaMemcpy(a, numbers, n, cudaMemcpyDeviceToHost);
    memset(a + n / 4, 0, 2 * n);
    for (int i = 3 * n / 4; i < n; ++i) a[i] = 1;
    print_sum(a, n);
  }
  if (is("four quarters")) {
    for (int i = 0; i < n; i += n / 4) cudaMemcpy(b + i, numbers + i, n, cudaMemcpyDeviceToHost);
    print_sum(b, n);
  }
  if (is("a small array")) {
    cudaMemcpy(quarter, numbers, n, cudaMemcpyDeviceToHost);
    for (int* each : {a, b, locked}) memset(each, 0, n * sizeof(int)), print_sum(each, n);
    print_sum(quarter, n / 4);
  }
  double *squares, *d = new double[n](), *inputs;
  cudaMalloc(&squares, n * sizeof(double));
  square<<<1, n>>>(squares, n);
  const size_t half = n * sizeof(float);
  if (is("float of double")) { cudaMemcpy(d, squares, half, cudaMemcpyDeviceToHost); print_sum(d, n); }
  if (is("short of int")) { short* none = nullptr; cudaMemcpy(b, numbers, n * sizeof *none, cudaMemcpyDeviceToHost); print_sum(b, n); }
  if (is("in place")) {
    cudaMemcpy(squares, d, n * sizeof(double), cudaMemcpyHostToDevice);
    square<<<1, n>>>(squares, n);
    cudaMemcpy(d, squares, half, cudaMemcpyDeviceToHost);
    print_sum(d, n);
  }
  if (is("short of double")) { std::vector<double> r(n); cudaMemcpy(r.data(), squares, n * 2, cudaMemcpyDeviceToHost); print_sum(r, n); }
  if (is("half that is read")) { cudaMemcpy(d, squares, half, cudaMemcpyDeviceToHost); print_sum(d, n / 2); }
  if (is("half by the host")) {
    cudaMemcpy(d, squares, half, cudaMemcpyDeviceToHost);
    for (int i = n / 2; i < n; ++i) d[i] = i * i;
    print_sum(d, n);
  }
  if (is("half by the host before") || is("half in place by the host")) {
    cudaMalloc(&inputs, n * sizeof(double));
    for (int i = 0; i < n; ++i) d[i] = i;
    cudaMemcpy(inputs, d, n * sizeof(double), cudaMemcpyHostToDevice);
    square<<<1, n / 2>>>(inputs, n / 2);
    if (is("half by the host before")) for (int i = n / 2; i < n; ++i) d[i] *= d[i];
    cudaMemcpy(d, inputs, half, cudaMemcpyDeviceToHost);
    if (is("half in place by the host")) for (int i = n / 2; i < n; ++i) d[i] *= d[i];
    print_sum(d, n);
  }
  if (is("half of a result by the host")) {
    cudaMalloc(&inputs, n * sizeof(double));
    square<<<1, n / 2>>>(inputs, n / 2);
    for (int i = n / 2; i < n; ++i) d[i] = i * i;
    cudaMemcpy(d, inputs, half, cudaMemcpyDeviceToHost);
    print_sum(d, n);
  }
  if (is("two halves")) for (int i = 0; i < n; i += n / 2) cudaMemcpy(d + i, squares + i, half, cudaMemcpyDeviceToHost);
  if (is("two halves, last first")) for (int i = n / 2; i >= 0; i -= n / 2) cudaMemcpy(d + i, squares + i, half, cudaMemcpyDeviceToHost);
  if (strstr(words[1], "two halves")) print_sum(d, n);
  if (is("one element")) { cudaMalloc(&numbers, 16); fill<<<1, 4>>>(numbers); cudaMemcpy(b, numbers, 4, cudaMemcpyDeviceToHost); print_sum(b, 4); }
  if (is("too many rows")) { int pad[64]; cudaMemcpy2D(d, 1000, pad, 32, 32, 5, cudaMemcpyHostToDevice); }
  if (is("freed")) {
    cudaMemcpy(a, numbers, n, cudaMemcpyDeviceToHost);
    free(a);
    a = static_cast<int*>(malloc(n * sizeof(int)));
    FILE* const zeros = fopen("/dev/zero", "r");
    if (fread(a, sizeof(int), n, zeros) == n) print_sum(a, n);
  }
  return 0;
}
"""


class Copies(Ways):
    def setUp(self) -> None:
        self.built_once(COPIES)

    def test_host_code_that_reads_what_a_copy_has_left_out_is_told_the_bytes(self) -> None:
        for how in ("malloc", "new", "vector", "page-locked"):
            with self.subTest(how):
                found = self.only(how, "uninitialised-read")
                self.assertRegex(found["message"], r"^Host code reads 4 bytes of an array that no copy has filled: cudaMemcpy(Async)? has copied "
                                                   r"64 of the 256 bytes of numbers\.$")
                self.assertIn("n elements are n * sizeof(T) bytes", found["suggestion"])
                self.assertEqual([each["action"].split()[0] for each in found["participants"]], ["reads", "calls"])
        self.assertEqual(self.only("malloc", "uninitialised-read")["participants"][1]["line"], 1 + COPIES[:COPIES.index("// too short")].count("\n"))

    def test_so_is_host_code_that_reads_elements_of_which_others_of_a_smaller_type_are_copied(self) -> None:
        for how, copied, whole in (("float of double", 256, 512), ("short of int", 128, 256), ("in place", 256, 512), ("short of double", 128, 512)):
            with self.subTest(how):
                found = self.only(how, "uninitialised-read")
                self.assertIn(f"no copy has filled: cudaMemcpy has copied {copied} of the {whole} bytes of ", found["message"])
                self.assertIn("with T the type of the array's elements", found["suggestion"])

    def test_copies_that_are_right_are_left_alone(self) -> None:
        self.assert_clean("whole", "a part that is read", "the rest is written", "four quarters", "a small array", "one element", "freed")
        self.assert_clean("half that is read", "half by the host", "half by the host before", "half in place by the host",
                          "half of a result by the host", "two halves", "two halves, last first")


#: Copies into variables of the device, by the way that the program is called.
SYMBOLS = """\
#include <cstdio>
#include <cstring>
__constant__ float weights[16];
__constant__ double wide[16];
__constant__ int given[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
__device__ int table[16];
__global__ void weigh(float* y, int n) { y[threadIdx.x] = weights[threadIdx.x % n]; }
__global__ void look(float* y) { y[threadIdx.x] = table[threadIdx.x]; }
__global__ void weigh_wide(float* y) { y[threadIdx.x] = wide[threadIdx.x]; }
__global__ void look_given(float* y) { y[threadIdx.x] = given[threadIdx.x]; }
__global__ void clear() { table[threadIdx.x] = 0; }
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const size_t size = sizeof(float), half = 8 * size;
  float w[16], *y;
  double d[16];
  int t[16];
  for (int i = 0; i < 16; ++i) w[i] = d[i] = t[i] = i + 1;
  cudaMalloc(&y, 16 * size);
  if (is("as many bytes")) { cudaMemcpyToSymbol(weights, w, 16); weigh<<<1, 16>>>(y, 16); }  // too few
  if (is("bytes of a device variable")) { cudaMemcpyToSymbol(table, t, 16); look<<<1, 16>>>(y); }
  if (is("float of double")) { cudaMemcpyToSymbol(wide, d, 16 * size); weigh_wide<<<1, 16>>>(y); }
  if (is("two variables")) { cudaMemcpyToSymbol(weights, w, 16); cudaMemcpyToSymbol(table, t, 64); weigh<<<1, 16>>>(y, 16); }
  if (is("offset in elements")) { cudaMemcpyToSymbol(weights, w, half); cudaMemcpyToSymbol(weights, w + 8, half, 8); weigh<<<1, 16>>>(y, 16); }
  if (is("four offsets")) { for (int i = 0; i < 16; i += 4) cudaMemcpyToSymbol(weights, w + i, 4 * size, i); weigh<<<1, 16>>>(y, 16); }
  if (is("odd offset")) { cudaMemcpyToSymbol(table, t, size, 5); look<<<1, 16>>>(y); }
  if (is("whole")) { cudaMemcpyToSymbol(weights, w, sizeof w); weigh<<<1, 16>>>(y, 16); }
  if (is("part that is read")) { cudaMemcpyToSymbol(weights, w, 16); weigh<<<1, 16>>>(y, 4); }
  if (is("offset in bytes")) { cudaMemcpyToSymbol(weights, w, half); cudaMemcpyToSymbol(weights, w + 8, half, half); weigh<<<1, 16>>>(y, 16); }
  if (is("last first")) { cudaMemcpyToSymbol(weights, w + 8, half, half); cudaMemcpyToSymbol(weights, w, half); weigh<<<1, 16>>>(y, 16); }
  if (is("part again")) {
    memset(w, 0, sizeof w);
    cudaMemcpyToSymbol(weights, w, sizeof w);
    cudaMemcpyToSymbol(weights, w, 16);
    weigh<<<1, 16>>>(y, 16);
  }
  if (is("element again")) { cudaMemcpyToSymbol(weights, w, sizeof w); cudaMemcpyToSymbol(weights, w, size, 2 * size); weigh<<<1, 16>>>(y, 16); }
  if (is("given")) { cudaMemcpyToSymbol(given, t, 16); look_given<<<1, 16>>>(y); }
  if (is("set by a kernel")) { cudaMemcpyToSymbol(table, t, 16); clear<<<1, 16>>>(); look<<<1, 16>>>(y); }
  if (is("set by its address")) {
    void* address;
    cudaGetSymbolAddress(&address, table);
    cudaMemset(address, 0, sizeof table);
    cudaMemcpyToSymbol(table, t, 16);
    look<<<1, 16>>>(y);
  }
  printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


class Symbols(Ways):
    def setUp(self) -> None:
        self.built_once(SYMBOLS)

    def test_a_kernel_that_reads_what_a_copy_into_a_variable_has_left_out_is_told_the_bytes(self) -> None:
        for how, place, copied, whole in (("as many bytes", "weights[4]", 16, 64), ("bytes of a device variable", "table[4]", 16, 64),
                                          ("float of double", "wide[8]", 64, 128), ("two variables", "weights[4]", 16, 64)):
            with self.subTest(how):
                found = self.only(how, "uninitialised-read")
                self.assertIn(f" of {place}, which nothing has set: cudaMemcpyToSymbol has copied {copied} of the {whole} bytes of the variable.",
                              found["message"])
                self.assertEqual(found["severity"], "warning")
        few = self.only("as many bytes", "uninitialised-read")
        self.assertEqual(few["participants"][1]["line"], 1 + SYMBOLS[:SYMBOLS.index("// too few")].count("\n"))

    def test_an_offset_in_elements_is_told_that_it_counts_bytes(self) -> None:
        for how, place, copied, offset in (("offset in elements", "weights[10]", 32, 8), ("four offsets", "weights[7]", 16, 4),
                                           ("odd offset", "table[5]", 4, 5)):
            with self.subTest(how):
                found = self.only(how, "uninitialised-read")
                self.assertIn(f" of {place}, which nothing has set: cudaMemcpyToSymbol has copied {copied} bytes to the offset {offset}, and counts "
                              "an offset in bytes, not in elements.", found["message"])
                self.assertIn("the offset n * sizeof(T)", found["suggestion"])

    def test_copies_into_variables_that_are_right_are_left_alone(self) -> None:
        self.assert_clean("whole", "part that is read", "offset in bytes", "last first", "part again", "element again", "given", "set by a kernel",
                          "set by its address")


#: What two streams do with the same memory, by the way that the program is called. No memory here is the host's, too.
STREAMS = """\
#include <cstdio>
#include <cstring>
__global__ void produce(int* v) { v[threadIdx.x] = threadIdx.x; }
__global__ void consume(const int* v, int* w) { w[threadIdx.x] = v[63 - threadIdx.x]; }
cudaStream_t stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t made;
  cudaStreamCreateWithFlags(&made, flags);
  return made;
}
void wait_for(cudaStream_t later, cudaStream_t earlier) {
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventRecord(event, earlier);
  cudaStreamWaitEvent(later, event);
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  int *v, *w, *locked;
  cudaMalloc(&v, 256);
  cudaMalloc(&w, 256);
  cudaMallocHost(&locked, 256);
  if (is("kernels")) { cudaStream_t s = stream(); produce<<<1, 64>>>(v); consume<<<1, 64, 0, s>>>(v, w); }
  if (is("stream 0")) { cudaStream_t s = stream(); produce<<<1, 64, 0, 0>>>(v); consume<<<1, 64, 0, s>>>(v, w); }
  if (is("made later")) { produce<<<1, 64>>>(v); consume<<<1, 64, 0, stream()>>>(v, w); }
  if (is("copy back")) { cudaStream_t s = stream(); produce<<<1, 64>>>(v); cudaMemcpyAsync(locked, v, 256, cudaMemcpyDeviceToHost, s); }
  if (is("set")) { cudaStream_t s = stream(); cudaMemset(v, 0, 256); consume<<<1, 64, 0, s>>>(v, w); }
  if (is("blocking")) { cudaStream_t s = stream(cudaStreamDefault); produce<<<1, 64>>>(v); consume<<<1, 64, 0, s>>>(v, w); }
  if (is("waits")) { cudaStream_t s = stream(); produce<<<1, 64>>>(v); cudaStreamSynchronize(0); consume<<<1, 64, 0, s>>>(v, w); }
  if (is("event")) { cudaStream_t s = stream(); produce<<<1, 64>>>(v); wait_for(s, 0); consume<<<1, 64, 0, s>>>(v, w); }
  if (is("other memory")) { cudaStream_t s = stream(); cudaMemset(w, 0, 256); produce<<<1, 64>>>(v); produce<<<1, 32, 0, s>>>(locked); }
  if (is("copied first")) {
    cudaStream_t s = stream();
    int h[64] = {};
    cudaMemcpy(v, h, 256, cudaMemcpyHostToDevice);
    consume<<<1, 64, 0, s>>>(v, w);
    cudaMemcpyAsync(h, w, 256, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
  }

  int *tmp = nullptr, *next = nullptr;
  const cudaStream_t a = stream(), b = stream(is("freed in a blocking stream") ? cudaStreamDefault : cudaStreamNonBlocking);
  cudaMallocAsync(&tmp, 256, a);  // allocates
  if (is("used elsewhere")) { produce<<<1, 64, 0, b>>>(tmp); cudaDeviceSynchronize(); }
  if (is("set elsewhere")) { cudaMemsetAsync(tmp, 0, 256, b); cudaDeviceSynchronize(); }
  if (is("used by default")) { produce<<<1, 64>>>(tmp); cudaDeviceSynchronize(); }
  if (is("waited for")) { cudaStreamSynchronize(a); produce<<<1, 64, 0, b>>>(tmp); cudaStreamSynchronize(b); }
  if (is("handed over")) { wait_for(b, a); produce<<<1, 64, 0, b>>>(tmp); wait_for(a, b); }
  produce<<<1, 64, 0, a>>>(tmp);
  if (is("freed elsewhere") || is("freed in a blocking stream")) cudaFreeAsync(tmp, b), tmp = nullptr;  // frees
  if (is("freed by default")) cudaFreeAsync(tmp, 0), tmp = nullptr;
  if (is("read elsewhere")) { cudaMemcpyAsync(v, tmp, 256, cudaMemcpyDeviceToDevice, a); wait_for(b, a); consume<<<1, 64, 0, b>>>(tmp, w); }
  if (is("freed after an event")) { wait_for(b, a); cudaFreeAsync(tmp, b), tmp = nullptr; }
  if (is("freed after a wait")) { cudaStreamSynchronize(a); cudaFreeAsync(tmp, b), tmp = nullptr; }
  if (is("freed at once")) { cudaFree(tmp), tmp = nullptr; }
  if (tmp) cudaFreeAsync(tmp, a);
  cudaMallocAsync(&next, 256, a);
  produce<<<1, 64, 0, a>>>(next);
  cudaFreeAsync(next, a);
  printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


class Streams(Ways):
    def setUp(self) -> None:
        self.built_once(STREAMS)

    def test_a_non_blocking_stream_does_not_wait_for_the_default_one(self) -> None:
        for how, later in {"kernels": "The kernel consume", "stream 0": "The kernel consume", "made later": "The kernel consume",
                           "copy back": "A copy or memset", "set": "The kernel consume"}.items():
            with self.subTest(how):
                earlier = "an earlier copy or memset" if how == "set" else "the kernel produce"
                self.assertEqual(self.only(how, "unfinished-work")["message"],
                                 f"{later} uses v[0] that {earlier} in another stream may still write: nothing orders the two.")
        self.assert_clean("blocking", "waits", "event", "other memory", "copied first")

    def test_memory_of_one_stream_is_not_there_for_another_before_that_has_waited(self) -> None:
        for how, later in {"used elsewhere": "The kernel produce", "set elsewhere": "A copy or memset",
                           "used by default": "The kernel produce"}.items():
            with self.subTest(how):
                found = self.only(how, "unfinished-work")
                self.assertIn(f"{later} uses tmp[0] that cudaMallocAsync allocates in another stream", found["message"])
                self.assertEqual(found["participants"][1]["line"], 1 + STREAMS[:STREAMS.index("// allocates")].count("\n"))
        self.assert_clean("waited for", "handed over", "nothing")

    def test_memory_is_freed_after_all_that_uses_it(self) -> None:
        for how, earlier in {"freed elsewhere": "the kernel produce", "freed in a blocking stream": "the kernel produce",
                             "freed by default": "the kernel produce", "read elsewhere": "the kernel consume"}.items():
            with self.subTest(how):
                found = self.only(how, "unfinished-work")
                use = "read" if how == "read elsewhere" else "write"
                self.assertEqual(found["message"], f"cudaFreeAsync frees tmp[0] that {earlier} in another stream may still {use}: "
                                                   "nothing orders the two.")
                self.assertEqual(found["participants"][0]["action"], "frees it")
                self.assertIn("free it in the stream that uses it last", found["suggestion"])
        self.assert_clean("freed after an event", "freed after a wait", "freed at once")


#: Calls that fail, and bytes that are too few, by the way that the program is called.
AMOUNTS = """\
#include <cstdio>
#include <cstring>
#include <vector>
__global__ void set(float* a, size_t i) { a[i] = 1; }
__global__ void fill(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}
__global__ void fill_bytes(char* a) { a[threadIdx.x] = 1; }
struct Particle { float x, y, z; };
__global__ void step(Particle* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i].x = 1;
}
__global__ void two_arrays(int* in, int words) {
  extern __shared__ int words_first[];
  short* shorts = reinterpret_cast<short*>(words_first + words);
  const int t = threadIdx.x;
  words_first[t] = in[t];
  shorts[t] = t;
  __syncthreads();
  in[t] = words_first[t] + shorts[t];
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const int n = 1000;
  float* a = nullptr;
  int* d;
  std::vector<int> h(n);
  cudaMalloc(&d, n * sizeof(int));
  cudaMemset(d, 0, n * sizeof(int));
  if (is("refused")) { if (cudaMalloc(&a, size_t(1) << 50) != cudaSuccess) printf("no memory\\n"); set<<<1, 1>>>(a, 1 << 20); }
  if (is("behind null")) set<<<1, 1>>>(a, 1 << 20);
  if (is("no address")) cudaMalloc((void**)a, 32);
  if (is("narrow pitch")) { int pad[32]; cudaMemcpy2D(d, 128, pad, 8, 32, 4, cudaMemcpyHostToDevice); }
  if (is("wide pitch")) { int pad[32]; cudaMemcpy2D(d, 128, pad, 32, 32, 4, cudaMemcpyHostToDevice); }
  if (is("too many rows")) { int pad[64]; cudaMemcpy2D(d, 1000, pad, 32, 32, 5, cudaMemcpyHostToDevice); }
  if (is("freed")) { cudaFree(d); cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost); }
  if (is("not ready") || is("ready")) {
    cudaEvent_t begin, end;
    float milliseconds;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaEventRecord(begin);
    fill<<<4, 256>>>(d, n);
    cudaEventRecord(end);
    if (is("ready")) cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, begin, end);
  }
  if (is("ones")) cudaMemset(d, 1, n * sizeof(int));
  if (is("bits")) cudaMemset(d, 0x7f, n * sizeof(int)), cudaMemset(d, 0xff, n * sizeof(int));
  if (is("bytes of one")) { char* c; cudaMalloc(&c, n); cudaMemset(c, 1, n); fill_bytes<<<1, 32>>>(c); }
  if (is("left over") || is("rounded up")) {
    int* e;
    cudaMalloc(&e, n * sizeof(int));
    fill<<<is("left over") ? n / 256 : (n + 255) / 256, 256>>>(e, n);
    cudaMemcpy(h.data(), e, n * sizeof(int), cudaMemcpyDeviceToHost);
    long sum = 0;
    for (const int each : h) sum += each;
    printf("%ld\\n", sum);
  }
  if (is("bytes for elements")) { int* e; cudaMalloc(&e, n); fill<<<4, 256>>>(e, n); }
  if (is("size of a pointer")) { Particle* p; cudaMalloc(&p, 100 * sizeof(Particle*)); step<<<1, 128>>>(p, 100); }
  if (is("wrong guard")) fill<<<4, 256>>>(d, n + 8);
  if (is("overlap")) two_arrays<<<1, 64, 64 * (4 + 2)>>>(d, 32);
  if (is("apart")) two_arrays<<<1, 64, 64 * (4 + 2)>>>(d, 64);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Amounts(Ways):
    def setUp(self) -> None:
        self.built_once(AMOUNTS)

    def test_calls_that_fail_say_why(self) -> None:
        for how, why in (("no address", "its first argument is a null pointer, and should be the address of the pointer"),
                         ("narrow pitch", "its rows have 32 bytes, and one of its pitches is 8 bytes"),
                         ("freed", "the memory of the device that it is given has been freed before"),
                         ("too many rows", "it is to use 4032 bytes, and d has 4000 bytes from there on"),
                         ("not ready", "the host has not waited for the work that it measures")):
            with self.subTest(how):
                self.assertIn(why, self.only(how, "unheard-error")["message"])
        self.assert_clean("wide pitch", "ready")

    def test_memory_that_is_not_there_or_too_small_is_told_its_bytes(self) -> None:
        found = self.only("refused", "out-of-bounds")
        self.assertIn("cudaMalloc, which was called before, has failed and allocated nothing", found["message"])
        self.assertEqual([each["action"].split()[0] for each in found["participants"]], ["writes", "calls"])
        self.assertIn("through a null pointer and an index, 4194304 bytes behind address 0", self.only("behind null", "out-of-bounds")["message"])
        for how in ("bytes for elements", "size of a pointer"):
            told = self.run_program(how, options=("--no-counters",)).stderr
            self.assertIn("cudaMalloc counts bytes, and n elements are n * sizeof(T) bytes", told)
            self.assertNotIn("lets this index through", told)
        self.assertIn("lets this index through", self.run_program("wrong guard", options=("--no-counters",)).stderr)

    def test_bytes_that_are_set_for_larger_elements_are_named(self) -> None:
        found = self.only("ones", "memset-value")
        self.assertIn("where each byte is 1, an element of d is 16843009 as an integer", found["message"])
        self.assert_clean("bits", "bytes of one")

    def test_host_code_that_reads_what_no_kernel_has_written_is_told_the_grid(self) -> None:
        found = self.only("left over", "uninitialised-read")
        self.assertIn("Host code reads 4 bytes that cudaMemcpy has copied from e[768], where nothing has been written", found["message"])
        self.assertIn("(n + threads - 1) / threads", found["suggestion"])
        self.assert_clean("rounded up")

    def test_two_arrays_that_lie_on_each_other_are_told_by_the_sizes_of_what_is_written(self) -> None:
        found = self.found("overlap")
        self.assertIn("write 4 and 2 bytes: if they belong to two arrays in one buffer", found[0]["suggestion"].replace("write 2 and 4", "write 4 and 2"))
        self.assert_clean("apart")


#: Indices that a comparison lets through, by the way that the program is called.
BOUNDS = """\
#include <cstdio>
#include <cstring>
struct Image { int width, height; float* p; };
struct Vectors { float *a, *b; int n; };
#define AT(x, y) ((x) * 40 + (y))
__global__ void members(Image in, Image out) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < in.width && row < in.height)
    out.p[row * out.height + col] = in.p[row * in.height + col] > 1 ? 1 : 0;
}
__global__ void members_right(Image in, Image out) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < in.width && row < in.height)
    out.p[row * out.width + col] = in.p[row * in.width + col] > 1 ? 1 : 0;
}
__global__ void returned(float* a, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const int at = y * h + x;
  a[at] = 1;
}
__global__ void rows(float* a, int w, int h, int times) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  a[times * (y * w + x)] = 1;
}
__global__ void macro(const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= 39 || y >= 19) return;
  float l = in[AT(x - 1, y)];
  float r = in[AT(x + 1, y)];
  out[AT(x, y)] = l + r;
}
__global__ void pitched(float* p, size_t pitch, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) p[y * pitch + x] = 1;
}
__global__ void pitched_right(float* p, size_t pitch, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) ((float*)((char*)p + y * pitch))[x] = 1;
}
__global__ void unrolled(float* a, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    a[i] = 1;
    a[i + 2] = 1;
    a[i + 3] = 1;
  }
}
__global__ void dynamic_sum(float* out) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = s[0] + s[31];
}
__global__ void mark(float* m, size_t count) {
  size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) * 1000000;
  if (i < count) m[i] = 1;
}
__global__ void mark_square(float* m, int n) {
  size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) * 2000000;
  if (i < size_t(n) * n) m[i] = 1;
}
__global__ void fill(Vectors v) { if (threadIdx.x < v.n) v.b[threadIdx.x] = v.a[threadIdx.x]; }
__global__ void set(float* p) { p[threadIdx.x] = 1; }
__global__ void carved(float* out, int n) {
  extern __shared__ char bytes[];
  float* v = (float*)&bytes[n];
  v[threadIdx.x] = 1;
  out[threadIdx.x] = v[threadIdx.x];
}
void allocate_copy(Vectors v) {
  cudaMalloc(&v.a, v.n * sizeof(float));
  cudaMalloc(&v.b, v.n * sizeof(float));
}
void allocate(Vectors& v) {
  cudaMalloc(&v.a, v.n * sizeof(float));
  cudaMalloc(&v.b, v.n * sizeof(float));
}
float* make(size_t n) {
  float* d;
  cudaMalloc(&d, n * sizeof(float));
  return d;
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const int w = 20, h = 40;
  const dim3 grid(3, 3), block(16, 16);
  float *a, *b, *p = nullptr;
  size_t pitch;
  cudaMalloc(&a, w * h * sizeof(float));
  cudaMalloc(&b, w * h * sizeof(float));
  cudaMemset(a, 0, w * h * sizeof(float));
  cudaMemset(b, 0, w * h * sizeof(float));
  cudaMallocPitch(&p, &pitch, w * sizeof(float), h);
  cudaMemset2D(p, pitch, 0, pitch, h);
  if (is("members")) members<<<grid, block>>>({w, h, a}, {w, h, b});
  if (is("members right")) members_right<<<grid, block>>>({w, h, a}, {w, h, b});
  if (is("returned")) returned<<<grid, block>>>(a, w, h);
  if (is("too small")) rows<<<grid, block>>>(make(w * h), w, h, 3);
  if (is("rows right")) rows<<<grid, block>>>(make(w * h), w, h, 1);
  if (is("macro")) macro<<<grid, block>>>(a, b);
  if (is("pitched")) pitched<<<grid, block>>>(p, pitch, w, h);
  if (is("pitched right")) pitched_right<<<grid, block>>>(p, pitch, w, h);
  if (is("pitched bound")) pitched_right<<<grid, block>>>(p, pitch, w, h + 1);
  if (is("unrolled")) unrolled<<<8, 64>>>(a, w * h);
  if (is("no bytes")) dynamic_sum<<<1, 32>>>(a);
  if (is("bytes")) dynamic_sum<<<1, 32, 128>>>(a);
  int n = words[1][0] * 0 + 40000, many = 70000;
  if (is("cut bytes")) { float* m; int bytes = n * n * sizeof(float); cudaMalloc(&m, bytes); mark<<<10, 256>>>(m, size_t(n) * n); }
  if (is("cut product")) { float* m; cudaMalloc(&m, unsigned(many) * many * 4u); mark_square<<<10, 256>>>(m, many); }
  if (is("cut elements")) { float* m; cudaMalloc(&m, unsigned(many) * many * sizeof(float)); mark_square<<<10, 256>>>(m, many); }
  if (is("not cut")) { float* m; cudaMalloc(&m, 4000); mark_square<<<1, 256>>>(m, 40000); }
  Vectors v = {nullptr, nullptr, 32};
  if (is("copied")) { allocate_copy(v); fill<<<1, 32>>>(v); }
  if (is("shadowed")) { float* q = nullptr; { float* q; cudaMalloc(&q, 128); } set<<<1, 32>>>(q); }
  if (is("by reference")) { allocate(v); cudaMemset(v.a, 0, 128); fill<<<1, 32>>>(v); }
  if (is("only null")) set<<<1, 32>>>(nullptr);
  if (is("carved")) carved<<<1, 32, 256>>>(a, 101);
  if (is("carved right")) carved<<<1, 32, 256>>>(a, 104);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Bounds(Ways):
    def setUp(self) -> None:
        self.built_once(BOUNDS)

    def told(self, how: str) -> str:
        return self.only(how, "out-of-bounds")["rendered"]

    def test_an_index_that_is_let_through_is_told_how_it_is_made(self) -> None:
        for how in ("members", "returned"):
            told = self.told(how)
            self.assertIn("the factor has to be the length of a row", told)
            self.assertRegex(told, "has `(height|h)` as the bound of `(row|y)`")
        self.assertIn("the index is `row * width + column`", self.told("macro"))
        self.assertIn("A pitch counts bytes, and an index elements", self.told("pitched"))
        self.assertIn("in rows of 512 bytes", self.told("pitched"))
        for how in ("too small", "pitched bound", "unrolled"):
            told = self.told(how)
            self.assertIn("or the array is too small", told)
            self.assertNotIn("row * width", told)
            self.assertNotIn("A pitch counts bytes", told)
        self.assert_clean("members right", "rows right", "pitched right", "bytes")

    def test_accesses_beyond_an_array_are_told_its_allocation_and_the_callers(self) -> None:
        told = self.told("too small")
        self.assertIn("host code has allocated it: 3200 bytes", told)
        self.assertLess(told.index("| cudaMalloc(&d, n * sizeof(float));"), told.index("rows<<<grid, block>>>(make(w * h), w, h, 3);"))

    def test_one_comparison_that_lets_several_lines_through_is_one_finding(self) -> None:
        for how, lines in (("macro", 2), ("unrolled", 1), ("no bytes", 1)):
            self.assertRegex(self.told(how), "likewise in lines? " + r"\d+( and \d+)?\n" if lines == 1 else r"likewise in lines \d+ and \d+\n")

    def test_bytes_that_were_cut_to_32_bits_are_told_the_whole_number(self) -> None:
        self.assertIn("1600000000 elements are 6400000000 bytes, and this number was cut to 32 bits", self.told("cut bytes"))
        for how in ("cut product", "cut elements"):
            self.assertIn("4900000000 elements are 19600000000 bytes", self.told(how))
        self.assertNotIn("32 bits", self.told("not cut"))

    def test_a_null_pointer_is_told_the_memory_whose_pointer_was_lost(self) -> None:
        told = self.told("copied")
        self.assertIn("is in no argument of this launch", told)
        self.assertLess(told.index("cudaMalloc(&v.a"), told.index("allocate_copy(v); fill"))
        self.assertIn("is in no argument of this launch", self.told("shadowed"))
        self.assertNotIn("argument of this launch", self.told("only null"))
        self.assert_clean("by reference")

    def test_an_array_behind_some_bytes_is_told_the_offset_that_is_aligned(self) -> None:
        found = self.only("carved", "misaligned-access")
        self.assertIn("v begins 101 bytes behind the start of the dynamic shared memory", found["message"])
        self.assertIn("let v begin 104 bytes behind the start", found["suggestion"])
        self.assert_clean("carved right")


#: What many threads change, and calls that are given the wrong thing, by the way that the program is called.
STEPS = """\
#include <cstdio>
#include <cstring>
#include <vector>
__device__ int lock, total, found;
__global__ void compact(const int* in, int n, int* out, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] == 0) {
    out[*count] = i;
    (*count)++;
  }
}
__global__ void compact_in_block(const int* in, int n, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x < n && in[threadIdx.x] == 0) {
    out[count] = threadIdx.x;
    count += 1;
  }
}
__global__ void number(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
  total = total + 1;
}
__global__ void in_index(const int* in, int n, int* out, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] == 0) out[(*count)++] = i;
}
__global__ void compact_right(const int* in, int n, int* out, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] == 0) out[atomicAdd(count, 1)] = i;
}
__global__ void locked(int* sum) {
  bool done = false;
  while (!done) {
    if (lock == 0) {
      lock = 1;
      *sum += 1;
      lock = 0;
      done = true;
    }
  }
}
__global__ void tried(int* sum) {
  if (!found) {
    found = 1;
    atomicAdd(sum, 1);
    found = 0;
  }
}
__global__ void own_sum(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (threadIdx.x == 0) sum += 3;
  out[threadIdx.x] = sum;
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const int n = 512;
  int *in, *out, *count;
  std::vector<float> h(64);
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  cudaMemset(out, 0, n * sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  if (is("compact")) compact<<<4, 128>>>(in, n, out, count);
  if (is("compact in block")) compact_in_block<<<1, 128>>>(in, 128, out);
  if (is("number")) number<<<4, 128>>>(out);
  if (is("in index")) in_index<<<4, 128>>>(in, n, out, count);
  if (is("compact right")) compact_right<<<4, 128>>>(in, n, out, count);
  if (is("locked")) locked<<<2, 64>>>(count);
  if (is("tried")) tried<<<2, 64>>>(count);
  if (is("own sum")) own_sum<<<1, 64>>>(out);
  if (is("device")) cudaSetDevice(1);
  if (is("device right")) cudaSetDevice(0);
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &desc, 8, 8);
  if (is("to array")) cudaMemcpy(array, h.data(), 256, cudaMemcpyHostToDevice);
  if (is("from array")) cudaMemcpy(h.data(), array, 256, cudaMemcpyDeviceToHost);
  if (is("by default")) cudaMemcpy(array, in, 256, cudaMemcpyDeviceToDevice);
  if (is("array right")) cudaMemcpy2DToArray(array, 0, 0, h.data(), 32, 32, 8, cudaMemcpyHostToDevice);
  cudaFreeArray(array);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Steps(Ways):
    def setUp(self) -> None:
        self.built_once(STEPS)

    def test_what_many_threads_change_is_told_the_atomic_of_one_step(self) -> None:
        for how in ("compact", "compact in block", "number", "in index"):
            told = "".join(each["rendered"] for each in self.found(how))
            self.assertIn("int place = atomicAdd(count, 1)", told, how)
            self.assertNotIn("split the kernel", told, how)
        self.assertNotIn("int place =", "".join(each["rendered"] for each in self.found("own sum")))
        self.assert_clean("compact right")

    def test_a_lock_of_plain_accesses_is_told_the_exchange(self) -> None:
        for how in ("locked", "tried"):
            told = self.found(how)[0]["rendered"]
            self.assertIn("atomicCAS(&lock, 0, 1) == 0", told, how)
            self.assertNotIn("split the kernel", told, how)

    def test_calls_that_are_given_the_wrong_thing_are_told_the_right_one(self) -> None:
        for how in ("to array", "from array", "by default"):
            found = self.only(how, "unheard-error")
            self.assertIn("is given a CUDA array, which is no memory of bytes", found["message"])
        self.assertIn("asked for device 1, and there is 1 device", self.only("device", "unheard-error")["message"])
        self.assert_clean("array right", "device right")


#: Elements that pairs of threads use, by the way that the program is called.
PAIRS = """\
#include <cstdio>
#include <cstring>
__global__ void turned(float* m, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float kept = m[y * n + x];
    m[y * n + x] = m[x * n + y];
    m[x * n + y] = kept;
  }
}
__global__ void turned_right(float* m, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n && x < y) {
    float kept = m[y * n + x];
    m[y * n + x] = m[x * n + y];
    m[x * n + y] = kept;
  }
}
__global__ void copied_across(float* m, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) m[x * n + y] = m[y * n + x];
}
__device__ void swap_two(float& a, float& b) {
  float kept = a;
  a = b;
  b = kept;
}
__global__ void reversed(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) swap_two(a[i], a[n - 1 - i]);
}
__global__ void reversed_right(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) swap_two(a[i], a[n - 1 - i]);
}
__global__ void reversed_in_block(float* a) {
  __shared__ float s[64];
  int i = threadIdx.x;
  s[i] = a[i];
  __syncthreads();
  float one = s[i], other = s[63 - i];
  s[i] = other;
  s[63 - i] = one;
  __syncthreads();
  a[i] = s[i];
}
__global__ void two_steps(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float one = a[i], other = a[n - 1 - i];
  __syncthreads();
  a[i] = other + 1;
  a[n - 1 - i] = one + 2;
}
__global__ void smooth(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = -1; k <= 1; ++k) if (i + k >= 0 && i + k < n) sum += a[i + k];
  a[i] = sum / 3;
}
__global__ void no_block(float* a, float* b) {
  int i = threadIdx.x;
  float x = a[i], y = b[i];
  a[i] = y + 1;
  b[i] = x + 1;
}
__global__ void shifted(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) a[i] = a[i + 1];
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const int n = 32;
  float *m, *b;
  static float h[n * n];
  for (int i = 0; i < n * n; ++i) h[i] = i * 37 % 101;
  cudaMalloc(&m, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(m, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
  const dim3 square(8, 8), four(4, 4);
  if (is("turned")) turned<<<four, square>>>(m, n);
  if (is("turned in block")) turned<<<1, square>>>(m, 8);
  if (is("turned right")) turned_right<<<four, square>>>(m, n);
  if (is("copied across")) copied_across<<<four, square>>>(m, n);
  if (is("reversed")) reversed<<<4, 64>>>(m, 256);
  if (is("reversed right")) reversed_right<<<4, 64>>>(m, 256);
  if (is("reversed in block")) reversed_in_block<<<1, 64>>>(m);
  if (is("two steps")) two_steps<<<2, 64>>>(m, 128);
  if (is("smooth")) smooth<<<16, 16>>>(m, 256);
  if (is("no block")) no_block<<<2, 64>>>(m, b);
  if (is("shifted")) shifted<<<4, 64>>>(m, 256);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Pairs(Ways):
    def setUp(self) -> None:
        self.built_once(PAIRS)

    def test_an_exchange_by_both_threads_is_told_that_one_is_to_do_it(self) -> None:
        for how, race in (("turned", "global-race"), ("turned in block", "global-race"), ("reversed", "global-race"),
                          ("reversed in block", "shared-race"), ("two steps", "global-race")):
            told = self.only(how, race)["rendered"]
            self.assertIn("try: both threads exchange the same two elements", told, how)
            self.assertNotIn("atomicAdd", told, how)
        self.assert_clean("turned right", "reversed right")

    def test_threads_that_each_write_what_the_other_one_reads_are_told_another_array(self) -> None:
        told = self.only("copied across", "global-race")["rendered"]
        self.assertIn("try: each of the two threads reads what the other one writes, and blocks run in any order: write to another array", told)

    def test_neighbours_and_blocks_without_their_index_exchange_nothing(self) -> None:
        for how in ("smooth", "no block", "shifted"):
            told = "".join(each["rendered"] for each in self.found(how))
            self.assertIn("error: global-race", told, how)
            self.assertNotIn("exchange", told, how)
            self.assertNotIn("each of the two threads reads", told, how)


#: Values that are compared and then written, by the way that the program is called.
COMPARED = """\
#include <cstdio>
#include <cstring>
__global__ void largest(const int* a, int n, int* best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > *best) *best = a[i];
}
__global__ void largest_of_block(const float* a, float* out) {
  __shared__ float best;
  if (threadIdx.x == 0) best = a[0];
  __syncthreads();
  float v = a[threadIdx.x];
  if (best < v)
    best = v;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = best;
}
__global__ void nearest(const float* a, int n, float* least, int* where) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float d = a[i] * a[i];
  if (d < *least) {
    *least = d;
    *where = i;
  }
}
__global__ void index_of_largest(const int* a, int n, int* place) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > a[*place]) *place = i;
}
__global__ void by_function(const int* a, int n, int* best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *best = max(*best, a[i]);
}
__global__ void by_question(const int* a, int n, int* best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) best[0] = a[i] < best[0] ? a[i] : best[0];
}
__global__ void of_rows(const int* a, int n, int* best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i % 8;
  if (i < n)
    if (best[row] < a[i])
      best[row] = a[i];
}
__global__ void relaxed(const int* from, const int* to, const int* weight, int m, int* dist) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < m && dist[from[e]] + weight[e] < dist[to[e]]) dist[to[e]] = dist[from[e]] + weight[e];
}
__global__ void kept_first(const int* a, int n, int* best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int before = *best;
  int v = a[i];
  if (v > before) {
    *best = v;
  }
}
struct Best { float v; int i; };
__global__ void in_structure(const float* a, int n, Best* best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    if (a[i] > best->v) {
      best->v = a[i];
      best->i = i;
    }
}
__global__ void first_of_all(const int* a, int n, int* first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] == 7) *first = i;
}
__global__ void counted_up(const int* a, int n, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int before = *count;
  if (a[i] > 5 && before < 100) {
    *count = before + 1;
  }
}
__global__ void flagged(const int* a, int n, int* state) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > *state) *state = i;
}
__global__ void right(const int* a, int n, int* best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > 3) atomicMax(best, a[i]);
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const int n = 512;
  int h[n], *a, *b, *c, *d;
  float f[n], *x, *y;
  for (int i = 0; i < n; ++i) h[i] = (i * 37 + 11) % 101, f[i] = (i * 37 + 11) % 101;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMalloc(&c, sizeof h);
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&x, sizeof f);
  cudaMalloc(&y, sizeof f);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(c, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof h);
  cudaMemcpy(x, f, sizeof f, cudaMemcpyHostToDevice);
  cudaMemcpy(y, f, sizeof f, cudaMemcpyHostToDevice);
  for (int i = 0; i < n; ++i) h[i] = i % 64;
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  if (is("nearest")) {
    for (int i = 0; i < n; ++i) f[i] = 300 - i;
    cudaMemcpy(x, f, sizeof f, cudaMemcpyHostToDevice);
  }
  if (is("largest")) largest<<<4, 128>>>(a, n, b);
  if (is("largest of block")) largest_of_block<<<1, 128>>>(x + 128, y);
  if (is("nearest")) nearest<<<4, 128>>>(x, n, y, b);
  if (is("index of largest")) index_of_largest<<<4, 128>>>(a, n, b);
  if (is("by function")) by_function<<<4, 128>>>(a, n, b);
  if (is("by question")) by_question<<<4, 128>>>(a, n, c);
  if (is("of rows")) of_rows<<<4, 128>>>(a, n, b);
  if (is("relaxed")) relaxed<<<4, 128>>>(b, d, a, n, c);
  if (is("kept first")) kept_first<<<4, 128>>>(a, n, b);
  if (is("in structure")) in_structure<<<4, 128>>>(x, n, (Best*)b);
  if (is("first of all")) first_of_all<<<4, 128>>>(a, n, b);
  if (is("counted up")) counted_up<<<4, 128>>>(a, n, b);
  if (is("flagged")) flagged<<<4, 128>>>(a, n, b);
  if (is("right")) right<<<4, 128>>>(a, n, b);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Compared(Ways):
    def setUp(self) -> None:
        self.built_once(COMPARED)

    def test_threads_that_compare_and_then_write_are_told_the_atomic_of_one_step(self) -> None:
        for how, race in (("largest", "global-race"), ("largest of block", "shared-race"), ("index of largest", "global-race"), ("by function", "global-race"),
                          ("by question", "global-race"), ("of rows", "global-race"), ("relaxed", "global-race"), ("kept first", "global-race"), ("in structure", "global-race")):
            told = self.only(how, race)["rendered"]
            self.assertIn("do both in one step, with atomicMax or atomicMin", told, how)
            self.assertNotIn("split the kernel", told, how)
            self.assertNotIn("atomicAdd", told, how)
        self.assert_clean("right")

    def test_so_are_those_that_keep_an_index_beside_the_value(self) -> None:
        least, where = self.found("nearest")
        self.assertIn("with the value in the upper half", least["rendered"])
        self.assertIn("atomicMax or atomicMin", where["rendered"])
        self.assertIn("use atomicMax or atomicMin", self.only("first of all", "global-race")["rendered"])

    def test_what_is_made_of_the_value_that_was_read_is_counted(self) -> None:
        self.assertIn("int place = atomicAdd(count, 1)", self.only("counted up", "global-race")["rendered"])


#: Elements whose index is read from memory, by the way that the program is called.
SCATTERED = """\
#include <cstdio>
#include <cstring>
__global__ void scattered(const int* index, const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[index[i]] = in[i];
}
__global__ void binned(const int* bin, int* hist, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) hist[bin[i]]++;
}
__global__ void spread_out(const int* row, const int* col, const float* rank, float* next, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) next[col[j]] += rank[row[j]] / 2;
}
__global__ void by_variable(const int* cell, const float* mass, float* grid, int n) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n) return;
  const int c = cell[p];
  grid[c] += mass[p];
}
struct Spring { int a, b; float force; };
__global__ void pulled(const Spring* springs, float* f, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  Spring s = springs[k];
  f[s.a] += s.force;
  f[s.b] -= s.force;
}
__global__ void by_pointers(const Spring* springs, float* f, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  int i = springs[k].a, j = springs[k].b;
  f[i] += springs[k].force;
  f[j] -= springs[k].force;
}
__global__ void letters(const char* text, int* counts, int n) {
  __shared__ int local[32];
  if (threadIdx.x < 32) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    char c = text[i];
    if (c >= 'a' && c <= 'z') local[c - 'a']++;
  }
  __syncthreads();
  if (threadIdx.x < 32) counts[threadIdx.x] = local[threadIdx.x];
}
__global__ void in_two_steps(const int* bin, float* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int key = bin[i];
  float old = sums[key];
  sums[key] = old + 1;
}
__global__ void listed(const float* at, int* head, int* next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = (int)(at[i] / 10), cell = x + 30;
  next[i] = head[cell];
  head[cell] = i;
}
__global__ void of_threads(const float* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  if (x > 0) out[threadIdx.x % 8] += 1;
}
__global__ void permuted(const int* index, float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[index[i]] = a[i];
}
__global__ void matrix(const float* m, const float* x, float* y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (r < rows && c < cols) y[r] += m[r * cols + c] * x[c];
}
__global__ void right(const int* bin, int* hist, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&hist[bin[i]], 1);
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const int n = 512;
  int h[n], *index, *row, *hist, *turned;
  char t[n], *text;
  float f[n], *x, *y;
  Spring s[n], *springs;
  for (int i = 0; i < n; ++i) h[i] = (i * 37 + 11) % 101, f[i] = 300 - i, s[i] = {i % 50, (i + 3) % 50, 1.0f}, t[i] = 'a' + i % 7;
  cudaMalloc(&index, sizeof h);
  cudaMalloc(&row, sizeof h);
  cudaMalloc(&hist, sizeof h);
  cudaMalloc(&turned, sizeof h);
  cudaMalloc(&text, sizeof t);
  cudaMalloc(&springs, sizeof s);
  cudaMalloc(&x, sizeof f);
  cudaMalloc(&y, sizeof f);
  cudaMemcpy(index, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(row, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(text, t, sizeof t, cudaMemcpyHostToDevice);
  cudaMemcpy(springs, s, sizeof s, cudaMemcpyHostToDevice);
  cudaMemset(hist, 0, sizeof h);
  cudaMemcpy(x, f, sizeof f, cudaMemcpyHostToDevice);
  cudaMemcpy(y, f, sizeof f, cudaMemcpyHostToDevice);
  for (int i = 0; i < n; ++i) h[i] = i * 17 % n;
  cudaMemcpy(turned, h, sizeof h, cudaMemcpyHostToDevice);
  if (is("scattered")) scattered<<<4, 128>>>(index, x, y, n);
  if (is("binned")) binned<<<2, 128>>>(index, hist, n);
  if (is("spread out")) spread_out<<<4, 128>>>(row, index, x, y, n);
  if (is("by variable")) by_variable<<<4, 128>>>(index, x, y, n);
  if (is("pulled")) pulled<<<4, 128>>>(springs, y, n);
  if (is("by pointers")) by_pointers<<<4, 128>>>(springs, y, n);
  if (is("letters")) letters<<<1, 128>>>(text, hist, n);
  if (is("in two steps")) in_two_steps<<<4, 128>>>(index, y, n);
  if (is("listed")) listed<<<4, 128>>>(y, hist, turned, n);
  if (is("of threads")) of_threads<<<1, 128>>>(x, hist, n);
  if (is("permuted")) permuted<<<4, 128>>>(turned, x, n);
  if (is("matrix")) matrix<<<dim3(2, 8), 32>>>(x, x, y, 8, 64);
  if (is("right")) right<<<4, 128>>>(index, hist, n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Scattered(Ways):
    def setUp(self) -> None:
        self.built_once(SCATTERED)

    def test_elements_of_equal_indices_are_told_where_the_index_comes_from(self) -> None:
        for how, race, index in (("binned", "global-race", "`bin[i]`"), ("spread out", "global-race", "`col[j]`"), ("by variable", "global-race", "`cell[p]`"),
                                 ("pulled", "global-race", "`springs[k]`"), ("by pointers", "global-race", "`springs[k].b` and `springs[k].a`"),
                                 ("in two steps", "global-race", "`bin[i]`"), ("listed", "global-race", "`at[i]`"), ("letters", "shared-race", "`text[i]`")):
            told = self.only(how, race)["rendered"]
            self.assertIn(f"by an index that is made of what they read from memory, {index}: it is the same for both", told, how)
            self.assertIn("need an atomic such as atomicAdd", told, how)
        told = self.only("scattered", "global-race")["rendered"]
        self.assertIn("what they read from memory, `index[i]`", told)
        self.assertIn("if every index is to come once, look at how these are made", told)
        self.assert_clean("right")

    def test_others_are_not(self) -> None:
        for how in ("permuted", "matrix", "of threads"):
            self.assertNotIn("read from memory", self.only(how, "global-race")["rendered"])


#: Locks, by the way that the program is called.
LOCKS = """\
#include <cstdio>
#include <cstring>
__device__ int mutex;
__device__ float total;
__global__ void added(const float* a, float* sum, int* lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    *sum += a[blockIdx.x];
    *lock = 0;
  }
}
__global__ void added_fenced(const float* a, float* sum, int* lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    *sum += a[blockIdx.x];
    __threadfence();
    *lock = 0;
  }
}
__global__ void by_exchange(const float* a) {
  bool done = false;
  while (!done) {
    if (atomicExch(&mutex, 1) == 0) {
      total += a[threadIdx.x];
      mutex = 0;
      done = true;
    }
  }
}
struct Lock {
  int* state;
  __device__ void lock() { while (atomicCAS(state, 0, 1) != 0); }
  __device__ void unlock() { *state = 0; }
};
__global__ void by_struct(Lock l, const float* a, float* sum) {
  if (threadIdx.x != 0) return;
  l.lock();
  sum[0] = sum[0] + a[blockIdx.x];
  l.unlock();
}
__global__ void in_shared(const float* a, float* out) {
  __shared__ int taken;
  __shared__ float best;
  if (threadIdx.x == 0) taken = 0, best = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&taken, 0, 1) == 0) {
      if (a[threadIdx.x] > best) best = a[threadIdx.x];
      taken = 0;
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = best;
}
__global__ void no_fence(const float* a, float* sum, int* lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    *sum += a[blockIdx.x];
    atomicExch(lock, 0);
  }
}
__global__ void no_fence_volatile(volatile int* lock, float* sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS((int*)lock, 0, 1) == 1) {}
    *sum = *sum + 1;
    *lock = 0;
  }
}
__global__ void right(const float* a, float* sum, int* lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *sum += a[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void counted(int* out, int* count) {
  int k = atomicAdd(count, 1);
  out[k] = k;
  if (threadIdx.x == 0 && blockIdx.x == 3) *count = 0;
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const int n = 512;
  float f[n], *x, *y;
  int *lock, *out;
  for (int i = 0; i < n; ++i) f[i] = 300 - i;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&out, 4 * n);
  cudaMemset(lock, 0, sizeof(int));
  cudaMalloc(&x, sizeof f);
  cudaMalloc(&y, sizeof f);
  cudaMemcpy(x, f, sizeof f, cudaMemcpyHostToDevice);
  cudaMemcpy(y, f, sizeof f, cudaMemcpyHostToDevice);
  if (is("added")) added<<<4, 128>>>(x, y, lock);
  if (is("added fenced")) added_fenced<<<4, 128>>>(x, y, lock);
  if (is("by exchange")) by_exchange<<<1, 64>>>(x);
  if (is("by struct")) by_struct<<<4, 64>>>(Lock{lock}, x, y);
  if (is("in shared")) in_shared<<<1, 64>>>(x, y);
  if (is("no fence")) no_fence<<<4, 64>>>(x, y, lock);
  if (is("no fence volatile")) no_fence_volatile<<<4, 64>>>(lock, y);
  if (is("right")) right<<<4, 64>>>(x, y, lock);
  if (is("counted")) counted<<<4, 64>>>(out, lock);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Locks(Ways):
    def setUp(self) -> None:
        self.built_once(LOCKS)

    def test_a_lock_that_a_plain_write_gives_back_is_told_the_fence_and_the_exchange(self) -> None:
        for how in ("added", "added fenced", "by exchange", "by struct", "in shared"):
            lock, protected = self.found(how)
            self.assertIn("given back by a plain write", lock["rendered"], how)
            self.assertIn("__threadfence() and then atomicExch(&lock, 0)", lock["rendered"], how)
            self.assertIn("make the lock right first", protected["rendered"], how)
            self.assertNotIn("put __syncthreads()", lock["rendered"] + protected["rendered"], how)
        self.assert_clean("right")

    def test_one_without_fences_is_told_them_and_a_counter_is_no_lock(self) -> None:
        for how in ("no fence", "no fence volatile"):
            self.assertIn("__threadfence() behind its taking", self.only(how, "global-race")["rendered"])
        self.assertNotIn("lock is", self.only("counted", "global-race")["rendered"])


#: Steps that a function, a lambda or a macro makes, by the way that the program is called.
HELPERS = """\
#include <cstdio>
#include <cstring>
template <int N>
__device__ void fold(int* s, int t) {
  if (t < N) s[t] += s[t + N];
  if constexpr (N > 1) fold<N / 2>(s, t);
}
__global__ void by_template(int* a) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  fold<128>(s, t);
  if (t == 0) a[0] = s[0];
}
__device__ void halve(int* s, int t, int d) {
  if (t < d)
    s[t] = max(s[t], s[t + d]);
}
__global__ void in_loop(int* a) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2)
    halve(s, t, d);
  if (t == 0) a[0] = s[0];
}
#define STEP(d) \\
  if (t >= d) { \\
    s[t] += s[t - d]; \\
  }
__global__ void by_macro(int* a) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  STEP(1)  // first of macro
  STEP(2)
  STEP(4)
  STEP(64)
  a[t] = s[t];
}
__global__ void by_lambda(int* a) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  auto step = [&](int d) {
    if (t < d) s[t] += s[t + d];
  };
  step(128);
  step(64);
  step(32);
  __syncthreads();
  if (t == 0) a[0] = s[0];
}
__device__ void step_right(int* s, int t, int d) {
  if (t < d) s[t] += s[t + d];
  __syncthreads();
}
__global__ void right(int* a) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  step_right(s, t, 128);
  for (int d = 64; d > 0; d /= 2) step_right(s, t, d);
  if (t == 0) a[0] = s[0];
}
__device__ void shift(int* s, int t) {
  if (t > 0) s[t] = s[t - 1];
}
__global__ void once(int* a) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  shift(s, t);
  __syncthreads();
  a[t] = s[t];
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  int h[256], *a;
  for (int i = 0; i < 256; ++i) h[i] = (i * 37 + 11) % 101;
  cudaMalloc(&a, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  if (is("by template")) by_template<<<1, 256>>>(a);
  if (is("in loop")) in_loop<<<1, 256>>>(a);
  if (is("by macro")) by_macro<<<1, 128>>>(a);
  if (is("by lambda")) by_lambda<<<1, 256>>>(a);
  if (is("once")) once<<<1, 128>>>(a);
  if (is("right")) right<<<1, 256>>>(a);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Helpers(Ways):
    def setUp(self) -> None:
        self.built_once(HELPERS)

    def test_steps_without_a_barrier_are_one_finding_that_says_where_it_goes(self) -> None:
        for how, note in (("by template", "`fold` makes one step"), ("in loop", "`halve` makes one step"), ("by lambda", "`step` makes one step"),
                          ("by macro", "the macro `STEP` makes both lines")):
            told = self.only(how, "shared-race")["rendered"]
            self.assertIn("note: " + note, told)
            self.assertIn("try: put __syncthreads() at the end of each step, outside any `if`", told, how)
        first = line_of(HELPERS, "first of macro")
        self.assertIn(f"likewise in lines {first + 2} and {first + 3}", self.only("by macro", "shared-race")["rendered"])
        self.assert_clean("right")

    def test_a_function_that_is_called_once_is_no_step(self) -> None:
        self.assertIn("both accesses are this line: read what it needs", self.only("once", "shared-race")["rendered"])


#: What several kernels do wrong, by the way that the program is called.
KERNELS = """\
#include <cstdio>
#include <cstring>
template <class T>
__global__ void doubled(T* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) a[i] *= 2;
}
__device__ float neighbour(const float* a, int i) { return a[i + 1]; }
__global__ void left(const float* a, float* b, int n) {
  int i = threadIdx.x;
  if (i < n) b[i] = neighbour(a, i);
}
__global__ void both(const float* a, float* b, int n) {
  int i = threadIdx.x;
  if (i < n) b[i] = neighbour(a, i) + a[i];
}
__global__ void set(float* a, int n) {
  int i = threadIdx.x;
  if (i < n) a[i] = i;
}
__global__ void used(const float* a, float* b, int n) {
  int i = threadIdx.x;
  if (i < n)
    b[i] = a[i];
}
__global__ void weighed(const float* w, float* b) { b[threadIdx.x] = w[0]; }
__global__ void weighed_again(const float* w, float* b) { b[threadIdx.x] = w[1] + w[2]; }
template <int B>
__global__ void sum(const float* a, float* out) {
  __shared__ float s[B];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int d = B / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
  }
  if (t == 0) *out = s[0];
}
__global__ void beyond_one(float* a) { a[100 + threadIdx.x] = 1; }
__global__ void beyond_two(float* a) { a[104 + threadIdx.x] = 1; }
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const int n = 100;
  float h[256], *a, *b, *w;
  int* k;
  for (int i = 0; i < 256; ++i) h[i] = i;
  if (is("too small")) {
    cudaMalloc(&a, (n - 1) * sizeof(float));
  } else {
    cudaMalloc(&a, n * sizeof(float));
    cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  }
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMalloc(&w, 16 * sizeof(float));
  cudaMalloc(&k, n * sizeof(int));
  cudaMemset(k, 0, n * sizeof(int));
  if (is("instances")) doubled<<<1, 128>>>(a, n), doubled<<<1, 128>>>(k, n);
  if (is("helper")) left<<<1, 128>>>(a, b, n), both<<<1, 128>>>(a, b, n), left<<<1, 128>>>(a, b, n);
  if (is("too small")) set<<<1, 128>>>(a, n), used<<<1, 128>>>(a, b, n);
  if (is("never written")) weighed<<<1, 32>>>(w, b), weighed_again<<<1, 32>>>(w, b);
  if (is("sums")) sum<128><<<1, 128>>>(b, a), sum<64><<<1, 64>>>(b, a), sum<256><<<1, 256>>>(b, a);
  if (is("two mistakes")) beyond_one<<<1, 4>>>(a), beyond_two<<<1, 4>>>(a);
  if (is("right")) doubled<<<1, 100>>>(a, n), sum<1><<<1, 1>>>(b, a);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Kernels(Ways):
    def setUp(self) -> None:
        self.built_once(KERNELS)

    def test_one_cause_in_several_kernels_is_one_finding(self) -> None:
        for how, finding, kernels in (("helper", "out-of-bounds", "kernel both"), ("too small", "out-of-bounds", "kernel used"),
                                      ("never written", "uninitialised-read", "kernel weighed_again"), ("sums", "shared-race", "kernels sum<64> and sum<256>")):
            self.assertIn(f"  - likewise in {kernels}\n", self.only(how, finding)["rendered"], how)
        self.only("instances", "out-of-bounds")
        self.assert_clean("right")

    def test_two_mistakes_are_two(self) -> None:
        self.assertEqual([each["kernel"] for each in self.found("two mistakes")], ["beyond_one", "beyond_two"])


#: Events and streams that are not there, or have no time, by the way that the program is called.
HANDLES = """\
#include <cstdio>
#include <cstring>
#define CHECK(x) do { cudaError_t error = (x); if (error != cudaSuccess) { printf("%s\\n", cudaGetErrorString(error)); return 1; } } while (0)
__global__ void fill(int* p) { p[threadIdx.x] = 1; }
__global__ void read(cudaTextureObject_t t, float* p) { p[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
struct Timer {
  cudaEvent_t a, b;
  Timer() { cudaEventCreate(&a); cudaEventCreate(&b); }
  ~Timer() { cudaEventDestroy(a); cudaEventDestroy(b); }
  void start() { cudaEventRecord(a); }
  void stop(bool wrong) { cudaEventRecord(wrong ? a : b); cudaEventSynchronize(b); }
  float ms() { float t = -1; cudaEventElapsedTime(&t, a, b); return t; }
};
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  cudaStream_t s, junk = (cudaStream_t)0x1234567;
  cudaEvent_t e, f, none = nullptr;
  int *d, *h;
  float ms;
  cudaMalloc(&d, 400);
  cudaMallocHost(&h, 400);
  cudaStreamCreate(&s);
  cudaEventCreate(&e);
  if (is("untimed")) cudaEventCreateWithFlags(&f, cudaEventDisableTiming);  // without a time
  else cudaEventCreate(&f);  // second
  if (is("start recorded twice") || is("timer right")) {
    Timer timer;
    timer.start();
    fill<<<1, 100>>>(d);
    timer.stop(is("start recorded twice"));
    printf("%d\\n", timer.ms() >= 0);
  }
  if (!is("no start")) cudaEventRecord(e);
  fill<<<1, 100>>>(d);
  if (!is("no stop") && !is("no stop, checked")) cudaEventRecord(f);
  cudaEventSynchronize(f);
  if (is("no start") || is("no stop") || is("untimed") || is("timed")) cudaEventElapsedTime(&ms, e, f);
  if (is("no stop, checked")) CHECK(cudaEventElapsedTime(&ms, e, f));
  if (is("times destroyed")) { cudaEventDestroy(e); cudaEventElapsedTime(&ms, e, f); }
  if (is("launch")) { cudaStreamDestroy(s); fill<<<1, 100, 0, s>>>(d); CHECK(cudaGetLastError()); }
  if (is("copy")) { cudaStreamDestroy(s); cudaMemcpyAsync(d, h, 400, cudaMemcpyHostToDevice, s); }
  if (is("copy, checked")) { cudaStreamDestroy(s); CHECK(cudaMemcpyAsync(d, h, 400, cudaMemcpyHostToDevice, s)); }
  if (is("set")) { cudaStreamDestroy(s); cudaMemsetAsync(d, 0, 400, s); }
  if (is("wait for stream")) { cudaStreamDestroy(s); cudaStreamSynchronize(s); }
  if (is("record")) { cudaStreamDestroy(s); cudaEventRecord(e, s); }
  if (is("ask")) { cudaStreamDestroy(s); if (cudaStreamQuery(s) == cudaSuccess) printf("done\\n"); }
  if (is("stream twice")) { cudaStreamDestroy(s); cudaStreamDestroy(s); }
  if (is("a new one")) { cudaStream_t t; cudaStreamDestroy(s); cudaStreamCreate(&t); cudaStreamSynchronize(s); }
  if (is("record destroyed")) { cudaEventDestroy(e); cudaEventRecord(e); }
  if (is("wait for event")) { cudaEventDestroy(e); cudaStreamWaitEvent(s, e); }
  if (is("event twice")) { cudaEventDestroy(e); CHECK(cudaEventDestroy(e)); }
  if (is("any stream")) cudaMemcpyAsync(d, h, 400, cudaMemcpyHostToDevice, junk);
  if (is("launch anywhere")) { fill<<<1, 100, 0, junk>>>(d); CHECK(cudaGetLastError()); }
  if (is("null event")) cudaEventRecord(none);
  if (is("right")) {
    fill<<<1, 100, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 400, cudaMemcpyDeviceToHost, s);
    while (cudaStreamQuery(s) == cudaErrorNotReady) {}
    cudaStreamSynchronize(s), cudaStreamDestroy(s), cudaEventDestroy(e), cudaEventDestroy(f);
  }
  if (is("texture freed") || is("texture right")) {
    float *in, *out;
    cudaMalloc(&in, 400), cudaMalloc(&out, 400), cudaMemset(in, 0, 400);
    cudaResourceDesc r = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    r.resType = cudaResourceTypeLinear, r.res.linear.devPtr = in, r.res.linear.sizeInBytes = 400;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    cudaCreateTextureObject(&texture, &r, &how, nullptr);
    if (is("texture freed")) cudaFree(in);  // too early
    read<<<1, 100>>>(texture, out);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Handles(Ways):
    def setUp(self) -> None:
        self.built_once(HANDLES)

    def test_events_without_a_time_are_told_which_and_why(self) -> None:
        for how, why in (("no start", "its first event has not been recorded"), ("no stop", "its second event has not been recorded"),
                         ("start recorded twice", "its second event has not been recorded"),
                         ("untimed", "its second event was created with cudaEventDisableTiming")):
            with self.subTest(how):
                found = self.only(how, "unheard-error")
                self.assertIn(why, found["message"])
                self.assertIn("has created that event", found["participants"][1]["action"])
        self.assertIn("cudaEventCreateWithFlags(&f", self.only("untimed", "unheard-error")["rendered"])
        self.assert_clean("timed", "timer right", "no stop, checked")

    def test_streams_and_events_that_are_destroyed_are_told_the_line(self) -> None:
        for how in ("copy", "set", "wait for stream", "record", "stream twice", "a new one"):
            with self.subTest(how):
                found = self.only(how, "unheard-error")
                self.assertIn("the stream that it is given has been destroyed before", found["message"])
                self.assertEqual(found["participants"][1]["action"], "has destroyed it")
        self.assert_clean("copy, checked", "ask", "event twice")
        for how in ("record destroyed", "wait for event", "times destroyed"):
            with self.subTest(how):
                found = self.only(how, "unheard-error")
                self.assertIn("the event that it is given has been destroyed before", found["message"])
                self.assertEqual(found["participants"][1]["action"], "has destroyed it")
        found = self.only("launch", "invalid-launch")
        self.assertIn("its stream has been destroyed before", found["message"])
        self.assertEqual(found["participants"][1]["action"], "has destroyed the stream")
        self.assert_clean("right")

    def test_handles_that_nothing_has_made_are_told_so(self) -> None:
        self.assertIn("no stream that cudaStreamCreate has made", self.only("any stream", "unheard-error")["message"])
        self.assertIn("its stream is none that the host has created", self.only("launch anywhere", "invalid-launch")["message"])
        self.assertIn("no event that cudaEventCreate has made", self.only("null event", "unheard-error")["message"])

    def test_memory_of_a_texture_that_is_freed_is_told_the_line(self) -> None:
        found = self.only("texture freed", "use-after-free")
        self.assertIn("through a texture object that is made of it", found["message"])
        self.assertEqual(found["participants"][1]["action"], "has freed it")
        self.assert_clean("texture right")


#: Rows with a pitch, and elements of other types, by the way that the program is called.
TYPES = """\
#include <cstdio>
#include <cstring>
#include <vector>
__global__ void elements(float* p, size_t pitch, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < w && y < h) p[y * pitch + x] = 1;
}
__global__ void rows(float* p, int pitch, int w, int h) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < w && y < h) { float* row = p + y * pitch; row[x] = 1; }
}
__global__ void sums(const double* p, size_t pitch, double* out, int w, int h) {
  int y = threadIdx.x;
  if (y >= h) return;
  double s = 0;
  for (int x = 0; x < w; ++x) s += p[y * pitch + x];
  out[y] = s;
}
__global__ void right(float* p, size_t pitch, int w, int h) {
  int x = blockIdx.y * blockDim.x + threadIdx.x, y = blockIdx.x;
  if (x < w && y < h) ((float*)((char*)p + y * pitch))[x] = 1;
}
__global__ void read_rows(float* p, size_t pitch, float* out, int w, int h) {
  int y = threadIdx.x;
  if (y >= h) return;
  float s = 0;
  for (int x = 0; x < w; ++x) s += ((float*)((char*)p + y * pitch))[x];
  out[y] = s;
}
__global__ void fours(float4* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { float4 v = p[i]; v.x *= 2; p[i] = v; } }
__global__ void cast(const float* p, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { float4 v = reinterpret_cast<const float4*>(p)[i]; out[i] = v.x + v.y + v.z + v.w; }
}
__global__ void pairs(int2* p, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i].x += 1; }
__global__ void double_pairs(double2* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = make_double2(1, 2); }
__global__ void twice(double* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = p[i] * 2; }
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  const int w = 50, h = 20, n = 1000;
  static float m[h][w];
  float *p, *sum, *f;
  double *q, *out, *d;
  int* i;
  size_t pitch, wide;
  cudaMallocPitch(&p, &pitch, w * sizeof(float), h);
  cudaMallocPitch(&q, &wide, w * sizeof(double), h);
  cudaMemset(q, 0, wide * h);
  cudaMalloc(&sum, h * sizeof(float)), cudaMalloc(&out, 32 * sizeof(double));
  cudaMalloc(&f, n * sizeof(float)), cudaMemset(f, 0, n * 4);
  cudaMalloc(&i, n * sizeof(int)), cudaMemset(i, 0, n * 4);
  cudaMalloc(&d, n * sizeof(double)), cudaMemset(d, 0, n * 8);
  const auto back = [&](size_t width) {
    right<<<h, 64>>>(p, pitch, w, h);
    std::vector<float> r(w * h);
    cudaMemcpy2D(r.data(), w * sizeof(float), p, pitch, width, h, cudaMemcpyDeviceToHost);
    float s = 0;
    for (float each : r) s += each;
    printf("%g\\n", s);
  };
  if (is("elements")) elements<<<dim3(1, h), 64>>>(p, pitch, w, h);
  if (is("rows")) rows<<<h, 64>>>(p, (int)pitch, w, h);
  if (is("sums")) sums<<<1, h>>>(q, wide, out, w, h);
  if (is("rows right")) rows<<<h, 64>>>(p, (int)(pitch / sizeof(float)), w, h);
  if (is("row too many")) right<<<h + 4, 64>>>(p, pitch, w, h + 4);
  if (is("narrow rows")) { cudaMallocPitch(&p, &pitch, 300, h); right<<<dim3(h, 5), 64>>>(p, pitch, 300, h); }
  if (is("wide rows")) { cudaMallocPitch(&p, &pitch, 300 * sizeof(float), h); right<<<dim3(h, 5), 64>>>(p, pitch, 300, h); }
  if (is("width") || is("width right")) {
    cudaMemcpy2D(p, pitch, m, w * sizeof(float), is("width") ? w : w * sizeof(float), h, cudaMemcpyHostToDevice);
    read_rows<<<1, 32>>>(p, pitch, sum, w, h);
  }
  if (is("back")) back(w);
  if (is("back right")) back(w * sizeof(float));
  if (is("fours")) fours<<<(n + 255) / 256, 256>>>((float4*)f, n);
  if (is("cast")) cast<<<(n + 255) / 256, 256>>>(f, (float*)d, n);
  if (is("pairs")) pairs<<<2, 256>>>(reinterpret_cast<int2*>(i), n);
  if (is("double pairs")) double_pairs<<<(n + 255) / 256, 256>>>((double2*)d, n);
  if (is("fours right")) fours<<<1, 256>>>((float4*)f, n / 4);
  if (is("one too many")) twice<<<(n + 256) / 256, 256>>>(d, n + 1);
  if (is("floats for doubles")) { double* x; cudaMalloc(&x, n * sizeof(float)); cudaMemset(x, 0, n * 4); twice<<<4, 256>>>(x, n); }
  std::vector<double> doubles(n, 1.0);
  std::vector<float> floats(n, 1.0f);
  if (is("to floats")) cudaMemcpy(f, doubles.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  if (is("from doubles")) cudaMemcpyAsync(floats.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost, 0);
  if (is("to doubles")) { static float all[n]; if (cudaMemcpy(d, all, sizeof all, cudaMemcpyHostToDevice) != cudaSuccess) return 1; }
  if (is("copies right")) {
    cudaMemcpy(f, floats.data(), n * 4, cudaMemcpyHostToDevice), cudaMemcpy(doubles.data(), d, n * 8, cudaMemcpyDeviceToHost);
    cudaMemcpy((void*)f, doubles.data(), 4, cudaMemcpyHostToDevice), cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice);
    cudaMemcpy(i, floats.data(), 4, cudaMemcpyHostToDevice), ::cudaMemcpy(0, f, 0, cudaMemcpyDeviceToHost);
  }
  if (is("static")) {
    static double h[n];
    twice<<<4, 256>>>(d, n);
    cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    double s = 0;
    for (double each : h) s += each;
    printf("%g\\n", s);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Types(Ways):
    def setUp(self) -> None:
        self.built_once(TYPES)

    def told(self, how: str) -> str:
        return self.run_program(how, options=("--no-counters",)).stderr

    def test_a_pitch_that_is_taken_for_elements_is_told_its_bytes(self) -> None:
        for how, times in (("elements", 4), ("rows", 4), ("sums", 8)):
            with self.subTest(how):
                self.assertIn(f"with the pitch as its factor it leads {times} times too far", self.told(how))
        self.assertNotIn("as its factor", self.told("row too many"))
        self.assert_clean("rows right", "width right")

    def test_a_width_in_elements_is_told_that_it_counts_bytes(self) -> None:
        self.assertIn("cudaMallocPitch was asked for rows of 300 bytes, and counts the width of a row in bytes", self.told("narrow rows"))
        found = self.only("width", "uninitialised-read")
        self.assertIn("cudaMemcpy2D has written 50 bytes of each row", found["message"])
        self.assertIn("width * sizeof(T)", found["suggestion"])
        found = self.only("back", "uninitialised-read")
        self.assertIn("cudaMemcpy2D has copied 1,000 of the 4000 bytes of p", found["message"])
        self.assert_clean("wide rows", "back right")

    def test_elements_of_a_vector_type_are_told_how_many_there_are(self) -> None:
        for how, size, count in (("fours", 16, 250), ("cast", 16, 250), ("pairs", 8, 500), ("double pairs", 16, 500)):
            with self.subTest(how):
                told = self.told(how)
                self.assertIn(f"as elements of {size} bytes", told)
                self.assertIn(f"bytes are {count} elements of the former", told)
        self.assertNotIn("the kernel takes", self.told("one too many"))
        self.assert_clean("fours right")

    def test_an_array_for_elements_of_a_smaller_type_is_told_both(self) -> None:
        self.assertIn("its 4000 bytes are 1000 elements of 4 bytes, and an element has 8 bytes here", self.told("floats for doubles"))
        self.assertIn("cudaMemcpy has copied 4,000 of the 8000 bytes of d", self.only("static", "uninitialised-read")["message"])

    def test_a_copy_between_numbers_of_two_sizes_is_told_that_nothing_is_converted(self) -> None:
        for how, target, source in (("to floats", 4, 8), ("from doubles", 4, 8), ("to doubles", 8, 4)):
            with self.subTest(how):
                found = self.only(how, "copied-types")
                self.assertIn(f"its target has elements of {target} bytes, and its source has elements of {source} bytes", found["message"])
        self.assert_clean("copies right")


#: What kernels get of host code without a pointer, by the way that the program is called.
HANDED = """\
#include <cstdio>
#include <cstring>
struct Params { int n; float f; };
struct Large;
__global__ void number(float* v, const int& n) { if (threadIdx.x < n) v[threadIdx.x] *= 2; }
__global__ void object(float* v, const Params& p) { if (threadIdx.x < p.n) v[threadIdx.x] *= p.f; }
__global__ void count(int* v, int& count) { if (v[threadIdx.x] == 0) atomicAdd(&count, 1); }
template <class T> __global__ void scale(T* v, const T& f) { v[threadIdx.x] *= f; }
__global__ void unknown(int* v, Large& large) { v[0] = &large != nullptr; }
template <class F> __global__ void forall(int n, F f) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) f(i); }
struct Scaler {
  float factor;
  int n;
  float* data;
  void implicit(float* d) { forall<<<1, 128>>>(n, [=] __device__(int i) { d[i] *= factor; }); }
  void named(float* d) { auto f = [this, d] __device__(int i) { d[i] *= this->factor; }; forall<<<1, 128>>>(n, f); }
  void pointer() { forall<<<1, 128>>>(n, [=] __device__(int i) { data[i] *= 2; }); }
  void outside(float* d);
  __device__ float times(float x) const { return x * factor; }
  void member(float* d) { forall<<<1, 128>>>(n, [=] __device__(int i) { d[i] = times(d[i]); }); }
  void copied(float* d) { const float f = factor; forall<<<1, 128>>>(n, [=] __device__(int i) { d[i] *= f; }); }
  void of_star(float* d) { forall<<<1, 128>>>(n, [=, *this] __device__(int i) { d[i] *= factor; }); }
  static void of_class(float* d, int n) { forall<<<1, 128>>>(n, [=] __device__(int i) { d[i] *= 2; }); }
  static void of_class_outside(float* d, int n);
  void within(float* d) { auto go = [](float* d, int n) { forall<<<1, 128>>>(n, [=] __device__(int i) { d[i] *= 2; }); }; go(d, n); }
};
void Scaler::outside(float* d) { forall<<<1, 128>>>(n, [=] __device__(int i) { d[i] *= factor; }); }
void Scaler::of_class_outside(float* d, int n) { forall<<<1, 128>>>(n, [=] __device__(int i) { d[i] *= 2; }); }
namespace apart { void go(float* d, int n); }
void apart::go(float* d, int n) { forall<<<1, 128>>>(n, [=] __device__(int i) { d[i] *= 2; }); }
Params everywhere = {3, 2};
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  float* v;
  int n = 100, *z, sum = 0, *m;
  Params p{100, 2};
  cudaMalloc(&v, 400), cudaMemset(v, 0, 400);
  cudaMalloc(&z, 400), cudaMemset(z, 0, 400);
  Scaler s{2, 100, v};
  if (is("number")) number<<<1, 128>>>(v, n);
  if (is("literal")) number<<<1, 128>>>(v, 100);
  if (is("object")) object<<<1, 128>>>(v, p);
  if (is("global")) object<<<1, 128>>>(v, everywhere);
  if (is("new")) object<<<1, 128>>>(v, *new Params{100, 2});
  if (is("result")) count<<<1, 100>>>(z, sum);
  if (is("template")) scale<<<1, 100>>>(v, 3.0f);
  if (is("managed")) { cudaMallocManaged(&m, 4); *m = 0; count<<<1, 100>>>(z, *m); }
  if (is("implicit")) s.implicit(v);
  if (is("named")) s.named(v);
  if (is("pointer")) s.pointer();
  if (is("outside")) s.outside(v);
  if (is("member")) s.member(v);
  if (is("copied")) s.copied(v);
  if (is("of star")) s.of_star(v);
  if (is("static")) Scaler::of_class(v, n), Scaler::of_class_outside(v, n), s.within(v), apart::go(v, n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class HandedOver(Ways):
    def setUp(self) -> None:
        self.built_once(HANDED, "--extended-lambda", "-w")

    def test_a_parameter_that_is_a_reference_is_told_the_value(self) -> None:
        for how, name in (("number", "n"), ("literal", "n"), ("object", "p"), ("global", "p"), ("new", "p"), ("result", "count")):
            with self.subTest(how):
                found = self.only(how, "host-pointer-in-kernel")
                self.assertIn(f"The kernel's parameter {name} is a reference", found["message"])
                self.assertIn("leave out the &", found["suggestion"])
        self.assert_clean("managed")

    def test_a_lambda_that_uses_a_member_is_told_the_captures(self) -> None:
        for how in ("implicit", "named", "pointer", "outside", "member"):
            with self.subTest(how):
                found = self.only(how, "host-pointer-in-kernel")
                self.assertIn("has captured `this`", found["message"])
                self.assertIn("[=, *this]", found["suggestion"])
        self.assert_clean("copied", "of star", "static")


#: Variables of the device by their names, and memory that is freed, by the way that the program is called.
NAMES = """\
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(x) do { cudaError_t error = (x); if (error != cudaSuccess) { printf("%s\\n", cudaGetErrorString(error)); return 1; } } while (0)
__device__ float table[64];
__constant__ float coeff[64];
__device__ int counter;
__managed__ float shared_by_both[64];
__global__ void add(float* o) { o[threadIdx.x] = table[threadIdx.x] + coeff[threadIdx.x] + counter; }
__global__ void fill(int* p) { p[threadIdx.x] = 1; }
int of_program[4];
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  float h[64] = {}, *o;
  int zero = 0, value, on_stack[10], *d, *pinned, *of_malloc = (int*)malloc(400), *of_new = new int[10];
  cudaMalloc(&o, 256), cudaMalloc(&d, 400), cudaMallocHost(&pinned, 400);
  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &desc, 8, 8);
  if (is("to")) { cudaMemcpy(table, h, sizeof h, cudaMemcpyHostToDevice); add<<<1, 64>>>(o); }
  if (is("to constant")) cudaMemcpy(coeff, h, sizeof h, cudaMemcpyHostToDevice);
  if (is("to address")) cudaMemcpyAsync(&counter, &zero, 4, cudaMemcpyHostToDevice);
  if (is("from")) cudaMemcpy(h, table, sizeof h, cudaMemcpyDeviceToHost);
  if (is("set")) cudaMemset(&counter, 0, 4);
  if (is("checked")) CHECK(cudaMemcpy(table, h, sizeof h, cudaMemcpyHostToDevice));
  if (is("default")) cudaMemcpy(table, h, sizeof h, cudaMemcpyDefault);
  if (is("asked later")) { cudaMemcpy(table, h, sizeof h, cudaMemcpyHostToDevice); add<<<1, 64>>>(o); CHECK(cudaGetLastError()); }
  if (is("names right")) {
    void* q;
    cudaGetSymbolAddress(&q, table);
    cudaMemcpy(q, h, sizeof h, cudaMemcpyHostToDevice), cudaMemset(q, 0, 4);
    cudaMemcpyToSymbol(coeff, h, sizeof h), cudaMemcpyFromSymbol(&zero, counter, sizeof counter);
    cudaMemcpy(shared_by_both, h, sizeof h, cudaMemcpyHostToDevice), cudaMemset(shared_by_both, 0, sizeof(table));
    add<<<1, 64>>>(o);
  }
  if (is("device 1")) cudaSetDevice(1);
  if (is("device -1")) cudaSetDevice(-1);
  if (is("attribute")) cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1);
  if (is("properties")) { cudaDeviceProp p; cudaGetDeviceProperties(&p, 1); }
  if (is("probe") && cudaSetDevice(1) != cudaSuccess) printf("one device\\n"), cudaGetLastError();
  if (is("middle")) cudaFree(d + 10);
  if (is("malloc")) cudaFree(of_malloc);
  if (is("new")) cudaFree(of_new);
  if (is("stack")) cudaFree(on_stack);
  if (is("address")) cudaFree(&d);
  if (is("global")) cudaFree(of_program);
  if (is("array")) cudaFree(array);
  if (is("array twice")) { cudaFreeArray(array); cudaFreeArray(array); }
  if (is("free")) free(d);
  if (is("delete")) delete[] d;
  if (is("free pinned")) free(pinned);
  if (is("twice")) { cudaFree(d); cudaFree(d); }
  if (is("twice, checked")) { CHECK(cudaFree(d)); CHECK(cudaFree(d)); }
  if (is("used freed")) { cudaFree(d); fill<<<1, 64>>>(d); }
  if (is("copied freed")) { cudaFree(d); CHECK(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost)); }
  if (is("host of device")) cudaFreeHost(d);
  if (is("host of malloc")) cudaFreeHost(of_malloc);
  if (is("host twice")) { cudaFreeHost(pinned); cudaFreeHost(pinned); }
  if (is("host middle")) cudaFreeHost(pinned + 5);
  if (is("frees right")) {
    cudaFree(d), cudaFree(nullptr), cudaFreeHost(pinned), cudaFreeHost(nullptr), cudaFreeArray(array), free(of_malloc);
    delete[] of_new;
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Names(Ways):
    def setUp(self) -> None:
        self.built_once(NAMES, "-w")

    def test_a_copy_by_the_name_of_a_variable_fails_and_is_told_the_function(self) -> None:
        self.assert_clean("checked", "asked later")
        for how, name in (("to", "table"), ("to constant", "coeff"), ("to address", "counter"), ("from", "table"), ("set", "counter")):
            with self.subTest(how):
                found = self.only(how, "unheard-error")
                self.assertIn(f"it is given {name}, which is a variable of the device, by its name", found["message"])
                self.assertIn("cudaMemcpyToSymbol", found["suggestion"])
        self.only("default", "device-pointer-on-host")
        self.assert_clean("names right")

    def test_numbers_of_devices_that_are_not_there_are_told(self) -> None:
        for how, number in (("device 1", 1), ("device -1", -1), ("attribute", 1), ("properties", 1)):
            with self.subTest(how):
                self.assertIn(f"it is asked for device {number}, and there is 1 device", self.only(how, "unheard-error")["message"])
        self.assert_clean("probe")

    def test_what_cuda_free_cannot_free_is_told_what_it_is(self) -> None:
        for how, why in (("middle", "40 bytes after the start of d"), ("malloc", "an address of the host program"),
                         ("new", "an address of the host program"), ("stack", "the address of a local variable"),
                         ("address", "the address of a local variable"), ("global", "the address of a global variable"),
                         ("array", "is given a CUDA array"), ("free", "gives d to free or delete"), ("delete", "gives d to free or delete"),
                         ("free pinned", "gives pinned to free or delete")):
            with self.subTest(how):
                self.assertIn(why, self.only(how, "invalid-free")["message"])
        for how, why in (("host of device", "is given d, which is memory of the device"), ("host twice", "is given pinned, which has been freed"),
                         ("host middle", "20 bytes after the start of pinned"), ("host of malloc", "have not allocated"),
                         ("array twice", "has been freed before")):
            with self.subTest(how):
                self.assertIn(why, self.only(how, "unheard-error")["message"])
        self.assert_clean("frees right")

    def test_memory_that_is_freed_is_told_the_line(self) -> None:
        for how, found in (("twice", "double-free"), ("twice, checked", "double-free"), ("used freed", "use-after-free"),
                           ("host twice", "unheard-error")):
            with self.subTest(how):
                self.assertEqual(self.only(how, found)["participants"][1]["action"], "has freed it")


#: What the two lines of a race say: a counter, an exchange, two halves of a buffer, a flag, a condition that stores.
LINES = """\
#include <cstdio>
#include <cstring>
__device__ int counter;
__device__ volatile int flag;
__device__ int next_plain(int* count) { int at = *count; *count = at + 1; return at; }
__device__ int next_atomic(int* count) { int at = *count; atomicAdd(count, 1); return at; }
__global__ void plain_slot(int* a) { a[1 + next_plain(a)] = threadIdx.x; }
__global__ void atomic_slot(int* a) { a[1 + next_atomic(a)] = threadIdx.x; }
__global__ void index_slot(int* a) {
  atomicAdd(&counter, 1);
  a[counter - 1] = threadIdx.x;
}
__global__ void shared_slot(int* a) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int at = count;
  atomicAdd(&count, 1);
  a[at] = threadIdx.x;
}
__global__ void shared_sum(int* a) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, a[threadIdx.x]);
  if (threadIdx.x == 0) a[0] = sum;
}
__global__ void right_slot(int* a) { a[1 + atomicAdd(a, 1)] = threadIdx.x; }
__device__ void ordered(int& a, int& b, bool up) { if ((a > b) == up) { int t = a; a = b; b = t; } }
__global__ void sort_by_function(int* a) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const int p = t ^ j;
      if (p > t) ordered(s[t], s[p], (t & k) == 0);
    }
  a[t] = s[t];
}
__global__ void sort_by_extremes(int* a) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const int p = t ^ j;
      if (p > t) {
        const int x = s[t], y = s[p];
        s[t] = (t & k) == 0 ? min(x, y) : max(x, y);
        s[p] = (t & k) == 0 ? max(x, y) : min(x, y);
      }
    }
  a[t] = s[t];
}
__global__ void largest(int* a) {
  const int v = a[threadIdx.x];
  if (v > counter) counter = v;
}
__global__ void one_half(int* a) {
  __shared__ int buffer[2][64];
  int t = threadIdx.x, cur = 0, sum = 0;
  buffer[0][t] = a[t];
  __syncthreads();
  for (int c = 0; c < 4; ++c) {
    if (c + 1 < 4) buffer[cur][t] = a[t + c];
    sum += buffer[cur][63 - t];
    __syncthreads();
    cur = 1 - cur;
  }
  a[t] = sum;
}
__global__ void one_half_by_bit(int* a) {
  __shared__ int buffer[2][64];
  int t = threadIdx.x, now = 0, sum = 0;
  buffer[0][t] = a[t];
  __syncthreads();
  for (int c = 0; c < 4; ++c) {
    buffer[now][t] = a[t + c];
    sum += buffer[now][63 - t];
    __syncthreads();
    now ^= 1;
  }
  a[t] = sum;
}
__global__ void both_halves(int* a) {
  __shared__ int buffer[2][64];
  int t = threadIdx.x, cur = 0, sum = 0;
  buffer[0][t] = a[t];
  __syncthreads();
  for (int c = 0; c < 4; ++c) {
    if (c + 1 < 4) buffer[1 - cur][t] = a[t + c];
    sum += buffer[cur][63 - t];
    __syncthreads();
    cur = 1 - cur;
  }
  a[t] = sum;
}
__global__ void flag_alone(int* a) {
  if (blockIdx.x == 0) {
    a[threadIdx.x] = 2;
    __threadfence();
    if (threadIdx.x == 0) flag = 1;
  } else {
    while (flag == 0) {}
    a[64 + threadIdx.x] = a[threadIdx.x];
  }
}
__global__ void flag_of_all(int* a) {
  if (blockIdx.x == 0) {
    a[threadIdx.x] = 2;
    __syncthreads();
    if (threadIdx.x == 0) { __threadfence(); flag = 1; }
  } else {
    while (flag == 0) {}
    __threadfence();
    a[64 + threadIdx.x] = a[threadIdx.x];
  }
}
__global__ void stores(int* a) {
  int i = threadIdx.x;
  a[i] = 1;
  if (i = 15) a[i] = 9;
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  int* a;
  cudaMallocManaged(&a, 1024 * sizeof(int));
  for (int i = 0; i < 1024; ++i) a[i] = i % 7;
  a[0] = 0;
#define LAUNCH(name, blocks) if (is(#name)) name<<<blocks, 64>>>(a)
  LAUNCH(plain_slot, 1); LAUNCH(atomic_slot, 1); LAUNCH(index_slot, 1); LAUNCH(shared_slot, 1); LAUNCH(shared_sum, 1);
  LAUNCH(right_slot, 1); LAUNCH(sort_by_function, 1); LAUNCH(sort_by_extremes, 1); LAUNCH(largest, 1); LAUNCH(one_half, 1);
  LAUNCH(one_half_by_bit, 1); LAUNCH(both_halves, 1); LAUNCH(flag_alone, 2); LAUNCH(flag_of_all, 2); LAUNCH(stores, 1);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


class Lines(Ways):
    def setUp(self) -> None:
        self.built_once(LINES, "-w")

    def told(self, how: str) -> str:
        return self.run_program(how, options=("--no-counters",)).stderr

    def test_a_counter_that_is_read_beside_its_update_is_told_the_value_of_the_update(self) -> None:
        for how in ("atomic_slot", "index_slot", "shared_slot"):
            self.assertIn("use the value that the atomic function returns", self.told(how), how)
        self.assertIn("do it in one step, with an atomic such as atomicAdd", self.told("plain_slot"))
        self.assertNotIn("use the value that the atomic function returns", self.told("shared_sum"))
        self.assert_clean("right_slot")

    def test_an_exchange_is_told_no_largest_value(self) -> None:
        for how in ("sort_by_function", "sort_by_extremes"):
            told = self.told(how)
            self.assertNotIn("atomicMax", told, how)
            self.assertIn("put __syncthreads() at the end of", told, how)
        self.assertIn("with atomicMax or atomicMin", self.told("largest"))

    def test_two_halves_of_which_one_turn_uses_one_are_told_the_other(self) -> None:
        for how, other in (("one_half", "`buffer[1 - cur]`"), ("one_half_by_bit", "`buffer[1 - now]`")):
            self.assertIn(other, self.told(how), how)
        self.assert_clean("both_halves")

    def test_a_flag_after_the_data_of_others_is_told_the_barrier(self) -> None:
        told = self.told("flag_alone")
        self.assertIn("put __syncthreads() before that, so that all of them have written", told)
        self.assertNotIn("blockIdx", told.split("try:")[1])
        self.assert_clean("flag_of_all")

    def test_a_condition_that_stores_is_told_first(self) -> None:
        self.assertIn("has = and no ==", self.told("stores"))


SLIPS = """
#include <algorithm>
#include <cmath>
#include <cstdio>
__device__ int choose(int op, int a, int b) {
  int r = 0;
  LINE
  return r;
}
__global__ void k(float* out, int n, int m) {
  int i = threadIdx.x;
  float x = 1, y[4] = {};
  BODY
  out[i] = x + y[0];
}
int main() {}
"""


class Slips(test_simtrun.Programs):
    def warnings(self, body: str, line: str = "") -> str:
        self.write("program.cu", SLIPS.replace("BODY", body).replace("LINE", line))
        done = self.compile("program.cu")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def assert_warned_once(self, said: str, *lines: str) -> None:
        for line in lines:
            with self.subTest(line):
                warnings = self.warnings(line)
                self.assertEqual(warnings.count("warning: "), 1, warnings)
                self.assertIn(said, warnings)

    def assert_silent(self, *lines: str) -> None:
        for line in lines:
            with self.subTest(line):
                self.assertEqual(self.warnings(line), "")

    def test_a_division_of_whole_numbers_that_loses_a_fraction_is_told(self) -> None:
        self.assert_warned_once("divides whole numbers", "x = 1 / 2 * (x + 3);", "x = (1 / 2) * x;", "float scale = 3 / 4; x *= scale;",
                                "y[0] = x * (3 / 2);", "x = 4 / 3 * 3.14f;", "x = pow(x, 1 / 3);", "x = 1 / 3;")
        self.assert_silent("x = 1.0f / 2 * x;", "x = x * 1 / 2;", "int half = 7 / 2; x = half;", "i = n * 3 / 4; x = i;", "x = 4 / 2 * x;",
                           "i = n / 2; x = i;", "x = x / 3 / 4;", "#define THREADS 16\n  i = THREADS / 32 * n; x = i;")

    def test_a_result_that_is_dropped_is_told(self) -> None:
        self.assert_warned_once("what min returns is not used", "min(i, n);", "if (i < n) min(i, n);", "std::min(i, n);")
        self.assert_silent("i = min(i, n);", "x += max(i, n);", "out[min(i, n)] = 2;")

    def test_a_loop_that_ends_at_its_semicolon_is_told(self) -> None:
        self.assert_warned_once("this ; is all that belongs", "for (int q = 0; q < n; ++q); { x += 1; }", "for (int q = 0; q < n; ++q);\n    x += 1;",
                                "while (i < n && ++i < m);\n  { x += 1; }", "if (i < n);\n    x += 1;")
        self.assert_silent("for (; i < n; ++i);\n  x += 1;", "while (++i < n);\n  x += 1;", "do { ++i; } while (i < n); { x += 1; }",
                           "do ++i; while (i < n); { x += 1; }", "for (; i < n; ++i) { x += 1; }", "for (; i < n; ++i)\n    ;\n  x += 1;")

    def test_a_condition_that_is_always_the_same_is_told(self) -> None:
        self.assert_warned_once("this is true for every value", "if (i != 0 || i != n - 1) x = 1;", "if (i != 3 || i != 5) x = 1;",
                                "x = threadIdx.x != 0 || threadIdx.x != 31;")
        self.assert_warned_once("this is true for no value", "if (i == 0 && i == 5) x = 1;")
        self.assert_warned_once("is != meant?", "if (!i == 3) x = 1;")
        self.assert_silent("if (i != 0 && i != n - 1) x = 1;", "if (i != n || i != m) x = 1;", "if (i == 0 || i == n - 1) x = 1;",
                           "if (i == 0 && i == n - 1) x = 1;", "if (i != 0 || n != 1) x = 1;", "if (y[i] != 0 || y[n] != 1) x = 1;",
                           "if (!(i == 3)) x = 1;")

    def test_a_case_that_the_next_one_undoes_is_told(self) -> None:
        for line, told in (("switch (op) { case 0: r = a + b; case 1: r = a - b; break; default: r = a; }", 1),
                           ("switch (op) {\n case 0:\n r = a + b;\n default:\n r = a - b;\n }", 1),
                           ("switch (op) { case 0: r = a + b; break; case 1: r = a - b; }", 0),
                           ("switch (op) { case 2: r += a; case 1: r += b; default: r += 1; }", 0),
                           ("switch (op) { case 2: r = a; case 1: r = r * b; }", 0),
                           ("switch (op) { case 2: if (a) r = a; case 1: r = b; }", 0),
                           ("switch (op) { case 2: a = 3; case 1: r = b + a; }", 0)):
            with self.subTest(line):
                self.assertEqual(self.warnings("", line).count("goes on with the next `case`"), told)


OUTSIDE = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define W 48
#define H 32
#define AT(p, x, y) p[(x) * W + (y)]
__global__ void macro(const int* in, int* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H) return;
  AT(out, x, y) = 1;
}
__global__ void empty_guard(int* a, int n) {
  int i = threadIdx.x;
  if (i < n);
    a[i] = 5;
}
__global__ void always(float* a, const float* b, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  if (i != 0 || i != n - 1) a[i] = b[i - 1];
}
template <class F> __global__ void each(int n, F f) {
  for (int i = threadIdx.x; i <= n; i += blockDim.x) f(i);
}
struct Set { int* p; __device__ void operator()(int i) const { p[i] = i; } };
__device__ void put(int* p, int i) { p[i] = i; }
__global__ void putting(int* p, int n) { for (int i = threadIdx.x; i <= n; i += blockDim.x) put(p, i); }
__global__ void histogram(const float* x, int n, int* bins) {
  __shared__ int s[10];
  if (threadIdx.x < 10) s[threadIdx.x] = 0;
  __syncthreads();
  int i = threadIdx.x;
  if (i < n) atomicAdd(&s[(int)(x[i] * 10)], 1);
  __syncthreads();
  if (threadIdx.x < 10) bins[threadIdx.x] = s[threadIdx.x];
}
__global__ void count(const int* key, int n, int* bins) {
  int i = threadIdx.x;
  if (i < n) {
    int k = key[i];
    atomicAdd(&bins[k], 1);
  }
}
__global__ void rows_of(int** a, int n) { int r = blockIdx.x; if (r < n) a[r][threadIdx.x] += 1; }
struct Buffers { int *in, *temp; };
__global__ void pass(Buffers b) { b.temp[threadIdx.x] = b.in[threadIdx.x] * 2; }
__global__ void nothing() {}
__global__ void touch(float* p, long long last) { if (threadIdx.x == 0) p[last] = 1; }
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  int *a, *b;
  float *x, *z;
  cudaMallocManaged(&a, W * H * 4); cudaMallocManaged(&b, 40); cudaMallocManaged(&x, 400); cudaMallocManaged(&z, 400);
  for (int i = 0; i < 100; ++i) x[i] = (i + 1) / 100.0f, a[i] = i % 11;
  const bool right = is("from right") || is("to right") || is("inside right") || is("realloc right");
  int* h = (int*)malloc(right ? 400 : 100);
  int* c = new int[100];
  if (is("macro")) macro<<<dim3(3, 2), dim3(16, 16)>>>(a, a);
  if (is("empty guard")) empty_guard<<<1, 32>>>(b, 10);
  if (is("always")) always<<<1, 100>>>(z, x, 100);
  if (is("functor")) each<<<1, 32>>>(10, Set{b});
  if (is("function")) putting<<<1, 32>>>(b, 10);
  if (is("shared data")) histogram<<<1, 128>>>(x, 100, b);
  if (is("data")) count<<<4, 128>>>(a, 100, b);
  int** rows = (int**)malloc(3 * sizeof(int*));
  int* on_stack[3];
  for (int r = 0; r < 3; ++r) { cudaMalloc(&rows[r], 128); cudaMemset(rows[r], 0, 128); on_stack[r] = rows[r]; }
  if (is("rows")) rows_of<<<3, 32>>>(rows, 3);
  if (is("rows on stack")) rows_of<<<3, 32>>>(on_stack, 3);
  if (is("rows right")) {
    int** d;
    cudaMalloc(&d, 3 * sizeof(int*));
    cudaMemcpy(d, rows, 3 * sizeof(int*), cudaMemcpyHostToDevice);
    rows_of<<<3, 32>>>(d, 3);
  }
  if (is("member")) pass<<<1, 10>>>(Buffers{b, nullptr});
  if (is("block z")) { nothing<<<1, dim3(2, 2, 128)>>>(); if (cudaGetLastError() == cudaSuccess) return 1; }
  if (is("bytes cut")) {
    int n = 40000 + (words[1] == nullptr), bytes = (int)(unsigned)((unsigned)n * n * 4u);
    float* p;
    cudaMalloc(&p, bytes);
    touch<<<1, 32>>>(p, (long long)n * n - 1);
  }
  if (is("far")) touch<<<1, 32>>>(x, 3000000000ll);
  if (is("from") || is("from right")) cudaMemcpy(h, x, 400, cudaMemcpyDeviceToHost);
  if (is("to") || is("to right")) cudaMemcpy(x, memset(h, 0, right ? 400 : 100), 400, cudaMemcpyHostToDevice);
  if (is("inside")) cudaMemcpy(c + 50, x, 400, cudaMemcpyDeviceToHost);
  if (is("inside right")) cudaMemcpy(c + 50, x, 200, cudaMemcpyDeviceToHost);
  if (is("realloc right")) {
    int* more = (int*)realloc(malloc(16), 400);
    cudaMemcpy(more, x, 400, cudaMemcpyDeviceToHost);
    free(more);
    delete[] c;
    c = new int[200];
    cudaMemcpy(c, a, 800, cudaMemcpyDeviceToHost);
  }
  cudaDeviceSynchronize();
  free(h);
  delete[] c;
}
"""


class Outside(Ways):
    def setUp(self) -> None:
        self.built_once(OUTSIDE, "-w")

    def test_what_lets_an_index_through_is_told(self) -> None:
        for how, cure in (("macro", "has `W` as the bound of `x`"), ("empty guard", "the `;` is all that belongs to this `if`"),
                          ("always", "lets every index through"), ("functor", "f(i);`, lets this index through"),
                          ("function", "put(p, i); }`, lets this index through"), ("shared data", "what the thread reads from memory, `x[i]`"),
                          ("data", "what the thread reads from memory, `key[i]`"), ("member", "`b.temp` is null"),
                          ("bytes cut", "1600000000 elements are 6400000000 bytes"), ("far", "it is far too large")):
            with self.subTest(how):
                self.only(how, "out-of-bounds")
                told = self.run_program(how, options=("--no-counters",)).stderr
                self.assertIn(cure, told)
                self.assertNotIn("below 0", told)
        self.assertIn("(as an index: s[10])", self.only("shared data", "out-of-bounds")["message"])

    def test_a_block_of_the_host_that_is_too_small_for_a_copy_is_told(self) -> None:
        for how, bytes_there in (("from", 100), ("to", 100), ("inside", 200)):
            with self.subTest(how):
                message = self.only(how, "out-of-bounds")["message"]
                self.assertIn("cudaMemcpy uses 400 bytes of a block of the host", message)
                self.assertIn(f"that has {bytes_there} bytes there", message)
        self.assert_clean("from right", "to right", "inside right", "realloc right")

    def test_rows_on_the_device_whose_addresses_are_not_are_told(self) -> None:
        for how in ("rows", "rows on stack"):
            with self.subTest(how):
                self.assertIn("the array or structure that holds the address is not", self.only(how, "host-pointer-in-kernel")["message"])
        self.assert_clean("rows right")

    def test_a_block_that_is_too_large_in_one_direction_is_told(self) -> None:
        message = self.only("block z", "invalid-launch")["message"]
        self.assertIn("too large in one direction; (1024,1024,64) is the most", message)


#: Members that nvcc accesses together, of what begins where the argument says.
JOINED = """\
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
struct alignas(16) Body { float x, y, z, m, vx, vy, vz, q; };
struct Loose { float x, y, z, w; };
__global__ void sum4(float* o, const float4* p) { int i = threadIdx.x; o[i] = p[i].x + p[i].y + p[i].z + p[i].w; }  // sum
__global__ void sum2(float* o, const float2* p) { int i = threadIdx.x; o[i] = p[i].x + p[i].y; }  // sum
__global__ void store4(float4* o, float v) {
  int i = threadIdx.x;
  o[i].x = v;  // store
  o[i].y = v + 1; o[i].z = v + 2; o[i].w = v + 3;
}
__global__ void bodies(float* o, const Body* p) {
  int i = threadIdx.x;
  const Body& one = p[i];
  o[i] = one.m *  // body
         one.z;
}
__global__ void one_each(float* o, const float4* p) { int i = threadIdx.x; o[i] = p[i].x + p[i].z; }
__global__ void upper(float* o, const float4* p) { int i = threadIdx.x; o[i] = p[i].x + p[i].y; }
__global__ void floats(float* o, const float* p) { int i = threadIdx.x; o[i] = p[4 * i] + p[4 * i + 1] + p[4 * i + 2] + p[4 * i + 3]; }
__global__ void threes(float* o, const float3* p) { int i = threadIdx.x; o[i] = p[i].x + p[i].y + p[i].z; }
__global__ void loose(float* o, const Loose* p) { int i = threadIdx.x; o[i] = p[i].x + p[i].y + p[i].z + p[i].w; }
__global__ void singly(float* o, const volatile float4* p) { int i = threadIdx.x; o[i] = p[i].x + p[i].y; }
__global__ void unset(float* o) {
  __shared__ alignas(16) float tile[4][8];
  o[threadIdx.x] = tile[1][2];
}
__global__ void cast(float* o, const float4* p) {
  const float* f = reinterpret_cast<const float*>(p);
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 4; ++k) sum += f[4 * threadIdx.x + k];
  o[threadIdx.x] = sum;
}
int main(int, char** words) {
  const auto is = [how = words[1]](const char* what) { return strcmp(how, what) == 0; };
  float *a, *o;
  cudaMalloc(&a, 4096); cudaMemset(a, 0, 4096);
  cudaMalloc(&o, 4096);
  const auto at = [a](int i) { return reinterpret_cast<float4*>(a + i); };
  const auto pairs_at = [a](int i) { return reinterpret_cast<float2*>(a + i); };
  if (is("loads")) sum4<<<1, 32>>>(o, at(1));
  if (is("halves")) sum4<<<1, 32>>>(o, at(2));
  if (is("pairs")) sum2<<<1, 32>>>(o, pairs_at(3));
  if (is("stores")) store4<<<1, 32>>>(at(5), 1);
  if (is("members")) bodies<<<1, 16>>>(o, reinterpret_cast<Body*>(a + 9));
  if (is("unset")) unset<<<1, 1>>>(o);
  if (is("right")) sum4<<<1, 32>>>(o, at(0));
  if (is("whole elements")) sum4<<<1, 32>>>(o, at(0) + 3);
  if (is("pairs right")) sum2<<<1, 32>>>(o, pairs_at(2));
  if (is("apart")) one_each<<<1, 32>>>(o, at(1));
  if (is("pair in a half")) upper<<<1, 32>>>(o, at(2));
  if (is("floats")) floats<<<1, 32>>>(o, a + 1);
  if (is("threes")) threes<<<1, 32>>>(o, reinterpret_cast<float3*>(a + 1));
  if (is("loose")) loose<<<1, 32>>>(o, reinterpret_cast<Loose*>(a + 1));
  if (is("volatile")) singly<<<1, 32>>>(o, at(1));
  if (is("cast back")) cast<<<1, 32>>>(o, at(1));
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


class Joined(Ways):
    def setUp(self) -> None:
        self.built_once(JOINED)

    def test_a_joined_access_that_is_not_aligned_is_found(self) -> None:
        for how, access, line, place, joined, aligned in (
                ("loads", "reads", "// sum", "a[1]", 16, 16), ("halves", "reads", "// sum", "a[2]", 16, 16), ("pairs", "reads", "// sum", "a[3]", 8, 8),
                ("stores", "writes", "// store", "a[5]", 16, 16), ("members", "reads", "// body", "a[12]", 8, 16)):
            with self.subTest(how):
                found = self.only(how, "misaligned-access")
                self.assertEqual(found["kind"], "joined")
                self.assertIn(f"{access} 4 bytes", found["message"])
                self.assertIn(f"at a multiple of {aligned} bytes: {place}.", found["message"])
                self.assertIn(f"one access of {joined} bytes", found["message"])
                self.assertIn(line, found["participants"][0]["text"])

    def test_elements_of_an_array_in_shared_memory_that_is_aligned_are_told(self) -> None:
        self.assertIn("of tile[1][2]", self.only("unset", "uninitialised-read")["message"])

    def test_what_stays_apart_or_is_aligned_is_right(self) -> None:
        self.assert_clean("right", "whole elements", "pairs right", "apart", "pair in a half", "floats", "threes", "loose", "volatile",
                          "cast back")


if __name__ == "__main__":
    unittest.main()
