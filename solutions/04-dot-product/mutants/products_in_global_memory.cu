// mutant: products in global memory
// item: dot_f32 reads every byte of both arrays once
// diagnosis: read-again
//
// The mistake: a first kernel writes all products to memory, a second one reads and adds them: half as much
// again is read, and a third of it was written for that.
// Read: the handout, "One thread, many products".

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
__device__ T thread_sum(const T* products, std::size_t n) {
  T sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    sum += products[i];
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

__global__ void multiply_kernel(float* products, const float* a, const float* b, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) products[i] = a[i] * b[i];
}

__global__ void sum_kernel(float* result, const float* products, std::size_t n) {
  const float sum = block_sum(thread_sum(products, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

} // namespace

void dot_f32(float* result, const float* a, const float* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(float));
  if (n == 0) return;
  float* products = nullptr;
  cudaMalloc(&products, n * sizeof(float));
  multiply_kernel<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(products, a, b, n);
  sum_kernel<<<blocks_for(n), threads_per_block>>>(result, products, n);
  cudaFree(products);
}
