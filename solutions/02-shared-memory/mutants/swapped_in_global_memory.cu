// mutant: swapped in global memory
// item: reverse_blocks passes every element through shared memory without conflicts
// diagnosis: shared-memory-not-used
//
// The mistake: half as many threads exchange two elements each in global memory. It is right, but there
//   is no buffer to learn from.
// Read: the handout, "Somebody else's element".

#include <cuda_runtime.h>

namespace {

std::size_t pieces(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

} // namespace

namespace {

// One block for one piece of 256 elements, one thread for one element. The last piece may be shorter.
__global__ void reverse_kernel(int* a, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k >= length / 2) return;
  const int mine = a[first + k];
  a[first + k] = a[first + length - 1 - k];
  a[first + length - 1 - k] = mine;
}

} // namespace

void reverse_blocks(int* a, std::size_t n) {
  if (n == 0) return; // a launch of no blocks is an error
  reverse_kernel<<<pieces(n, reverse_piece), reverse_piece>>>(a, n);
}
