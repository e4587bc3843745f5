// tries: computes in managed memory by code that the compiler tells nothing about
// hand-in: none
// must: computed-by-host
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

template <typename T>
__attribute__((no_sanitize("thread"), noinline)) void increment(volatile T* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) values[i] = values[i] + 1;
}

template <typename T>
void add(T* a, std::size_t n) {
  if (n == 0) return;
  T* both = nullptr;
  cudaMallocManaged(&both, n * sizeof(T));
  cudaMemcpy(both, a, n * sizeof(T), cudaMemcpyDeviceToDevice);
  increment(both, n);
  cudaMemcpy(a, both, n * sizeof(T), cudaMemcpyDeviceToDevice);
  cudaFree(both);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
