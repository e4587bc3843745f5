// mutant: all threads add to one sum in shared memory
// item: reduce_neighbored_less lets whole warps finish early
// diagnosis: added-by-atomics
//
// The mistake: there is no tree: 256 atomics add to one int in shared memory, one after the other. No
// warp has finished early.
// Read: the handout, "Lanes that only watch".

#include <cuda_runtime.h>

namespace {

std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

__device__ void load_part(int* part, const int* in, std::size_t n) {
  const std::size_t i = blockIdx.x * part_size + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
}

__global__ void neighbored_less_kernel(int* sums, int* work, const int* in, std::size_t n) {
  int* part = work + blockIdx.x * part_size;
  const unsigned t = threadIdx.x;
  load_part(part, in, n);
  __shared__ int total;
  if (t == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, part[t]);
  __syncthreads();
  if (t == 0) sums[blockIdx.x] = total;
}

} // namespace

void reduce_neighbored_less(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  neighbored_less_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}
