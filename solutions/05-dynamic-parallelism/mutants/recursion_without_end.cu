// mutant: the recursion has no end
// item: reduce_nested adds up every part
// diagnosis: recursion-without-end
// backends: sim
//
// The mistake: the sum is written at half == 1, and then the launch is made all the same, rounded up so that
// there is a thread for it: a child grid for the half that it has just added up.
// Read: the handout, "A block launches its next half".

#include <cuda_runtime.h>

namespace {

std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

__device__ void finish_alone(int* sum, const int* part, unsigned count) {
  int total = 0;
  for (unsigned i = 0; i < count; ++i) total += part[i];
  *sum = total;
}

__global__ void nested_kernel(int* sums, int* work, const int* from, std::size_t n) {
  const unsigned t = threadIdx.x, half = blockDim.x;
  const std::size_t begin = blockIdx.x * part_size;
  int* part = work + begin;
  int* sum = sums + blockIdx.x;
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) *sum = part[0];
  nested_kernel<<<1, (half + 1) / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
}

} // namespace

void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  nested_kernel<<<parts_of(n), part_size / 2>>>(sums, work, in, n);
}
