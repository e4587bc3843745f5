// mutant: nothing left of a whole piece
// item: reverse_blocks reverses every piece of 256 elements
// backends: sim
// diagnosis: last-whole-piece-left
//
// The mistake: the last piece has n % 256 elements: none, if n is a multiple of 256 and the last piece a
//   whole one.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first <= reverse_piece ? n % reverse_piece : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[length - 1 - k];
  // END TODO(1)
