// tries: has the device copy to managed memory, where the host computes
// hand-in: none
// must: computed-by-host
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

template <typename T>
void add(T* a, std::size_t n) {
  if (n == 0) return;
  T* both = nullptr;
  cudaMallocManaged(&both, n * sizeof(T));
  cudaMemcpy(both, a, n * sizeof(T), cudaMemcpyDeviceToDevice);
  cudaMemPrefetchAsync(both, n * sizeof(T), cudaMemLocation{cudaMemLocationTypeHost, 0}, 0, nullptr);
  cudaDeviceSynchronize();
  for (std::size_t i = 0; i < n; ++i) both[i] += 1;
  cudaMemcpy(a, both, n * sizeof(T), cudaMemcpyDeviceToDevice);
  cudaFree(both);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
