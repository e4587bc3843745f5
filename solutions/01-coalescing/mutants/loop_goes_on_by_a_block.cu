// mutant: loop goes on by a block
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: same-element
// backends: sim
//
// The mistake: the loop goes on by the threads of a block, where the other blocks are already, and not by those of the whole grid.
// Read: the handout, "Which element is mine?".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void offset_add_kernel(float* a, std::size_t n, std::size_t offset) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = first; i < n; i += blockDim.x) a[offset + i] += 1;
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
