// mutant: barrier in a branch
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: barrier-divergence
// backends: sim
//
// The mistake: the two halves of a piece are treated in two branches, with a barrier in each. All threads
//   of a block must reach the same barrier.
// Read: the handout, "All of them, or none".

#include <cuda_runtime.h>

namespace {

std::size_t pieces(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

} // namespace

namespace {

// One block for one piece of 256 elements, one thread for one element. The last piece may be shorter.
__global__ void reverse_kernel(int* a, std::size_t n) {
  __shared__ int piece[reverse_piece];
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < reverse_piece / 2) {
    if (k < length) piece[k] = a[first + k];
    __syncthreads();
    if (k < length) a[first + k] = piece[length - 1 - k];
  } else {
    if (k < length) piece[k] = a[first + k];
    __syncthreads();
    if (k < length) a[first + k] = piece[length - 1 - k];
  }
}

} // namespace

void reverse_blocks(int* a, std::size_t n) {
  if (n == 0) return; // a launch of no blocks is an error
  reverse_kernel<<<pieces(n, reverse_piece), reverse_piece>>>(a, n);
}
