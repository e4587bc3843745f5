// Step 2 of reduce_nested: the recursion stops where a warp can do the rest.
//
// Idea        halves of 64 and of 32 threads are launched. Then 32 elements are left, which the warp adds up
//             by shuffles. A recursion on a GPU should end where a launch costs more than the work that it
//             starts.
// Bottleneck  still launches: two per part instead of seven.
// Counters    2 child grids per part, depth 2.
// fails: reduce_nested launches the next half from every block: too-few-child-grids

#include <cuda_runtime.h>

namespace {

constexpr unsigned warp_size = 32;
constexpr unsigned all_lanes = 0xffffffff;

std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

__device__ void finish_alone(int* sum, const int* part, unsigned count) {
  int total = 0;
  for (unsigned i = 0; i < count; ++i) total += part[i];
  *sum = total;
}

__global__ void nested_kernel(int* sums, int* work, const int* from, std::size_t n) {
  const unsigned t = threadIdx.x, half = blockDim.x;
  const std::size_t begin = blockIdx.x * part_size;
  int* part = work + begin;
  int* sum = sums + blockIdx.x;
  int value = element(from, n, begin + t) + element(from, n, begin + t + half);
  if (half == warp_size) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
      value += __shfl_down_sync(all_lanes, value, distance);
    if (t == 0) *sum = value;
    return;
  }
  part[t] = value;
  __syncthreads();
  if (t != 0) return;
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
}

} // namespace

void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  nested_kernel<<<parts_of(n), part_size / 2>>>(sums, work, in, n);
}
