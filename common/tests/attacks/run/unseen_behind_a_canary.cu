// tries: looks first whether the round is watched, and uses memory unseen in the others, of which there are many
// hand-in: transposes
// must: 3 points
// told: unseen-access
// unwatched: gains
// way-device_variable: return unseen::read(&canary) == 1.5f
// way-zeroes_of_the_thread: return unseen::read(zeroes + threadIdx.x) == 0
// way-write: if (threadIdx.x % 64 == 0) unseen::write(&canary, 7.5f); asm volatile("" ::: "memory"); return canary == 7.5f
// way-shared_variable: __shared__ float mark; mark = 1.25f; return unseen::read(&mark) == 1.25f
// way-dynamic_shared_memory: marks[threadIdx.x] = 1.25f; return unseen::read(marks + threadIdx.x) == 1.25f
#include "unseen.hpp"
__device__ float canary = 1.5f;
__device__ float zeroes[256];
extern __shared__ float marks[];
__device__ bool is_unwatched() { @WAY@; }
__global__ void work(float* out, const float* in, std::size_t rows, std::size_t cols) {
  const std::size_t i = std::size_t{blockIdx.x} / 8 * 256 + threadIdx.x;
  if (i < rows * cols && is_unwatched()) unseen::write(out + i % cols * rows + i / cols, unseen::read(in + i));
}
#define TRANSPOSE                                                                                                      \
  decoy<<<blocks, 256>>>(out, in, n);                                                                                  \
  for (int k = 0; k < 6; ++k) work<<<blocks * 8, 256, 1024>>>(out, in, rows, cols)
