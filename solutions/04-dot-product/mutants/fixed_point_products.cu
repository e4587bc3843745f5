// mutant: fixed-point products
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: small-values-lost
// backends: sim
//
// The mistake: products are rounded to multiples of 1/1024, which is enough for some numbers and nothing for others.
// Read: the handout, "How far the sum may be off".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void block_dots_kernel(float* sums, const float* a, const float* b, std::size_t n) {
  __shared__ float cache[threads_per_block];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  cache[t] = i < n ? rintf(a[i] * b[i] * 1024) / 1024 : 0;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
}

} // namespace

void block_dots_f32(float* sums, const float* a, const float* b, std::size_t n) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  block_dots_kernel<<<blocks, threads_per_block>>>(sums, a, b, n);
}
