// mutant: doubles in order of arrival
// item: dot_deterministic_f32 gives the same bits on every run
// backends: sim
// diagnosis: bits-differ
//
// The mistake: the blocks' sums are added to a double as they arrive. Rounded to a float that has the same bits most of
// the time; where sums of very different size meet, it has not.
// Read: the handout, "The last block".

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
    sum += a[i] * b[i];
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

__device__ double total;
__device__ unsigned blocks_done;

__global__ void dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n) {
  const float sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x != 0) return;
  atomicAdd(&total, static_cast<double>(sum));
  __threadfence();
  if (atomicAdd(&blocks_done, 1) != gridDim.x - 1) return;
  *result = static_cast<float>(atomicAdd(&total, 0.0));
  total = 0;
  blocks_done = 0;
}

} // namespace

void dot_deterministic_f32(float* result, const float* a, const float* b, std::size_t n) {
  dot_deterministic_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
