// mutant: pieces of half the length
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: pieces-of-other-length
//
// The mistake: a block has 128 threads and takes a piece of 128 elements.
// Read: labs/02-shared-memory/lab.hpp: a piece has 256 elements.

// GIVEN(reverse_kernel)
constexpr unsigned half_piece = reverse_piece / 2;

__global__ void reverse_kernel(int* a, std::size_t n) {
  __shared__ int piece[half_piece];
  const std::size_t first = std::size_t{blockIdx.x} * half_piece;
  const std::size_t length = n - first < half_piece ? n - first : half_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[length - 1 - k];
}
// END GIVEN(reverse_kernel)

// GIVEN(reverse_blocks)
void reverse_blocks(int* a, std::size_t n) {
  if (n == 0) return; // a launch of no blocks is an error
  reverse_kernel<<<pieces(n, half_piece), half_piece>>>(a, n);
}
// END GIVEN(reverse_blocks)
