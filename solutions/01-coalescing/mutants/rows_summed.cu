// mutant: rows summed
// item: column_sums sums the columns of a row-major matrix
// diagnosis: rows-summed
//
// The mistake: the loop runs along a row: thread r sums row r.
// Read: the handout, "Which way through a matrix?".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void column_sums_kernel(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  const std::size_t r = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (r >= rows || r >= cols) return;
  float sum = 0;
  for (std::size_t c = 0; c < cols; ++c) sum += matrix[r * cols + c];
  sums[r] = sum;
}

} // namespace

void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return;
  column_sums_kernel<<<(cols + threads_per_block - 1) / threads_per_block, threads_per_block>>>(sums, matrix,
                                                                                                rows, cols);
}
