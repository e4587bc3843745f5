// mutant: stride in the bound
// item: stride_add_f32 adds one to every stride-th element
// diagnosis: stride-in-bound
//
// The mistake: the element's number, and not the thread's, is compared with n, so only n / stride elements are changed.
// Read: the handout, "What a stride costs": n counts the elements that change.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void stride_add_kernel(float* a, std::size_t n, std::size_t stride) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t element = i * stride;
  if (element < n) a[element] += 1;
}

} // namespace

void stride_add_f32(float* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  stride_add_kernel<<<blocks, threads_per_block>>>(a, n, stride);
}
