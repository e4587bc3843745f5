// A submission with kernels, for what the simulator counts and diagnoses.
#include "toy.hpp"

__global__ void increment(float* data, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) data[i] += 1;
}

void toy_kernel_increment(float* data, std::size_t n, bool past_end) {
  const std::size_t count = past_end ? n + 1 : n;
  if (count == 0) return;
  increment<<<static_cast<unsigned>((count + 127) / 128), 128>>>(data, count);
}
