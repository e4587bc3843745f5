// mutant: tail skipped
// item: @KERNEL@_f32 doubles every element
// diagnosis: output-unwritten
//
// The mistake: n / threads_per_block rounds down, so that the last n % threads_per_block elements have no thread.
// Read: the handout, "Background".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void @KERNEL@_kernel(float* out, const float* in, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

} // namespace

void @KERNEL@_f32(float* out, const float* in, std::size_t n) {
  const std::size_t blocks = n / threads_per_block;
  if (blocks != 0) @KERNEL@_kernel<<<blocks, threads_per_block>>>(out, in, n);
}
