// fault: takes the same element in every block
// expect: global-race
// words: same element
// backends: sim
// evidence: i = 0
// evidence: with threadIdx.x = 0

#include <cuda_runtime.h>

namespace {

__global__ void add_one(float* a, std::size_t n, std::size_t offset) {
  const std::size_t i = threadIdx.x;
  if (i < n) a[offset + i] += 1;
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  if (n != 0) add_one<<<(n + 255) / 256, 256>>>(a, n, offset);
}
