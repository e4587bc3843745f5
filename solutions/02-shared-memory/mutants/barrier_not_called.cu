// mutant: barrier not called
// item: reverse_blocks reverses every piece of 256 elements
// backends: sim
// diagnosis: barrier-not-called
//
// The mistake: without its parentheses the barrier is only named. Compilers accept it, and no thread waits.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const unsigned length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads;
  if (k < length) a[first + k] = piece[length - 1 - k];
  // END TODO(1)
