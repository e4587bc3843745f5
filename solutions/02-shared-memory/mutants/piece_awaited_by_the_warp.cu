// mutant: piece awaited by the warp
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: shared-race
// backends: sim
//
// The mistake: a warp waits for its own lanes, with __syncwarp(), where the block has to wait for all
//   of its warps.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncwarp();
  if (k < length) a[first + k] = piece[length - 1 - k];
  // END TODO(1)
