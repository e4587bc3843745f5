// mutant: the first round has every second thread
// item: reduce_neighbored_less lets whole warps finish early
// diagnosis: too-many-requests
//
// The mistake: the tree is in shared memory, and in its first round every second thread adds: all eight warps
// go through it, where four would do.
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
  __shared__ int s[part_size];
  s[t] = part[t];
  __syncthreads();
  if (t % 2 == 0) s[t] += s[t + 1];
  __syncthreads();
  for (unsigned distance = 2; distance < part_size; distance *= 2) {
    const unsigned first = 2 * distance * t;
    if (first < part_size) s[first] += s[first + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

} // namespace

void reduce_neighbored_less(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  neighbored_less_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}
