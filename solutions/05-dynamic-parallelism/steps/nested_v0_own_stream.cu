// Step 0 of reduce_nested: the recursion of older books, as far as CUDA 12 and later compile it.
//
// Idea        every block launches the next half of its part, into its own default stream. The two waits of
//             the books are gone: cudaDeviceSynchronize() does not exist in device code any more, and is
//             not needed here, since no parent reads what its child has written. The host asks for as many
//             pending launches as the parts can need.
// Bottleneck  seven launches for 256 additions. A launch costs microseconds, an addition less than a
//             nanosecond.
// Counters    7 child grids per part, depth 7, one barrier per block.

#include <cuda_runtime.h>

namespace {

std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

__global__ void nested_kernel(int* sums, int* work, const int* from, std::size_t n) {
  const unsigned t = threadIdx.x, half = blockDim.x;
  const std::size_t begin = blockIdx.x * part_size;
  int* part = work + begin;
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    sums[blockIdx.x] = part[0];
    return;
  }
  nested_kernel<<<1, half / 2>>>(sums + blockIdx.x, part, part, half);
  if (cudaGetLastError() != cudaSuccess) __trap(); // cannot be: the host has asked for room
}

} // namespace

void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  constexpr std::size_t usual_limit = 2048;
  const std::size_t parts = parts_of(n);
  // A part has one launch under way, and while a child starts, perhaps that of its own child, too.
  if (2 * parts > usual_limit) cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2 * parts);
  nested_kernel<<<parts, part_size / 2>>>(sums, work, in, n);
}
