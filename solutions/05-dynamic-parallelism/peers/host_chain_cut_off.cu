// Peer: the host launches the two kernels of step 1 of reduce_nested_by_level, one after the other.
//
// The fair comparison for that step: the same cut-off, and no launch by device code.

#include <cuda_runtime.h>

namespace {

constexpr unsigned warp_size = 32;
constexpr unsigned all_lanes = 0xffffffff;
constexpr unsigned threads_per_block = 256;
constexpr unsigned quarter = part_size / 4;

std::size_t blocks_for(std::size_t threads) { return (threads + threads_per_block - 1) / threads_per_block; }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

// A warp for a part of which the first 64 elements are left.
__global__ void last_kernel(int* sums, const int* work, std::size_t parts) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t k = i / warp_size;
  if (k >= parts) return; // whole warps only: a block is a multiple of them
  const int* part = work + k * part_size;
  int value = part[i % warp_size] + part[i % warp_size + warp_size];
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(all_lanes, value, distance);
  if (i % warp_size == 0) sums[k] = value;
}

// One thread adds up four elements that lie a quarter of the part apart.
__global__ void quarters_kernel(int* work, const int* in, std::size_t n, std::size_t parts) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= parts * quarter) return;
  const std::size_t first = i / quarter * part_size + i % quarter;
  int value = 0;
  for (unsigned q = 0; q < 4; ++q) value += element(in, n, first + q * quarter);
  work[first] = value;
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t parts = (n + part_size - 1) / part_size;
  quarters_kernel<<<blocks_for(parts * quarter), threads_per_block>>>(work, in, n, parts);
  last_kernel<<<blocks_for(parts * warp_size), threads_per_block>>>(sums, work, parts);
}
