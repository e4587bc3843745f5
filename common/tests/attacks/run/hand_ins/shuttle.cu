// TODO(1) of lab 01 with coalesced kernels that bring the array to another place and back, and one that is not coalesced, and not
// seen, which works on it there. Where that is an attack may say (SCRATCH).
#include "unseen.hpp"

#ifndef SCRATCH
template <typename T>
static T* scratch(std::size_t n) {
  T* memory = nullptr;
  cudaMalloc(&memory, n * sizeof(T));
  return memory;
}
#define SCRATCH(T, n) scratch<T>(n)
#define GIVE_BACK(memory) cudaFree(memory)
#endif
#ifndef GIVE_BACK
#define GIVE_BACK(memory)
#endif

template <typename T>
__global__ void bring(T* to, T* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T value = a[i];
  a[i] = value;
  unseen::write(to + i, value);
}

template <typename T>
__global__ void work(T* a, std::size_t n) {
  const std::size_t t = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = t * 32; i < t * 32 + 32 && i < n; ++i) unseen::write(a + i, T(unseen::read(a + i) + T{1}));
}

template <typename T>
__global__ void take(T* a, const T* from, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] = unseen::read(from + i);
}

template <typename T>
void offset_add(T* a, std::size_t n) {
  if (n == 0) return;
  T* const there = SCRATCH(T, n);
  const std::size_t blocks = (n + 255) / 256;
  bring<<<blocks, 256>>>(there, a, n);
  work<<<(n + 8191) / 8192, 256>>>(there, n);
  take<<<blocks, 256>>>(a, there, n);
  cudaDeviceSynchronize();
  GIVE_BACK(there);
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { offset_add(a + offset, n); }

void offset_add_f64(double* a, std::size_t n, std::size_t offset) { offset_add(a + offset, n); }
