// mutant: tail of a stride by one thread
// item: stride_add_f32 touches only the sectors of its elements
// diagnosis: tail-one-by-one
// backends: sim
//
// The mistake: the kernel knows whole blocks only, and a thread of its own goes through what n leaves over.
// Read: the handout, "More threads than elements".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void whole_blocks_kernel(float* a, std::size_t stride) {
  a[(std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * stride] += 1;
}

__global__ void tail_kernel(float* a, std::size_t n, std::size_t stride) {
  for (std::size_t i = n - n % threads_per_block; i < n; ++i) a[i * stride] += 1;
}

} // namespace

void stride_add_f32(float* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = n / threads_per_block;
  if (blocks != 0) whole_blocks_kernel<<<blocks, threads_per_block>>>(a, stride);
  if (n % threads_per_block != 0) tail_kernel<<<1, 1>>>(a, n, stride);
}
