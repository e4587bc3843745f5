// mutant: pairs overlap
// item: reduce_neighbored_less adds up every part
// diagnosis: pairs-overlap
// backends: sim
//
// The mistake: thread t begins at distance * t: every second thread then adds to an element that its
// neighbour is just reading. The pairs of a round are 2 * distance apart.
// Read: the handout, "Three ways to pair up".

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
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    const unsigned first = distance * t;
    if (first + distance < part_size) part[first] += part[first + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

} // namespace

void reduce_neighbored_less(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  neighbored_less_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}
