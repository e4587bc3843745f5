// tries: computes on the host between two copies, while a kernel makes all the requests that are counted
// hand-in: none
// must: computed-by-host
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

template <typename T>
__global__ void decoy(T* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 2; // of no use
}

template <typename T>
void add(T* a, std::size_t n) {
  if (n == 0) return;
  std::vector<T> values(n);
  cudaMemcpy(values.data(), a, n * sizeof(T), cudaMemcpyDeviceToHost);
  for (T& value : values) value += 1;
  decoy<<<(n + 255) / 256, 256>>>(a, n);
  cudaMemcpy(a, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
