// mutant: tail skipped
// item: @KERNEL@_f32 doubles every element
// diagnosis: output-unwritten
//
// The mistake: n / threads_per_block rounds down, so that the last n % threads_per_block elements are left out.
// Read: the handout, "TODO(1): double every element".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / threads_per_block * threads_per_block) out[i] = 2 * in[i];
  // END TODO(1)
