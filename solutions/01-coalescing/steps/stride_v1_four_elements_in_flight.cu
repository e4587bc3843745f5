// Step 1 of stride_add: four elements in flight.
//
// Idea        where a warp's 32 elements are few bytes, a thread asks for four of them before it adds to the first.
//             The four lie a whole block's width apart, so that neighbouring threads stay on neighbouring
//             elements. At larger strides a warp has enough sectors under way already, and more of them in one
//             block's hands only cost.
// Bottleneck  memory bandwidth: at stride s a sector of 32 bytes has max(1, 32 / (s * sizeof(T))) useful elements.
//             Where whole sectors are left out (s * sizeof(T) > 32), the memory itself does not reach its full
//             rate any more.
// Counters    as in step 0.
// Measured    H200, floats: at every second sector (stride 16) 0.50 of what the sectors would take at a copy's speed,
//             at every fourth (stride 32) 0.30.

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

template <typename T>
void stride_add(T* a, std::size_t n, std::size_t stride) {
  if (stride * sizeof(T) <= 8)
    launch<4>(a, n, stride);
  else
    launch<1>(a, n, stride);
}

} // namespace

void stride_add_f32(float* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }

void stride_add_f64(double* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }
