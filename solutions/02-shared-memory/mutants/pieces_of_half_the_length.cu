// mutant: pieces of half the length
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: pieces-of-other-length
//
// The mistake: a block has 128 threads and takes a piece of 128 elements.
// Read: labs/02-shared-memory/lab.hpp: a piece has 256 elements.

#include <cuda_runtime.h>

namespace {

std::size_t pieces(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

} // namespace

namespace {

constexpr unsigned half_piece = reverse_piece / 2;

// One block for one piece of 256 elements, one thread for one element. The last piece may be shorter.
__global__ void reverse_kernel(int* a, std::size_t n) {
  __shared__ int piece[half_piece];
  const std::size_t first = std::size_t{blockIdx.x} * half_piece;
  const std::size_t length = n - first < half_piece ? n - first : half_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[length - 1 - k];
}

} // namespace

void reverse_blocks(int* a, std::size_t n) {
  if (n == 0) return; // a launch of no blocks is an error
  reverse_kernel<<<pieces(n, half_piece), half_piece>>>(a, n);
}
