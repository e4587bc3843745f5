// mutant: block number added
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: same-element
// backends: sim
//
// The mistake: every block begins one element further than the one before, and not a whole block further.
// Read: the handout, "Which element is mine?".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void offset_add_kernel(float* a, std::size_t n, std::size_t offset) {
  const std::size_t i = blockIdx.x + threadIdx.x;
  if (i < n) a[offset + i] += 1;
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
