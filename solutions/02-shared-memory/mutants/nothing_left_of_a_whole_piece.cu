// mutant: nothing left of a whole piece
// item: reverse_blocks reverses every piece of 256 elements
// backends: sim
// diagnosis: last-whole-piece-left
//
// The mistake: the last piece has n % 256 elements: none, if n is a multiple of 256 and the last piece a
//   whole one.
// Read: the handout, "Somebody else's element".

#include <cuda_runtime.h>

namespace {

std::size_t pieces(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

} // namespace

namespace {

// One block for one piece of 256 elements, one thread for one element. The last piece may be shorter.
__global__ void reverse_kernel(int* a, std::size_t n) {
  __shared__ int piece[reverse_piece];
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first <= reverse_piece ? n % reverse_piece : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[length - 1 - k];
}

} // namespace

void reverse_blocks(int* a, std::size_t n) {
  if (n == 0) return; // a launch of no blocks is an error
  reverse_kernel<<<pieces(n, reverse_piece), reverse_piece>>>(a, n);
}
