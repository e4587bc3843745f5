"""Arrays in dynamic shared memory that begin at one address. The environment is that of test_simtrun.py."""
from __future__ import annotations

import unittest

import test_simtrun

#: Each kernel by its name: those that lose what they have written ...
ARRAYS = """\
#include <cstdio>
#include <cstring>
struct Point { float x, y; };
extern __shared__ double sums[];
__global__ void two(float* out, int n) {
  extern __shared__ float xs[];
  extern __shared__ int keys[];
  const int i = threadIdx.x;
  xs[i] = 0.5f * i;
  keys[i] = n - i;  // over it
  __syncthreads();
  out[i] = xs[n - 1 - i] + keys[i];  // both
}
__global__ void sizes(float* out, int n) {
  extern __shared__ char flags[];
  const int i = threadIdx.x;
  sums[i] = i;
  flags[i] = i % 3 == 0;
  __syncthreads();
  if (flags[i]) out[i] = sums[n - 1 - i];
}
__global__ void members(float* out, int n) {
  extern __shared__ Point points[];
  extern __shared__ unsigned counts[];
  const int i = threadIdx.x;
  points[i].x = i;
  points[i].y = -i;
  __syncthreads();
  if (i < 8) counts[i] = 0;
  __syncthreads();
  atomicAdd(&counts[i % 8], 1u);
  __syncthreads();
  out[i] = fminf(points[n - 1 - i].y, 2.0f) + counts[i % 8];
}
template <class A, class B> __global__ void instance(float* out, int n) {
  extern __shared__ A as[];
  extern __shared__ B bs[];
  const int i = threadIdx.x;
  as[i] = out[i];
  bs[i] = out[i] + 1;
  __syncthreads();
  for (int k = 0; k < n; ++k) out[i] += as[k] * bs[k];
}
// ... and those that do not.
__global__ void in_turns(float* out, int n) {
  extern __shared__ float xs[];
  extern __shared__ int keys[];
  const int i = threadIdx.x;
  for (int turn = 0; turn < 3; ++turn) {
    xs[i] = 0.5f * i;
    __syncthreads();
    out[i] += xs[n - 1 - i];
    __syncthreads();
    keys[i] = n - i;
    __syncthreads();
    out[i] += keys[n - 1 - i];
    __syncthreads();
  }
}
__global__ void converted(float* out, int n) {
  extern __shared__ float fs[];
  extern __shared__ int ks[];
  const int i = threadIdx.x;
  fs[i] = 1.5f * i;
  __syncthreads();
  ks[i] = static_cast<int>(fs[i]);
  __syncthreads();
  out[i] = ks[n - 1 - i];
}
__global__ void bits(float* out, int n) {
  extern __shared__ float fs[];
  extern __shared__ unsigned us[];
  const int i = threadIdx.x;
  fs[i] = -1.5f * i;
  __syncthreads();
  us[i] &= 0x7fffffffu;
  __syncthreads();
  out[i] = fs[n - 1 - i];
}
__global__ void apart(float* out, int n) {
  extern __shared__ float fs[];
  extern __shared__ int ks[];
  const int i = threadIdx.x;
  fs[i] = i;
  ks[n + i] = i;
  __syncthreads();
  out[i] = fs[n - 1 - i] + ks[n + i];
}
__device__ void exchange(float& a, float& b) { const float before = a; a = b; b = before; }
__device__ void set(float& a) { a = 1; }
__global__ void handed_on(float* out, int n) {
  extern __shared__ float fs[];
  extern __shared__ int ks[];
  const int i = threadIdx.x;
  fs[i] = i;
  __syncthreads();
  ks[i] = 3;
  __syncthreads();
  out[i] = ks[n - 1 - i];
  __syncthreads();
  set(fs[i]);
  __syncthreads();
  if (i % 2 == 0) exchange(fs[i], fs[i + 1]);
  __syncthreads();
  out[i] += fs[n - 1 - i];
}
__global__ void by_pointer(float* out, int n) {
  extern __shared__ float fs[];
  extern __shared__ int ks[];
  float* const mine = fs + threadIdx.x;
  const int i = threadIdx.x;
  fs[i] = i;
  ks[i] = 2;
  *mine = 4;
  __syncthreads();
  out[i] = fs[n - 1 - i];
}
__global__ void by_hand(float* out, int n) {
  extern __shared__ double memory[];
  float* const xs = reinterpret_cast<float*>(memory);
  int* const keys = reinterpret_cast<int*>(xs + n);
  const int i = threadIdx.x;
  xs[i] = i;
  keys[i] = n - i;
  __syncthreads();
  out[i] = xs[n - 1 - i] + keys[i];
}
int main(int, char** argv) {
  const auto is = [how = argv[1]](const char* name) { return strcmp(how, name) == 0; };
  const int n = 64;
  float* out;
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) out[i] = i;
  if (is("two")) two<<<1, n, n * 8>>>(out, n);
  if (is("sizes")) sizes<<<1, n, n * 9>>>(out, n);
  if (is("members")) members<<<1, n, n * 8>>>(out, n);
  if (is("instance")) instance<float, int><<<1, n, n * 8>>>(out, n);
  if (is("in_turns")) in_turns<<<1, n, n * 4>>>(out, n);
  if (is("converted")) converted<<<1, n, n * 4>>>(out, n);
  if (is("bits")) bits<<<1, n, n * 4>>>(out, n);
  if (is("apart")) apart<<<1, n, n * 8>>>(out, n);
  if (is("handed_on")) handed_on<<<1, n, n * 4>>>(out, n);
  if (is("by_pointer")) by_pointer<<<1, n, n * 4>>>(out, n);
  if (is("by_hand")) by_hand<<<1, n, n * 8>>>(out, n);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


class SharedNames(test_simtrun.Programs):
    def setUp(self) -> None:
        super().setUp()
        self.built_once(ARRAYS)

    def found(self, way: str, *options: str) -> list[dict]:
        return self.report(*options, "program.so", way)["diagnostics"]

    def test_what_was_written_by_one_name_and_is_lost_by_another_is_found(self) -> None:
        for way, name, other in [("two", "xs", "keys"), ("members", "points", "counts"), ("instance", "as", "bs"),
                                 ("sizes", "sums", "flags")]:
            for options in [(), ("--schedule", "random", "--seed", "7")]:
                first, *races = self.found(way, *options)
                self.assertEqual(first["id"], "shared-names", way)
                self.assertIn(f"by the name {name} after they have been written by the name {other}", first["message"])
                self.assertIn("declare one extern __shared__ array for both, and divide it by hand", first["suggestion"])
                self.assertEqual([each["action"] for each in first["participants"]], [f"reads it as {name}", f"wrote it as {other}"])
                for race in races:
                    self.assertEqual(race["id"], "shared-race", way)
                    self.assertIn("give each of the two arrays bytes of its own first", race["suggestion"])

    def test_the_lines_are_those_of_the_read_and_of_the_write_that_came_between(self) -> None:
        told = self.run_program("two", options=("--no-counters",)).stderr
        for mark in ["// both", "// over it"]:
            self.assertIn(f"program.cu:{ARRAYS[:ARRAYS.index(mark)].count(chr(10)) + 1} | ", told)

    def test_memory_that_is_used_in_turns_or_under_both_names_on_purpose_is_no_mistake(self) -> None:
        for way in ["in_turns", "converted", "bits", "apart", "handed_on", "by_pointer", "by_hand"]:
            self.assertEqual(self.found(way), [], way)


if __name__ == "__main__":
    unittest.main()
