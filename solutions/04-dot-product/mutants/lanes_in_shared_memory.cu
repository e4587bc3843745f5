// mutant: lanes in shared memory
// item: dot_f32 adds the lanes of a warp without shared memory
// diagnosis: lanes-through-shared-memory
//
// The mistake: a tree over all 256 threads in shared memory, as in block_dots, where five shuffles do for a
// warp.
// Read: the handout, "Lanes tell each other".

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

// The sum of a block's values, in thread 0.
template <typename T>
__device__ T block_sum(T value) {
  __shared__ T cache[threads_per_block];
  const unsigned t = threadIdx.x;
  cache[t] = value;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  return t == 0 ? cache[0] : 0;
}

template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}

} // namespace

void dot_f32(float* result, const float* a, const float* b, std::size_t n) { dot(result, a, b, n); }
