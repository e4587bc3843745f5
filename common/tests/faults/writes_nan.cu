// fault: writes nan
// expect: wrong-result
// words: NaN
// evidence: a[7] is written by thread (0,0,0) of block (0,0,0)

#include <cuda_runtime.h>

namespace {

__global__ void write_nan(float* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.0f / (a[i] - a[i]);
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  if (n != 0) write_nan<<<(n + 255) / 256, 256>>>(a + offset, n);
}
