// Step 1 of stride_add: four elements in flight.
//
// Idea        a thread asks for four elements before it adds to the first. The four lie a whole block's width
//             apart, so that neighbouring threads stay on neighbouring elements.
// Bottleneck  memory bandwidth, as before. Strides leave few useful bytes for each sector under way; more sectors
//             under way keep the memory busy.
// Counters    as in step 0.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;
constexpr unsigned per_thread = 4;
constexpr std::size_t per_block = threads_per_block * per_thread;

template <typename T>
__global__ void stride_add_kernel(T* a, std::size_t n, std::size_t stride) {
  const std::size_t first = blockIdx.x * per_block + threadIdx.x;
  T value[per_thread]; // in registers: every loop below is unrolled
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

template <typename T>
void stride_add(T* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = (n + per_block - 1) / per_block;
  if (blocks == 0) return;
  stride_add_kernel<<<blocks, threads_per_block>>>(a, n, stride);
}

} // namespace

void stride_add_f32(float* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }

void stride_add_f64(double* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }
