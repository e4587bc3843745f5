// Peer: the host launches the levels, one after the other.
//
// The same levels as reduce_nested_by_level, in a loop on the host: grids of one stream run one after the
// other anyway.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

// One thread per addition: of the first 2 * half elements in each of `parts` parts, the second half is added
// to the first.
__global__ void level_kernel(int* sums, int* work, const int* from, std::size_t n, std::size_t parts,
                             unsigned half) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= parts * half) return;
  const std::size_t first = i / half * part_size + i % half;
  const int added = element(from, n, first) + element(from, n, first + half);
  if (half == 1)
    sums[i] = added;
  else
    work[first] = added;
}

void launch_levels(int* sums, int* work, const int* in, std::size_t n, cudaStream_t stream) {
  const std::size_t parts = (n + part_size - 1) / part_size;
  for (unsigned half = part_size / 2; half > 0; half /= 2) {
    const bool is_first = half == part_size / 2;
    const std::size_t blocks = (parts * half + threads_per_block - 1) / threads_per_block;
    level_kernel<<<blocks, threads_per_block, 0, stream>>>(sums, work, is_first ? in : work,
                                                           is_first ? n : parts * part_size, parts, half);
  }
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n != 0) launch_levels(sums, work, in, n, nullptr);
}
