// mutant: many blocks, and one that works
// item: dot_deterministic_f32 needs one launch of many blocks and counts each of them once
// diagnosis: idle-blocks
// backends: sim
//
// The mistake: the grid has many blocks, and block 0 goes through everything: the others end at once.
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
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) sum += a[i] * b[i];
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

__global__ void dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n) {
  if (blockIdx.x != 0) return;
  const float sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) *result = sum;
}

} // namespace

void dot_deterministic_f32(float* result, const float* a, const float* b, std::size_t n) {
  dot_deterministic_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
