// mutant: turned in the buffer
// item: reverse_blocks passes every element through shared memory without conflicts
// diagnosis: shared-more-than-once
//
// The mistake: the piece is first reversed inside the buffer, by pairs, and then written as it lies
//   there. Writing it from the other end does the same.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length / 2) {
    const int mine = piece[k];
    piece[k] = piece[length - 1 - k];
    piece[length - 1 - k] = mine;
  }
  __syncthreads();
  if (k < length) a[first + k] = piece[k];
  // END TODO(1)
