// mutant: last piece skipped
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: tail-skipped
//
// The mistake: the number of blocks is rounded down, so that a last piece of fewer than 256 elements has
//   no block.
// Read: labs/02-shared-memory/lab.hpp, reverse_blocks.

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[length - 1 - k];
  // END TODO(1)

// GIVEN(reverse_blocks)
void reverse_blocks(int* a, std::size_t n) {
  if (n == 0) return; // a launch of no blocks is an error
  if (n >= reverse_piece) reverse_kernel<<<n / reverse_piece, reverse_piece>>>(a, n);
}
// END GIVEN(reverse_blocks)
