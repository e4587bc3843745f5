// mutant: interleaved places
// item: block_dots_f32 has no bank conflicts
// diagnosis: bank-conflicts
//
// The mistake: neighbouring threads work, on places that lie 2 s apart. With s = 16 all lanes of a warp are
// on words of the same bank.
// Read: the handout, "Which places does a warp touch?".

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
    const unsigned place = 2 * distance * t;
    if (place < threads_per_block) cache[place] += cache[place + distance];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
}

} // namespace

void block_dots_f32(float* sums, const float* a, const float* b, std::size_t n) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  block_dots_kernel<<<blocks, threads_per_block>>>(sums, a, b, n);
}
