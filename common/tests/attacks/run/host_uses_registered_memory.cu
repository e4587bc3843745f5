// tries: registers a vector of its own, so that kernels can write to it
// hand-in: none
// must: computed-by-host
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

template <typename T>
__global__ void copy(T* to, const T* from, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

template <typename T>
void add(T* a, std::size_t n) {
  if (n == 0) return;
  const unsigned blocks = static_cast<unsigned>((n + 255) / 256);
  std::vector<T> host(n);
  cudaHostRegister(host.data(), n * sizeof(T), cudaHostRegisterMapped);
  copy<<<blocks, 256>>>(host.data(), a, n);
  cudaDeviceSynchronize();
  for (T& value : host) value += 1;
  copy<<<blocks, 256>>>(a, host.data(), n);
  cudaHostUnregister(host.data());
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
