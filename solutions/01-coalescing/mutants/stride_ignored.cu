// mutant: stride ignored
// item: stride_add_f32 adds one to every stride-th element
// diagnosis: stride-ignored
//
// The mistake: the stride is an argument, but the kernel never uses it: it works on a[0] to a[n-1].
// Read: the handout, "The tasks".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void stride_add_kernel(float* a, std::size_t n, std::size_t stride) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}

} // namespace

void stride_add_f32(float* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  stride_add_kernel<<<blocks, threads_per_block>>>(a, n, stride);
}
