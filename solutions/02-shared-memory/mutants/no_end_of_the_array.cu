// mutant: no end of the array
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis[sim]: out-of-bounds
// diagnosis[cuda]: guard-damaged
//
// The mistake: the last piece is taken for a whole one, and what lies behind the array is reversed with
//   it.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[length - 1 - k];
  // END TODO(1)
