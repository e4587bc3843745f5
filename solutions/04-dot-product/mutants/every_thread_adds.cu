// mutant: every thread adds to the result
// item: dot_f32 makes at most one atomic addition a block
// diagnosis: atomics-not-needed
//
// The mistake: each thread adds its own sum to *result. The sum is right; a quarter of a million additions
// wait for one another at one address.
// Read: the handout, "One addition a block".

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads_per_block = 256;

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>(std::clamp<std::size_t>(n / (8 * threads_per_block), 1, 1024));
}

// The sum of this thread's products.
template <typename T>
__device__ T thread_sum(const T* a, const T* b, std::size_t n) {
  T sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    sum += a[i] * b[i];
  return sum;
}

template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  atomicAdd(result, thread_sum(a, b, n));
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}

} // namespace

void dot_f32(float* result, const float* a, const float* b, std::size_t n) { dot(result, a, b, n); }
