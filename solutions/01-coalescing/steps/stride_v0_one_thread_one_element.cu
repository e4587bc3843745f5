// Step 0 of stride_add: one thread, one element.
//
// Idea        neighbouring threads take neighbouring elements of those that change; there is nothing better to be
//             had, for the sectors are what they are.
// Bottleneck  memory bandwidth, most of it spent on bytes that are not used: at stride s a sector of 32 bytes
//             has max(1, 32 / (s * sizeof(T))) useful elements.
// Counters    min(32, s * sizeof(T)) sectors per request, each sector asked for once.
// Measured    H200, floats: at every second sector (stride 16) 0.50 of what the sectors would take at a copy's speed,
//             at every fourth (stride 32) 0.30.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

template <typename T>
__global__ void stride_add_kernel(T* a, std::size_t n, std::size_t stride) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i * stride] += T{1};
}

template <typename T>
void stride_add(T* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  stride_add_kernel<<<blocks, threads_per_block>>>(a, n, stride);
}

} // namespace

void stride_add_f32(float* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }

void stride_add_f64(double* a, std::size_t n, std::size_t stride) { stride_add(a, n, stride); }
