// mutant: a limit that was enough once
// item: reduce_nested adds up more parts than launches may be pending
// diagnosis: refused-part-ends-the-kernel
// backends: sim
//
// The mistake: the host asks for room for 4,096 launches, whatever the number of parts, and takes it that no
// launch is refused any more.
// Read: the handout, "Two thousand and forty-eight".

#include <cuda_runtime.h>

namespace {

std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

__global__ void nested_kernel(int* sums, int* work, const int* from, std::size_t n) {
  const unsigned t = threadIdx.x, half = blockDim.x;
  const std::size_t begin = blockIdx.x * part_size;
  int* part = work + begin;
  int* sum = sums + blockIdx.x;
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) __trap();
}

} // namespace

void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096);
  nested_kernel<<<parts_of(n), part_size / 2>>>(sums, work, in, n);
}
