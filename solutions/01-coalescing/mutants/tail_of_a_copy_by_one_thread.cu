// mutant: tail of a copy by one thread
// item: copy_vectorized stays coalesced where the arrays share no boundary
// diagnosis: tail-one-by-one
// backends: sim
//
// The mistake: where no vectors fit, whole blocks are copied by neighbouring lanes and the rest by one thread.
// Read: the handout, "More threads than elements".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void whole_blocks_kernel(float* out, const float* in) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

__global__ void tail_kernel(float* out, const float* in, std::size_t n) {
  for (std::size_t i = n - n % threads_per_block; i < n; ++i) out[i] = in[i];
}

} // namespace

void copy_vectorized(float* out, const float* in, std::size_t n) {
  const std::size_t blocks = n / threads_per_block;
  if (blocks != 0) whole_blocks_kernel<<<blocks, threads_per_block>>>(out, in);
  if (n % threads_per_block != 0) tail_kernel<<<1, 1>>>(out, in, n);
}
