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
// Arrays that are divided by hand: wrong ...
__global__ void carved(float* out, int n) {
  extern __shared__ float floats[];
  float* xs = floats;
  float* ys = floats + n / 2;
  const int i = threadIdx.x;
  xs[i] = out[i];
  ys[i] = out[i] + 1;
  __syncthreads();
  out[i] = xs[n - 1 - i] * ys[i];
}
__global__ void carved_in_order(float* out, int n) {
  extern __shared__ float floats[];
  float *xs = floats, *ys = floats + n / 2;
  const int i = threadIdx.x;
  xs[i] = out[i];
  __syncthreads();
  ys[i] = out[i] + 1;
  __syncthreads();
  out[i] = xs[n - 1 - i] * ys[i];
}
__global__ void carved_in_bytes(float* out, int n) {
  extern __shared__ char chars[];
  auto xs = reinterpret_cast<float*>(chars);
  int* ys = (int*)(chars + n);
  const int i = threadIdx.x;
  xs[i] = out[i];
  ys[i] = i;
  __syncthreads();
  out[i] = xs[n - 1 - i] + ys[n - 1 - i];
}
// ... and right.
__global__ void parts_of_whole(float* out, int n) {
  extern __shared__ float floats[];
  float* all = floats;
  float* second = floats + n;
  const int i = threadIdx.x;
  all[i] = 0;
  all[i + n] = 0.0f;
  __syncthreads();
  second[i] = out[i];
  __syncthreads();
  out[i] = all[n + i] + all[n - 1 - i];
}
__global__ void halo(float* out, int n) {
  extern __shared__ float floats[];
  float* edge = floats;
  float* inner = floats + 1;
  const int i = threadIdx.x;
  inner[i] = out[i];
  if (i == 0) edge[0] = out[0], edge[n + 1] = out[n - 1];
  __syncthreads();
  out[i] = edge[i] + inner[i] + edge[i + 2];
}
__global__ void views(float* out, int n) {
  extern __shared__ float floats[];
  float* xs = floats;
  int* bits = reinterpret_cast<int*>(floats);
  const int i = threadIdx.x;
  xs[i] = out[i];
  __syncthreads();
  bits[i] = i;
  __syncthreads();
  out[i] = xs[n - 1 - i];
}
__global__ void halves(float* out, int n) {
  extern __shared__ float floats[];
  float* from = floats;
  float* to = floats + n;
  const int i = threadIdx.x;
  from[i] = out[i];
  for (int d = 1; d < n; d *= 2) {
    __syncthreads();
    to[i] = i < d ? from[i] : from[i] + from[i - d];
    float* const other = from;
    from = to;
    to = other;
  }
  out[i] = from[i];
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
  if (is("carved")) carved<<<1, n, n * 8>>>(out, n);
  if (is("carved_in_order")) carved_in_order<<<1, n, n * 8>>>(out, n);
  if (is("carved_in_bytes")) carved_in_bytes<<<1, n, n * 8>>>(out, n);
  if (is("parts_of_whole")) parts_of_whole<<<1, n, n * 8>>>(out, n);
  if (is("halo")) halo<<<1, n, n * 8>>>(out, n);
  if (is("views")) views<<<1, n, n * 8>>>(out, n);
  if (is("halves")) halves<<<1, n, n * 8>>>(out, n);
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

    def test_pointers_that_divide_one_array_and_overlap_are_told_where_the_second_one_begins(self) -> None:
        for way, name, other, distance in [("carved", "ys", "xs", 128), ("carved_in_order", "ys", "xs", 128), ("carved_in_bytes", "ys", "xs", 64)]:
            first, *races = self.found(way)
            self.assertEqual(first["id"], "shared-names", way)
            self.assertIn(f"{name} begins {distance} bytes after the beginning of {other}", first["message"])
            self.assertIn("let the second array begin after all elements of the first one", first["suggestion"])
            for race in races:
                self.assertIn("give each of the two arrays bytes of its own first", race["suggestion"], way)

    def test_the_lines_are_those_of_the_read_and_of_the_write_that_came_between(self) -> None:
        told = self.run_program("two", options=("--no-counters",)).stderr
        for mark in ["// both", "// over it"]:
            self.assertIn(f"program.cu:{ARRAYS[:ARRAYS.index(mark)].count(chr(10)) + 1} | ", told)

    def test_memory_that_is_used_in_turns_or_under_both_names_on_purpose_is_no_mistake(self) -> None:
        for way in ["in_turns", "converted", "bits", "apart", "handed_on", "by_pointer", "by_hand", "parts_of_whole", "halo", "views",
                    "halves"]:
            self.assertEqual(self.found(way), [], way)


if __name__ == "__main__":
    unittest.main()
