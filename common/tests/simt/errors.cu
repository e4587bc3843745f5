// Launches that a device refuses, and the API calls around them.
#include <cassert>

namespace {

__global__ void nothing() {}

template <class T>
__global__ void use_shared(T* out, int n) {
  extern __shared__ int words[];
  words[n] = 1;
  out[0] = static_cast<T>(words[n]);
}

__global__ void use_both_kinds(int* out, int n) {
  extern __shared__ int words[];
  __shared__ int table[2048];
  words[n] = 1;
  table[2047] = words[n];
  out[0] = table[2047];
}

__global__ void __launch_bounds__(128) bounded() {}

__global__ void failing_assertion(int* out) {
  assert(threadIdx.x < 3);
  out[threadIdx.x] = 1;
}

} // namespace

extern "C" {
void launch_nothing(int blocks, int threads) { nothing<<<blocks, threads>>>(); }
void launch_grid_y(int blocks) { nothing<<<dim3(1, blocks), 32>>>(); }
void launch_block_z(int threads) { nothing<<<1, dim3(1, 1, threads)>>>(); }
void launch_shared(int* out, int bytes) { use_shared<int><<<1, 1, bytes>>>(out, bytes / 4 - 1); }
void launch_shared_deduced(int* out, int bytes) { use_shared<<<1, 1, bytes>>>(out, bytes / 4 - 1); }
int opt_in(int bytes) {
  return cudaFuncSetAttribute(use_shared<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
void launch_both_kinds(int* out, int bytes) { use_both_kinds<<<1, 1, bytes>>>(out, bytes / 4 - 1); }
int opt_in_both_kinds(int bytes) {
  return cudaFuncSetAttribute(use_both_kinds, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
void launch_bounded(int threads) { bounded<<<1, threads>>>(); }
int max_threads_of_bounded() {
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, bounded);
  return attributes.maxThreadsPerBlock;
}
int occupancy(int threads, int shared_bytes) {
  int blocks = -1;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, threads, shared_bytes);
  return blocks;
}
void launch_failing_assertion(int* out) { failing_assertion<<<1, 4>>>(out); }
}
