// mutant: length of a piece for that of all
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: block-index-missing
//
// The mistake: a thread stays away whose element lies behind the first piece, and not only one behind the array.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  const bool has_element = first + k < reverse_piece && k < length;
  if (has_element) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (has_element) a[first + k] = piece[length - 1 - k];
  // END TODO(1)
