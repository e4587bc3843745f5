// mutant: every thread's element is taken for the sum
// item: reduce_interleaved adds up every part
// diagnosis: sum-by-several-threads
// backends: sim
//
// The mistake: all threads write what they have to sums[blockIdx.x], and only thread 0 has the sum.
// Read: the handout, "Three ways to pair up".

#include <cuda_runtime.h>

namespace {

std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

__device__ void load_part(int* part, const int* in, std::size_t n) {
  const std::size_t i = blockIdx.x * part_size + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
}

__global__ void interleaved_kernel(int* sums, int* work, const int* in, std::size_t n) {
  int* part = work + blockIdx.x * part_size;
  const unsigned t = threadIdx.x;
  load_part(part, in, n);
  for (unsigned half = part_size / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  sums[blockIdx.x] = part[t];
}

} // namespace

void reduce_interleaved(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  interleaved_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}
