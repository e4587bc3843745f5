// mutant: the parts are moved together
// item: reduce_nested_by_level adds up every part
// diagnosis: level-index
// backends: sim
//
// The mistake: of a part 2 * half elements are left, and so the next one is looked for right behind them. But
// nobody has moved it: each part still begins part_size elements after the one before.
// Read: the handout, "Level by level".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

std::size_t blocks_for(std::size_t threads) { return (threads + threads_per_block - 1) / threads_per_block; }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

__global__ void level_kernel(int* sums, int* work, const int* from, std::size_t n, std::size_t parts,
                             unsigned half) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < parts * half) {
    const std::size_t first = i / half * 2 * half + i % half;
    const int added = element(from, n, first) + element(from, n, first + half);
    if (half == 1)
      sums[i] = added;
    else
      work[first] = added;
  }
  if (i != 0 || half == 1) return;
  const std::size_t blocks = (parts * (half / 2) + blockDim.x - 1) / blockDim.x;
  level_kernel<<<blocks, blockDim.x, 0, cudaStreamTailLaunch>>>(sums, work, work, parts * part_size, parts,
                                                                half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t parts = (n + part_size - 1) / part_size;
  const unsigned half = part_size / 2;
  level_kernel<<<blocks_for(parts * half), threads_per_block>>>(sums, work, in, n, parts, half);
}
