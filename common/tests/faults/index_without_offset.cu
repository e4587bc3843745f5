// fault: index without offset
// expect: offset-ignored
// words: Where does the offset enter
// evidence: a[0] is written by thread (0,0,0) of block (0,0,0)
// evidence: there i = 0

#include <cuda_runtime.h>

namespace {

__global__ void add_one(float* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t) {
  if (n != 0) add_one<<<(n + 255) / 256, 256>>>(a, n);
}
