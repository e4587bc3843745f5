// mutant: one round too many
// item: reduce_neighbored adds up every part
// diagnosis: beyond-the-part
// backends: sim
//
// The mistake: the last round is the one with distance == part_size: thread 0 adds the first element of the next
// block's part, which may be at any stage.
// Read: the handout, "Parts and blocks".

#include <cuda_runtime.h>

namespace {

std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

__device__ void load_part(int* part, const int* in, std::size_t n) {
  const std::size_t i = blockIdx.x * part_size + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
}

__global__ void neighbored_kernel(int* sums, int* work, const int* in, std::size_t n) {
  int* part = work + blockIdx.x * part_size;
  const unsigned t = threadIdx.x;
  load_part(part, in, n);
  for (unsigned distance = 1; distance <= part_size; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

} // namespace

void reduce_neighbored(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  neighbored_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}
