// mutant: all threads add to one sum
// item: reduce_interleaved has neighbouring threads on neighbouring elements
// diagnosis: added-by-atomics
//
// The mistake: there is no tree: 256 atomics add to one place. They are few requests of the warps, but
// come one after the other.
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
  if (t == 0) sums[blockIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[blockIdx.x], part[t]);
}

} // namespace

void reduce_interleaved(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  interleaved_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}
