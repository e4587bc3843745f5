// mutant: sums not initialised
// item: column_sums sums the columns of a row-major matrix
// diagnosis[sim]: uninitialised-read
// diagnosis[cuda]: sums-not-initialised
//
// The mistake: the elements are added to sums[c], which nobody set to 0.
// Read: labs/01-coalescing/lab.hpp: all elements of sums are written.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void column_sums_kernel(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  for (std::size_t r = 0; r < rows; ++r) sums[c] += matrix[r * cols + c];
}

} // namespace

void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return;
  column_sums_kernel<<<(cols + threads_per_block - 1) / threads_per_block, threads_per_block>>>(sums, matrix,
                                                                                                rows, cols);
}
