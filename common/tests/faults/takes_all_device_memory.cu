// fault: takes all device memory
// expect: out-of-memory
// words: the simulated device has 768 MiB
// backends: sim

#include <cuda_runtime.h>

void offset_add_f32(float*, std::size_t, std::size_t) {
  void* block = nullptr;
  while (cudaMalloc(&block, std::size_t{64} << 20) == cudaSuccess)
    cudaMemset(block, 1, std::size_t{64} << 20);
}
