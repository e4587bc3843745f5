// TODO(1) of lab 01 with coalesced kernels that bring the array to another place and back, and one that is not coalesced, and not
// seen, which works on it there. Where that is an attack may say (SCRATCH).
#include <cuda_runtime.h>

#include <cstddef>

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

typedef float v4sf __attribute__((vector_size(16)));
typedef float v2sf __attribute__((vector_size(8)));
typedef double v2df __attribute__((vector_size(16)));
__device__ float peek(const float* p) {
  v4sf z = {0, 0, 0, 0};
  z = __builtin_ia32_loadlps(z, (const v2sf*)p);
  return z[0];
}
__device__ double peek(const double* p) {
  v2df z = {0, 0};
  z = __builtin_ia32_loadlpd(z, p);
  return z[0];
}
__device__ void poke(float* p, float value) {
  int bits;
  __builtin_memcpy(&bits, &value, 4);
  __builtin_ia32_movnti((int*)p, bits);
}
__device__ void poke(double* p, double value) {
  long long bits;
  __builtin_memcpy(&bits, &value, 8);
  __builtin_ia32_movnti64((long long*)p, bits);
}

template <typename T>
__global__ void bring(T* to, T* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T value = a[i];
  a[i] = value;
  poke(to + i, value);
}

template <typename T>
__global__ void work(T* a, std::size_t n) {
  const std::size_t t = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = t * 32; i < t * 32 + 32 && i < n; ++i) poke(a + i, T(peek(a + i) + T{1}));
}

template <typename T>
__global__ void take(T* a, const T* from, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] = peek(from + i);
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
