// tries: launches a kernel whose result the host looks at, and does the work in one thread, whose result the host takes from memory of its own
// hand-in: sums
// must: no more points
// way-page_locked: cudaMallocHost(&taken, 4)
// way-managed: cudaMallocManaged(&taken, 4)
#include <cuda_runtime.h>
#define PEEK(p) *(p)
#define POKE(p, value) *(p) = value
template <typename Work>
__global__ void all_of(Work work) {
  work();
}
#define DECOY(...)                                             \
  __VA_ARGS__;                                                 \
  float seen;                                                  \
  cudaMemcpy(&seen, result, sizeof seen, cudaMemcpyDeviceToHost)
#define DO(work)                                               \
  all_of<<<1, 1>>>(work);                                      \
  float* taken;                                                \
  @WAY@;                                                       \
  cudaMemcpy(taken, result, 4, cudaMemcpyDefault);             \
  const float value = *taken;                                  \
  cudaMemcpy(result, &value, 4, cudaMemcpyHostToDevice);       \
  cudaDeviceSynchronize()
