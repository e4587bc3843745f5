// tries: has the device copy to a device variable, from which the C library copies by a function that nothing stands in front of
// hand-in: none
// must: computed-by-host
#include <cuda_runtime.h>

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

template <typename T>
void add(T* a, std::size_t n) {
  if (n == 0) return;
  const unsigned blocks = static_cast<unsigned>((n + 255) / 256);
  std::vector<double> copy(n);
  void* address = nullptr;
  copy_in<<<blocks, 256>>>(a, n);
  cudaGetSymbolAddress(&address, values);
  ::mempcpy(copy.data(), address, n * sizeof(double));
  for (double& value : copy) value += 1;
  ::mempcpy(address, copy.data(), n * sizeof(double));
  copy_out<<<blocks, 256>>>(a, n);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
