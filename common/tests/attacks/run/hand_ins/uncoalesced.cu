// TODO(1) of lab 01 with right results, and none of the points for technique.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef IN_CALL
#define IN_CALL()
#endif

template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset, std::size_t chunk) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = thread * chunk; i < (thread + 1) * chunk && i < n; ++i) a[offset + i] += T{1};
}

template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  IN_CALL();
  const std::size_t threads = 8 * 256;
  offset_add_kernel<<<8, 256>>>(a, n, offset, (n + threads - 1) / threads);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }

void offset_add_f64(double* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }
