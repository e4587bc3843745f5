// Step 0: an atomic addition for every thread.
//
// Idea        one thread for one element; each adds its product to the result.
// Bottleneck  the one address that all atomics go to. The L2 cache performs them one after the other, and the sum is a
//             chain of n roundings.
// Counters    as many atomic lanes as elements; 4 sectors per read request (f32), 8 (f64).
// Measured    H200, 2^28 floats: 4.5 GB/s, that is one atomic addition every 1.8 ns.
//
// fails: dot_f32 takes many threads and gives each of them many products: thread-for-every-element
// fails: dot_f32 keeps its digits over many equal products: too-many-roundings
// fails: dot_f32 adds the lanes of a warp without shared memory: no-shuffles
// fails: dot_f32 makes at most one atomic addition per block: atomics-not-needed

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(result, a[i] * b[i]);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  if (n == 0) return;
  dot_kernel<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(result, a, b, n);
}

} // namespace

void dot_f32(float* result, const float* a, const float* b, std::size_t n) { dot(result, a, b, n); }

void dot_f64(double* result, const double* a, const double* b, std::size_t n) { dot(result, a, b, n); }
