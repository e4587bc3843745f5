// mutant: bound times stride
// item: stride_add_f32 adds one to every stride-th element
// diagnosis[sim]: out-of-bounds
// diagnosis[cuda]: guard-damaged
//
// The mistake: the bound is multiplied by the stride although the thread's number is not.
// Read: the handout, "More threads than elements".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void stride_add_kernel(float* a, std::size_t n, std::size_t stride) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n * stride) a[i * stride] += 1;
}

} // namespace

void stride_add_f32(float* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  stride_add_kernel<<<blocks, threads_per_block>>>(a, n, stride);
}
