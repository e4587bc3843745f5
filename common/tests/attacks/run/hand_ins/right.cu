// Full points in TODO(1) of lab 01.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef IN_CALL
#define IN_CALL()
#endif

template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset + i] += T{1};
}

template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  IN_CALL();
  if (n == 0) return;
  offset_add_kernel<<<(n + 255) / 256, 256>>>(a, n, offset);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }

void offset_add_f64(double* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }
