// Lab @NUMBER@: @TITLE@. Complete the TODO regions; README.md beside this file is the handout.
//
//   ./warpbook check @NUMBER@        grades this file and says what is wrong

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr unsigned threads_per_block = 256;

// One thread for one element.
__global__ void @KERNEL@_kernel(float* out, const float* in, std::size_t n) {
  // TODO(1): double this thread's element
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
  // END TODO(1)
}

} // namespace

void @KERNEL@_f32(float* out, const float* in, std::size_t n) {
  if (n == 0) return; // a launch of no blocks is an error
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  @KERNEL@_kernel<<<blocks, threads_per_block>>>(out, in, n);
}
