// fault: subtracts in the index
// expect: out-of-bounds
// words: with these numbers
// backends: sim
// evidence: there offset = 7, i = 8, and `offset - i` is -1
// evidence: with blockIdx.x = 0, blockDim.x = 256, threadIdx.x = 8
// evidence: `i < n`: 8 < 31 is true

#include <cuda_runtime.h>

namespace {

__global__ void add_one(float* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset - i] += 1;
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  if (n != 0) add_one<<<(n + 255) / 256, 256>>>(a, n, offset);
}
