// mutant: matrix read twice
// item: column_sums reads the matrix coalesced and once
// diagnosis: read-more-than-once
//
// The mistake: one pass looks whether the column has anything but zeros, and a second one adds; each reads the whole matrix.
// Read: the handout, "What a warp asks for": every request pays.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void column_sums_kernel(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  bool any = false;
  for (std::size_t r = 0; r < rows; ++r) any = (matrix[r * cols + c] != 0) | any;
  float sum = 0;
  if (any) {
    for (std::size_t r = 0; r < rows; ++r) sum += matrix[r * cols + c];
  }
  sums[c] = sum;
}

} // namespace

void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return;
  column_sums_kernel<<<(cols + threads_per_block - 1) / threads_per_block, threads_per_block>>>(sums, matrix,
                                                                                                rows, cols);
}
