// A submission whose results are wrong.
#include <cuda_runtime.h>

#include <vector>

#include "toy.hpp"

void toy_increment(int* data, std::size_t n) {
  std::vector<int> values(n);
  cudaMemcpy(values.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int& value : values) value += 2; // TODO(1): the toy rubric's marker
  cudaMemcpy(data, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}
