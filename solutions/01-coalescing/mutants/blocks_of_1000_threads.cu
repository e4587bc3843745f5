// mutant: blocks of 1000 threads
// item: offset_add_f32 touches no sector twice when aligned
// diagnosis: block-not-whole-warps
// backends: sim
//
// The mistake: 1000 threads are 31 warps and a quarter; the last warp of every block has 8 lanes at work.
// Read: the handout, "What a warp asks for".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 1000;

__global__ void offset_add_kernel(float* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset + i] += 1;
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
