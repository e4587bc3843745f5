// mutant: child grids that do nothing
// item: reduce_nested launches the next half from every block
// diagnosis: child-adds-nothing
//
// The mistake: thread 0 of a host's block adds up the whole half alone, and the child grids are launched
// all the same, with nothing to do.
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
  if (half == part_size / 2) {
    part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
    __syncthreads();
    if (t == 0) finish_alone(sum, part, half);
  }
  if (t != 0 || half == 1) return;
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  (void)cudaGetLastError();
}

} // namespace

void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  nested_kernel<<<parts_of(n), part_size / 2>>>(sums, work, in, n);
}
