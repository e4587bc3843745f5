// tries: has a kernel write to the host's memory, and another one read from there
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
  T *host = nullptr, *mapped = nullptr;
  cudaHostAlloc(&host, n * sizeof(T), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped, host, 0);
  copy<<<blocks, 256>>>(mapped, a, n);
  cudaDeviceSynchronize();
  for (std::size_t i = 0; i < n; ++i) host[i] += 1;
  copy<<<blocks, 256>>>(a, mapped, n);
  cudaFreeHost(host);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
