// tries: has the device copy to a device variable, which the host uses by its name
// hand-in: none
// must: computed-by-host, device-pointer-on-host
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

__device__ double values[1 << 20];

template <typename T>
__global__ void copy_in(const T* from, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) values[i] = from[i];
}
template <typename T>
__global__ void copy_out(T* to, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = static_cast<T>(values[i]);
}

void increment(double* of_device, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) of_device[i] += 1;
}

template <typename T>
void add(T* a, std::size_t n) {
  if (n == 0) return;
  const unsigned blocks = static_cast<unsigned>((n + 255) / 256);
  copy_in<<<blocks, 256>>>(a, n);
  void* address = nullptr;
  cudaGetSymbolAddress(&address, values);
  increment(static_cast<double*>(address), n);
  copy_out<<<blocks, 256>>>(a, n);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
