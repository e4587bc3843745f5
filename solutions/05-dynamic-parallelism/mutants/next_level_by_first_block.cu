// mutant: the first block launches the next level
// item: reduce_nested_by_level adds up every part
// diagnosis: next-level-too-early
// backends: sim
//
// The mistake: as a well-known book has it: block 0 launches the next level as soon as it is done itself. The
// other blocks may still be adding, or may not even have begun.
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
    const std::size_t first = i / half * part_size + i % half;
    const int added = element(from, n, first) + element(from, n, first + half);
    if (half == 1)
      sums[i] = added;
    else
      work[first] = added;
  }
  __syncthreads();
  if (i != 0 || half == 1) return;
  const std::size_t blocks = (parts * (half / 2) + blockDim.x - 1) / blockDim.x;
  level_kernel<<<blocks, blockDim.x, 0, nullptr>>>(sums, work, work, parts * part_size, parts, half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t parts = (n + part_size - 1) / part_size;
  const unsigned half = part_size / 2;
  level_kernel<<<blocks_for(parts * half), threads_per_block>>>(sums, work, in, n, parts, half);
}
