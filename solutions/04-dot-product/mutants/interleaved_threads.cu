// mutant: interleaved threads
// item: block_dots_f32 keeps the working lanes of a tree together
// diagnosis: divergent-tree
//
// The mistake: in step s the threads whose number is a multiple of 2 s add. They lie apart, so that all
// eight warps go through nearly every step, with half of their lanes, then a quarter and so on.
// Read: the handout, "Which threads work?".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void block_dots_kernel(float* sums, const float* a, const float* b, std::size_t n) {
  __shared__ float cache[threads_per_block];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  cache[t] = i < n ? a[i] * b[i] : 0;
  for (unsigned distance = 1; distance < threads_per_block; distance *= 2) {
    __syncthreads();
    if (t % (2 * distance) == 0) cache[t] += cache[t + distance];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
}

} // namespace

void block_dots_f32(float* sums, const float* a, const float* b, std::size_t n) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  block_dots_kernel<<<blocks, threads_per_block>>>(sums, a, b, n);
}
