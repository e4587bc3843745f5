// Step 2 of stride_add: fetch single sectors.
//
// Idea        the L2 cache may fetch two sectors where one is asked for, because the next one is usually wanted,
//             too. Where a stride leaves sectors out it is not: tell the device so, once, by its limit for the
//             granularity of fetches. It holds for the whole process, so a library should not do this.
// Bottleneck  memory bandwidth. What is left has other reasons than sectors.
// Counters    as in step 0.
// Measured    H200, floats: at every second sector (stride 16) 0.62 of what the sectors would take at a copy's speed,
//             at every fourth (stride 32) 0.31.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

template <unsigned per_thread, typename T>
__global__ void stride_add_kernel(T* a, std::size_t n, std::size_t stride) {
  const std::size_t first = std::size_t{blockIdx.x} * (threads_per_block * per_thread) + threadIdx.x;
  T value[per_thread]; // in registers: the loops are unrolled
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    const std::size_t i = first + k * threads_per_block;
    if (i < n) value[k] = a[i * stride];
  }
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    const std::size_t i = first + k * threads_per_block;
    if (i < n) a[i * stride] = value[k] + T{1};
  }
}

template <unsigned per_thread, typename T>
void launch(T* a, std::size_t n, std::size_t stride) {
  constexpr std::size_t per_block = threads_per_block * per_thread;
  const std::size_t blocks = (n + per_block - 1) / per_block;
  if (blocks != 0) stride_add_kernel<per_thread><<<blocks, threads_per_block>>>(a, n, stride);
}

void fetch_single_sectors() {
  static const cudaError_t once = cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32);
  static_cast<void>(once); // a hint: without it the results are the same
}

template <typename T>
void stride_add(T* a, std::size_t n, std::size_t stride) {
  fetch_single_sectors();
  if (stride * sizeof(T) <= 8)
    launch<4>(a, n, stride);
  else
    launch<1>(a, n, stride);
}

} // namespace

void stride_add_f32(float* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }

void stride_add_f64(double* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }
