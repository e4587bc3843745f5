// fault: skips the second half
// expect: tail-skipped
// words: never written
// backends: sim
// evidence: It is for thread (197,0,0) of block (9,0,0), which line
// evidence: `i < n / 2`: 2501 < 2501 is false
// evidence: skips_the_second_half.cu:

#include <cuda_runtime.h>

namespace {

__global__ void add_one(float* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / 2) a[offset + i] += 1;
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  if (n != 0) add_one<<<(n + 255) / 256, 256>>>(a, n, offset);
}
