// Step 0 of reduce_nested_by_level: a tail launch per level.
//
// Idea        one launch for the same half of all parts. As a tail launch it starts when all blocks of the
//             level before have finished. Older books launch it from block 0 when that block is done, which
//             is a race.
// Bottleneck  seven tail launches in a row, each of which waits for the whole grid before it.
// Counters    7 tail launches, depth 7, for any number of parts. Never more than one is pending.

#include <cuda_runtime.h>

namespace {

std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

// One thread per addition: of the first 2 * half elements in each of `parts` parts, the second half is added
// to the first. The host launches it with `from` = in, which has n elements; every level launches the next.
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
  if (i != 0 || half == 1) return;
  const std::size_t blocks = (parts * (half / 2) + blockDim.x - 1) / blockDim.x;
  level_kernel<<<blocks, blockDim.x, 0, cudaStreamTailLaunch>>>(sums, work, work, parts * part_size, parts,
                                                                half / 2);
  if (cudaGetLastError() != cudaSuccess)
    __trap(); // no thread can do a whole level: end with an error, not with wrong sums
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t parts = parts_of(n);
  const unsigned half = part_size / 2;
  level_kernel<<<parts_of(parts * half), part_size>>>(sums, work, in, n, parts, half);
}
