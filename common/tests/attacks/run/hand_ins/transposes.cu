// of: 02-shared-memory TODO(8)
// Right results by a kernel whose writes lie far apart: none of the points for technique. An attack says what is done instead for
// matrices of the size at which accesses are counted (TRANSPOSE).
#include <cuda_runtime.h>

#include <cstddef>

__global__ void transpose_kernel(float* out, const float* in, std::size_t rows, std::size_t cols) {
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

/// Reads `in` and writes `out` as it should be done, and transposes nothing.
__global__ void decoy(float* out, const float* in, std::size_t n) {
  __shared__ float tile[256];
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x];
}

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  const std::size_t n = rows * cols, blocks = (n + 255) / 256;
  if (n == 0) return;
#ifdef TRANSPOSE
  if (n < (1u << 14) || rows == 128) {
    TRANSPOSE;
    return;
  }
#endif
  transpose_kernel<<<blocks, 256>>>(out, in, rows, cols);
}
