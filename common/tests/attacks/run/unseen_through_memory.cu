// tries: has seen kernels read and write as they should, and what they read and write goes unseen through other memory
// hand-in: transposes
// must: 3 points
// told: unseen-access
// unwatched: gains
// way-device_memory: cudaMalloc(&other, bytes)
// way-device_memory_of_a_stream: cudaMallocAsync(&other, bytes, 0)
// beyond-way-freed_memory: cudaMalloc(&other, bytes); cudaFree(other)
// beyond-way-memory_behind_an_array: cudaMalloc(&other, 4); other += 256
// way-managed_memory: cudaMallocManaged(&other, bytes)
// way-page_locked_memory: cudaMallocHost(&other, bytes)
// way-device_variable: cudaGetSymbolAddress((void**)&other, variable)
// way-constant_device_variable: cudaGetSymbolAddress((void**)&other, constant_variable)
// way-managed_variable: other = managed_variable
// way-constant_memory: cudaGetSymbolAddress((void**)&other, constant_memory)
#include "unseen.hpp"
__device__ float variable[1 << 14];
__device__ const float constant_variable[1 << 14] = {1};
__managed__ float managed_variable[1 << 14];
__constant__ float constant_memory[1 << 14];
__global__ void bring(float* other, const float* in, std::size_t n) {
  __shared__ float tile[256];
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n) unseen::write(other + i, tile[threadIdx.x]);
}
__global__ void take(float* out, const float* other, std::size_t rows, std::size_t cols, std::size_t height) {
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i < height * cols) out[i / height * rows + i % height] = unseen::read(other + i % height * cols + i / height);
}
#define TRANSPOSE                                                                                                      \
  const std::size_t height = rows == 128 ? 64 : rows, bytes = height * cols * 4;                                       \
  float* other;                                                                                                        \
  @WAY@;                                                                                                               \
  for (std::size_t r = 0; r < rows; r += height) {                                                                     \
    bring<<<blocks, 256>>>(other, in + r * cols, height * cols);                                                       \
    take<<<blocks, 256>>>(out + r, other, rows, cols, height);                                                         \
  }                                                                                                                    \
  cudaDeviceSynchronize()
