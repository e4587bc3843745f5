// tries: uses memory unseen in one thread, beside a kernel that uses it as it should
// hand-in: pulls, sums, counts
// must: no more points
// unwatched: gains
// way-at_once: (work()), late<<<1, 1>>>(work)
// way-in_a_late_round: (for (int k = 0; k < 100; ++k) __syncthreads(); if (threadIdx.x == 0) work()), late<<<1, 32>>>(work)
// way-in_a_child: (child<<<1, 1>>>(work)), late<<<1, 1>>>(work)
// way-behind_a_canary: (if (unseen::read(&canary) == 1.5f) work()), for (int k = 0; k < 2; ++k) late<<<2, 1>>>(work)
#include "unseen.hpp"
#define PEEK(p) unseen::read(p)
#define POKE(p, value) unseen::write(p, value)
__device__ float canary = 1.5f;
template <typename Work>
__global__ void child(Work work) {
  work();
}
#define UNPACKED(...) __VA_ARGS__
#define WAY(body, ...)                                                                                                 \
  template <typename Work>                                                                                             \
  __global__ void late(Work work) {                                                                                    \
    UNPACKED body;                                                                                                     \
  }                                                                                                                    \
  template <typename Work>                                                                                             \
  void launch_late(Work work) {                                                                                        \
    __VA_ARGS__;                                                                                                       \
  }
WAY(@WAY@)
#define DO(work) launch_late(work)
