// mutant: neighbours for one thread
// item: reverse_blocks reads and writes each element of global memory once
// diagnosis: uncoalesced
//
// The mistake: a thread takes eight neighbouring elements, as on a CPU. The lanes of a warp are then 32
//   bytes apart.
// Read: the handout of lab 01, "What a warp asks for".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned mine = 8 * threadIdx.x;
  for (unsigned k = mine; k < mine + 8 && k < length; ++k) piece[k] = a[first + k];
  __syncthreads();
  for (unsigned k = mine; k < mine + 8 && k < length; ++k) a[first + k] = piece[length - 1 - k];
  // END TODO(1)

// GIVEN(reverse_blocks)
void reverse_blocks(int* a, std::size_t n) {
  if (n == 0) return; // a launch of no blocks is an error
  reverse_kernel<<<pieces(n, reverse_piece), reverse_piece / 8>>>(a, n);
}
// END GIVEN(reverse_blocks)
