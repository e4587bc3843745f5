// mutant: neighbour written too
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: same-element
// backends: sim
//
// The mistake: each thread writes to its neighbour's element, too, in another line, although it adds nothing there.
// Read: the handout, "One thread, one element".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void offset_add_kernel(float* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[offset + i] += 1;
  if (i + 1 < n) a[offset + i + 1] += 0;
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
