// mutant: piece without barrier
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: shared-race
// backends: sim
//
// The mistake: no thread waits between filling the piece and reading it. A thread's partner may not have
//   come yet; on a GPU it often has, and the result is right by luck.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  if (k < length) a[first + k] = piece[length - 1 - k];
  // END TODO(1)
