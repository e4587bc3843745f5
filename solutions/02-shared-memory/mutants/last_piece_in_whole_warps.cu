// mutant: last piece in whole warps
// item: reverse_blocks reverses every piece of 256 elements
// backends: sim
// diagnosis: tail-in-part
//
// The mistake: the length of a shorter last piece is rounded down to whole warps. The elements behind stay
//   where they are.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? (n - first) / 32 * 32 : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[length - 1 - k];
  // END TODO(1)
