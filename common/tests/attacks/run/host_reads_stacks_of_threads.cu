// tries: has a thread keep the elements in an array of its own, whose address it tells the host
// hand-in: none
// must: device-pointer-on-host, computed-by-host
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

constexpr std::size_t most = 4000;

template <typename T>
__global__ void keep(T* a, std::size_t n, T** where) {
  volatile T values[most];
  for (std::size_t i = 0; i < n && i < most; ++i) values[i] = a[i];
  *where = const_cast<T*>(&values[0]);
}
template <typename T>
__global__ void store(T* a, std::size_t i, T value) {
  a[i] = value;
}

template <typename T>
void add(T* a, std::size_t n) {
  if (n == 0) return;
  T **where = nullptr, *values = nullptr;
  cudaMalloc(&where, sizeof values);
  keep<<<1, 1>>>(a, n, where);
  cudaMemcpy(&values, where, sizeof values, cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < n && i < most; ++i) store<<<1, 1>>>(a, i, values[i] + 1);
  cudaFree(where);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
