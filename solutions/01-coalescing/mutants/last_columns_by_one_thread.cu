// mutant: last columns by one thread
// item: column_sums reads the matrix coalesced and once
// diagnosis: tail-one-by-one
// backends: sim
//
// The mistake: the columns behind the last whole block are summed by one thread, one after the other.
// Read: the handout, "More threads than elements".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__device__ void sum_column(float* sums, const float* matrix, std::size_t rows, std::size_t cols,
                           std::size_t c) {
  float sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += matrix[r * cols + c];
  sums[c] = sum;
}

__global__ void whole_blocks_kernel(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  sum_column(sums, matrix, rows, cols, std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
}

__global__ void tail_kernel(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  for (std::size_t c = cols - cols % threads_per_block; c < cols; ++c)
    sum_column(sums, matrix, rows, cols, c);
}

} // namespace

void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  const std::size_t blocks = cols / threads_per_block;
  if (blocks != 0) whole_blocks_kernel<<<blocks, threads_per_block>>>(sums, matrix, rows, cols);
  if (cols % threads_per_block != 0) tail_kernel<<<1, 1>>>(sums, matrix, rows, cols);
}
