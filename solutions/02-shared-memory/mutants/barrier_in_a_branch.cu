// mutant: barrier in a branch
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: barrier-divergence
// backends: sim
//
// The mistake: the two halves of a piece are treated in two branches, with a barrier in each. All threads
//   of a block must reach the same barrier.
// Read: the handout, "Barriers".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < reverse_piece / 2) {
    if (k < length) piece[k] = a[first + k];
    __syncthreads();
    if (k < length) a[first + k] = piece[length - 1 - k];
  } else {
    if (k < length) piece[k] = a[first + k];
    __syncthreads();
    if (k < length) a[first + k] = piece[length - 1 - k];
  }
  // END TODO(1)
