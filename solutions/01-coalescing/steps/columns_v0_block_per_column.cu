// Step 0 of column_sums: a block for each column.
// fails: column_sums reads the matrix coalesced and once: uncoalesced
//
// Idea        many threads work on one sum: they share the rows of a column, and a tree adds their parts.
// Bottleneck  sectors: neighbouring lanes are on neighbouring rows, a whole row apart. Of every 32 bytes that are
//             moved, 4 are used.
// Counters    32 sectors per request.
// Measured    H200, 8,192 x 16,384 floats: 581 GB/s, 0.14 of a plain copy.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void column_sums_kernel(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  __shared__ float part[threads_per_block];
  const std::size_t c = blockIdx.x;
  float sum = 0;
  for (std::size_t r = threadIdx.x; r < rows; r += threads_per_block) sum += matrix[r * cols + c];
  part[threadIdx.x] = sum;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads(); // the parts that are read next have been written
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[c] = part[0];
}

} // namespace

void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return;
  column_sums_kernel<<<cols, threads_per_block>>>(sums, matrix, rows, cols);
}
