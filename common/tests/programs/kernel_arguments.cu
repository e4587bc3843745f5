// Launches whose arguments are NULL, 0 and lists in braces, occupancy by an address without a type, and operators with
// names.
#include <cstddef>
#include <cstdio>

struct Range {
  int first, last;
};

template <class T>
__global__ void fill(T* out, const float* in, Range range, T value) {
  const int i = range.first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < range.last and not in) out[i] = value;
  if (i < range.last and in) out[i] += in[i];
}

int main() {
  int grid = 0, block = 0, blocks = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, (void*)fill<float>, 0, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (void*)fill<float>, block, 0);
  const int n = 2000, threads = 256;
  float* data;
  cudaMallocManaged(&data, n * sizeof(float));
  fill<<<(n + threads - 1) / threads, threads>>>(data, NULL, {0, n}, 1.5f);
  fill<<<(n + threads - 1) / threads, threads>>>(data, 0, {n / 2, n}, 2.5f);
  fill<<<(n + threads - 1) / threads, threads>>>(data, data, {0, n}, 0.f);
  cudaDeviceSynchronize();
  bool right = block > 0 and grid > 0 and blocks > 0;
  for (int i = 0; i < n; ++i) right = right and data[i] == (i < n / 2 ? 3.f : 5.f);
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(data);
  return right ? 0 : 1;
}
