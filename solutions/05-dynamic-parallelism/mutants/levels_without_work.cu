// mutant: levels that do nothing
// item: reduce_nested_by_level is a chain of tail launches
// diagnosis: child-adds-nothing
//
// The mistake: at the first level one thread adds up a whole part. The levels after it are launched all the
// same, with nothing to do.
// Read: the handout, "Level by level".

#include <cuda_runtime.h>

namespace {

__host__ __device__ std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

__global__ void level_kernel(int* sums, int* work, const int* from, std::size_t n, std::size_t parts,
                             unsigned half) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (half == part_size / 2 && i < parts) {
    int total = 0;
    for (std::size_t k = 0; k < part_size; ++k) total += element(from, n, i * part_size + k);
    sums[i] = total;
  }
  if (i != 0 || half == 1) return;
  level_kernel<<<parts_of(parts * (half / 2)), blockDim.x, 0, cudaStreamTailLaunch>>>(
      sums, work, work, parts * part_size, parts, half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t parts = parts_of(n);
  const unsigned half = part_size / 2;
  level_kernel<<<parts_of(parts * half), part_size>>>(sums, work, in, n, parts, half);
}
