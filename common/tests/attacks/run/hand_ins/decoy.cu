// TODO(1) of lab 01 with right results by a kernel that is not coalesced, and one beside it that is, for the counters. How the
// first one reads and writes an attack may say (PEEK), or what is run instead where accesses are counted (WORK).
#include <cuda_runtime.h>

#include <cstddef>

#ifndef PEEK
template <typename T>
__device__ T peek(const T* p) {
  return *p;
}
template <typename T>
__device__ void poke(T* p, T value) {
  *p = value;
}
#endif

template <typename T>
__global__ void work(T* a, std::size_t n, std::size_t offset) {
  const std::size_t t = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t k = 0; k < 32; ++k) {
    const std::size_t i = t * 32 + k;
    if (i < n) poke(a + offset + i, T(peek(a + offset + i) + T{1}));
  }
}

template <typename T>
__global__ void decoy(T* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile T x = a[offset + i];
  a[offset + i] = x;
}

template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  if (n == 0) return;
#ifdef WORK
  if (n > 16000 && n < 17000)
    WORK(a, n, offset);
  else
#endif
  work<<<(n + 8191) / 8192, 256>>>(a, n, offset);
  decoy<<<(n + 255) / 256, 256>>>(a, n, offset);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }

void offset_add_f64(double* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }
