// mutant: small products left out
// item: dot_f32 gives the dot product at any length
// backends: sim
// diagnosis: small-values-lost
//
// The mistake: products near 0 are taken for 0, by comparison with a fixed number. Which products are small, the
// others decide.
// Read: the handout, "How far the sum may be off".

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads_per_block = 256;
constexpr unsigned warp_size = 32;

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>(std::clamp<std::size_t>(n / (8 * threads_per_block), 1, 1024));
}

// The sum of this thread's products.
template <typename T>
__device__ T thread_sum(const T* a, const T* b, std::size_t n) {
  T sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    if (a[i] * b[i] > T(1e-6) || a[i] * b[i] < T(-1e-6)) sum += a[i] * b[i];
  return sum;
}

// The sum of a warp's values, in lane 0.
template <typename T>
__device__ T warp_sum(T value) {
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

// The sum of a block's values, in thread 0.
template <typename T>
__device__ T block_sum(T value) {
  constexpr unsigned warps = threads_per_block / warp_size;
  __shared__ T cache[warps];
  const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
  value = warp_sum(value);
  if (lane == 0) cache[warp] = value;
  __syncthreads();
  if (warp != 0) return 0;
  return warp_sum(lane < warps ? cache[lane] : 0);
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
