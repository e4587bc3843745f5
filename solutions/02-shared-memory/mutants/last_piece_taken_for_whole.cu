// mutant: last piece taken for whole
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: tail-of-full-length
//
// The mistake: element k of every piece is taken from place 255 - k. In a shorter last piece no thread has
//   filled that place.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[reverse_piece - 1 - k];
  // END TODO(1)
