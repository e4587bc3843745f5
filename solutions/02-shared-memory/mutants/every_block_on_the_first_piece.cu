// mutant: every block on the first piece
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: global-race
// backends: sim
//
// The mistake: the block's number is left out, so that all blocks reverse the first piece at the same
//   time.
// Read: the handout of lab 01, "Which element is mine?".

  // TODO(1)
  const std::size_t first = 0;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[length - 1 - k];
  // END TODO(1)
