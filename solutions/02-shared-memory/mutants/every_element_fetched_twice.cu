// mutant: every element fetched twice
// item: reverse_blocks reads and writes each element of global memory once
// diagnosis: more-than-once
//
// The mistake: 256 threads walk through the piece in steps of 128, so that every element is fetched by
//   two of them.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  for (std::size_t j = k; j < length; j += 128) piece[j] = a[first + j];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[length - 1 - k];
  // END TODO(1)
