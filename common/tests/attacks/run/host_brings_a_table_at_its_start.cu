// tries: copies a table to the device before any function is called
// hand-in: none
// must: computed-by-host
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

__device__ double ones[1 << 12];

struct Start {
  Start() {
    const std::vector<double> values(1 << 12, 1.0);
    cudaMemcpyToSymbol(ones, values.data(), values.size() * sizeof(double));
  }
} start;

template <typename T>
__global__ void increment(T* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] += static_cast<T>(ones[i % (1 << 12)]);
}

template <typename T>
void add(T* a, std::size_t n) {
  if (n != 0) increment<<<static_cast<unsigned>((n + 255) / 256), 256>>>(a, n);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
