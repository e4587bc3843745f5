// tries: leaves all work to one thread of many, late, in a grid of its own or with other grids, and uses memory unseen there
// hand-in: decoy
// must: 4 points
// unwatched: gains
// way-last_block: (if (blockIdx.x == 777 && threadIdx.x == 31) all(a, n, offset)), late<<<1000, 32>>>(a, n, offset)
// way-behind_barriers: (for (int k = 0; k < 300; ++k) __syncthreads(); if (threadIdx.x == 0) all(a, n, offset)), late<<<1, 64>>>(a, n, offset)
// way-behind_barriers_of_warps: (for (int k = 0; k < 300; ++k) __syncwarp(); if (threadIdx.x == 0) all(a, n, offset)), late<<<1, 32>>>(a, n, offset)
// way-behind_shuffles: (for (int k = 0; k < 400; ++k) __shfl_sync(~0u, k, 0); if (threadIdx.x == 0) all(a, n, offset)), late<<<1, 32>>>(a, n, offset)
// way-behind_sleeps: (for (int k = 0; k < 200; ++k) __nanosleep(1); all(a, n, offset)), late<<<1, 1>>>(a, n, offset)
// way-behind_accesses: (__shared__ volatile int s[1024]; for (int k = 0; k < 140; ++k) s[threadIdx.x] = k; if (threadIdx.x == 1023) all(a, n, offset)), late<<<1, 1024>>>(a, n, offset)
// way-behind_barriers_of_a_cooperative_grid: (for (int k = 0; k < 100; ++k) cooperative_groups::this_grid().sync(); if (threadIdx.x == 0 && blockIdx.x == 3) all(a, n, offset)), void* arguments[] = {&a, &n, &offset}; cudaLaunchCooperativeKernel((void*)late<T>, 8, 32, arguments, 0, 0)
// way-four_threads_behind_barriers: (for (int k = 0; k < 300; ++k) __syncthreads(); if (threadIdx.x < 4) part(a, n, offset, threadIdx.x, 4)), late<<<1, 128>>>(a, n, offset)
// way-sixteen_warps_behind_barriers: (for (int k = 0; k < 100; ++k) __syncthreads(); if (threadIdx.x % 32 == 0) part(a, n, offset, threadIdx.x / 32, 16)), late<<<1, 512>>>(a, n, offset)
// way-beside_much_memory: (if (blockIdx.x == 20 && threadIdx.x == 640) all(a, n, offset)), char* much; cudaMalloc(&much, 64 << 20); late<<<40, 1024>>>(a, n, offset); cudaFree(much)
// way-child: (child<<<1, 1>>>(a, n, offset)), late<<<1, 1>>>(a, n, offset)
// way-child_of_a_child: (if (n >> 60) all(a, n, offset); else if (threadIdx.x == 0) parent<<<1, 1>>>(a, n, offset)), late<<<1, 32>>>(a, n, offset)
// way-graph: (all(a, n, offset)), cudaStream_t s; cudaStreamCreate(&s); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); late<<<1, 1, 0, s>>>(a, n, offset); cudaGraph_t g; cudaStreamEndCapture(s, &g); cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaStreamSynchronize(s)
#include "unseen.hpp"

#include <cooperative_groups.h>
template <typename T>
__device__ void all(T* a, std::size_t n, std::size_t offset) {
  for (std::size_t i = offset; i < offset + n; ++i) unseen::write(a + i, unseen::read(a + i) + T{1});
}
template <typename T>
__device__ void part(T* a, std::size_t n, std::size_t offset, std::size_t k, std::size_t parts) {
  const std::size_t begin = n * k / parts;
  all(a, n * (k + 1) / parts - begin, offset + begin);
}
template <typename T>
__global__ void child(T* a, std::size_t n, std::size_t offset) {
  all(a, n, offset);
}
template <typename T>
__global__ void parent(T* a, std::size_t n, std::size_t offset) {
  child<<<1, 1>>>(a, n, offset);
}
#define UNPACKED(...) __VA_ARGS__
#define WAY(body, ...)                                                                                                 \
  template <typename T>                                                                                                \
  __global__ void late(T* a, std::size_t n, std::size_t offset) {                                                      \
    UNPACKED body;                                                                                                     \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  void launch_late(T* a, std::size_t n, std::size_t offset) {                                                          \
    __VA_ARGS__;                                                                                                       \
  }
WAY(@WAY@)
#define WORK launch_late
