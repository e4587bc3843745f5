// mutant: last element left out
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: tail-skipped
// backends: sim
//
// The mistake: i + 1 < n is true of every element but the last.
// Read: the handout, "More threads than elements".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void offset_add_kernel(float* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i + 1 < n) a[offset + i] += 1;
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
