// Step 1 of reduce_nested: fire and forget.
//
// Idea        a child that nothing waits for needs no stream that keeps it in order. Where there is no room
//             for a launch, the thread does the rest itself instead of asking the host for more room: this
//             is right with any limit.
// Bottleneck  as before: launches. Beyond 2,048 parts most of them are refused, which makes it faster.
// Counters    7 child grids per part, depth 7, one barrier per block.

#include <cuda_runtime.h>

namespace {

std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

// from[i], or 0 where `from`, which has n elements, has ended.
__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

// For a launch that was refused: one thread adds up the part's first `count` elements and writes the sum.
__device__ void finish_alone(int* sum, const int* part, unsigned count) {
  int total = 0;
  for (unsigned i = 0; i < count; ++i) total += part[i];
  *sum = total;
}

// One block of `half` threads per part: `from` has n elements, and of those in its part the block adds the
// second `half` to the first. The host launches it for all parts with `from` = in; every block launches it
// for its own part alone with `from` = what it has written to work.
__global__ void nested_kernel(int* sums, int* work, const int* from, std::size_t n) {
  const unsigned t = threadIdx.x, half = blockDim.x;
  const std::size_t begin = blockIdx.x * part_size;
  int* part = work + begin;
  int* sum = sums + blockIdx.x;
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads(); // the child sees what thread 0 knows of, which is now the work of the whole block
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
}

} // namespace

void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  nested_kernel<<<parts_of(n), part_size / 2>>>(sums, work, in, n);
}
