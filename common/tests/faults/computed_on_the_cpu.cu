// fault: computed on the cpu
// expect: computed-by-host
// words: from the device to the host in one call, where the contract allows 16
// item: offset_add_f32 touches no sector twice when aligned
// backends: sim

#include <cuda_runtime.h>

#include <vector>

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  std::vector<float> copy(n);
  cudaMemcpy(copy.data(), a + offset, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (float& value : copy) value += 1;
  cudaMemcpy(a + offset, copy.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}
