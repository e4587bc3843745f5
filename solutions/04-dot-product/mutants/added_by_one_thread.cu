// mutant: added by one thread
// item: block_dots_f32 keeps the working lanes of a tree together
// diagnosis: added-one-by-one
//
// The mistake: thread 0 adds up all 256 places while 255 threads wait.
// Read: the handout, "Which threads work?".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void block_dots_kernel(float* sums, const float* a, const float* b, std::size_t n) {
  __shared__ float cache[threads_per_block];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  cache[t] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  if (t == 0) {
    float sum = 0;
    for (unsigned k = 0; k < threads_per_block; ++k) sum += cache[k];
    sums[blockIdx.x] = sum;
  }
}

} // namespace

void block_dots_f32(float* sums, const float* a, const float* b, std::size_t n) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  block_dots_kernel<<<blocks, threads_per_block>>>(sums, a, b, n);
}
