// mutant: a thread for 256 elements
// item: block_dots_f32 reads every element once
// diagnosis: uncoalesced
//
// The mistake: one thread adds up the 256 products of a sum by itself. Neighbouring lanes are 256 elements
// apart, each in a sector of its own.
// Read: the handout, "A tree in shared memory".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;
constexpr unsigned width = 256; // elements of a sum

__global__ void block_dots_kernel(float* sums, const float* a, const float* b, std::size_t n) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k * width >= n) return;
  float sum = 0;
  for (std::size_t i = k * width; i < n && i < (k + 1) * width; ++i) sum += a[i] * b[i];
  sums[k] = sum;
}

} // namespace

void block_dots_f32(float* sums, const float* a, const float* b, std::size_t n) {
  const std::size_t threads = (n + width - 1) / width;
  if (threads == 0) return;
  block_dots_kernel<<<(threads + threads_per_block - 1) / threads_per_block, threads_per_block>>>(sums, a, b,
                                                                                                  n);
}
