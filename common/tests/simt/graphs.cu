// Kernels and captures for graphs_test.cpp.
#include <cuda_runtime.h>

__device__ int symbol = 0;

__global__ void increase(int* values, int by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += by;
}

__global__ void mix(char small, double large, short* out, float narrow) {
  out[threadIdx.x] = static_cast<short>(small + large + narrow);
}

template <class T>
__global__ void set(T* values, T value) {
  values[threadIdx.x] = value;
}

__global__ void beyond(int* values, int n) { values[threadIdx.x + n] = 1; } // beyond

__global__ void decide(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}

extern "C" {

const void* kernel_decide() { return (const void*)decide; }
const void* kernel_increase() { return (const void*)increase; }
const void* kernel_mix() { return (const void*)mix; }
const void* kernel_set() { return (const void*)set<int>; }
void* symbol_address() {
  void* address = nullptr;
  cudaGetSymbolAddress(&address, symbol);
  return address;
}

void record_increase(cudaStream_t stream, int* values, int by, int n) {
  increase<<<(n + 31) / 32, 32, 0, stream>>>(values, by, n);
}
void record_set(cudaStream_t stream, int* values, int value) { set<<<1, 32, 0, stream>>>(values, value); }
void record_beyond(cudaStream_t stream, int* values, int n) {
  beyond<<<1, 1, 0, stream>>>(values, n); // launched
}
void record_too_large(cudaStream_t stream) { increase<<<1, 2048, 0, stream>>>(nullptr, 0, 0); }
}
