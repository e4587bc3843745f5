// Step 1 of reduce_nested_by_level: two levels, then a warp does the rest.
//
// Idea        the first level adds four elements at a time. The second one, the only one that device code
//             launches, gives each warp 64 elements to add up. That is fewer launches and less memory
//             traffic: the first level writes a quarter of what it reads.
// Bottleneck  one tail launch, and at large n the memory: 3 n / 2 elements are moved where n would do.
// Counters    1 tail launch, depth 1.
// fails: reduce_nested_by_level is a chain of tail launches: too-few-child-grids

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
__global__ void quarters_kernel(int* sums, int* work, const int* in, std::size_t n, std::size_t parts) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < parts * quarter) {
    const std::size_t first = i / quarter * part_size + i % quarter;
    int value = 0;
    for (unsigned q = 0; q < 4; ++q) value += element(in, n, first + q * quarter);
    work[first] = value;
  }
  if (i != 0) return;
  const std::size_t blocks = (parts * warp_size + blockDim.x - 1) / blockDim.x;
  last_kernel<<<blocks, blockDim.x, 0, cudaStreamTailLaunch>>>(sums, work, parts);
  if (cudaGetLastError() != cudaSuccess) __trap();
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t parts = (n + part_size - 1) / part_size;
  quarters_kernel<<<blocks_for(parts * quarter), threads_per_block>>>(sums, work, in, n, parts);
}
