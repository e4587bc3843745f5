// mutant: sum in global memory
// item: column_sums keeps its running sums out of global memory
// diagnosis: sum-in-global-memory
//
// The mistake: sums[c] itself is the running sum: it is read and written in global memory for every row.
// Read: the handout, "Which way through a matrix?": a variable of the thread is a register.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void column_sums_kernel(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  volatile float* sum = &sums[c];
  *sum = 0;
  for (std::size_t r = 0; r < rows; ++r) *sum = *sum + matrix[r * cols + c];
}

} // namespace

void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return;
  column_sums_kernel<<<(cols + threads_per_block - 1) / threads_per_block, threads_per_block>>>(sums, matrix,
                                                                                                rows, cols);
}
