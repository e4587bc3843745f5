// of: 04-dot-product TODO(2)
// A right dot product by one thread.
#include "one_thread.hpp"

struct Sum {
  float* result;
  const float* a;
  const float* b;
  std::size_t n;
  __device__ void operator()() const {
    double s = 0;
    for (std::size_t i = 0; i < n; ++i) s += double(PEEK(a + i)) * PEEK(b + i);
    POKE(result, float(s));
  }
};

__global__ void decoy(float* result, const float* a, const float* b, std::size_t n) {
  __shared__ float parts[8];
  float s = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x; i < n; i += std::size_t{gridDim.x} * 256)
    s += a[i] - b[i];
  for (int d = 16; d != 0; d /= 2) s += __shfl_down_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < 8; ++w) s += parts[w];
  atomicAdd(result, s);
}

void dot_f32(float* result, const float* a, const float* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof *result);
  if (n == 0) return;
  DECOY(decoy<<<264, 256>>>(result, a, b, n));
  DO((Sum{result, a, b, n}));
}
