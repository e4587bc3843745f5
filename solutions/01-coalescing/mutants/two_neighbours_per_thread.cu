// mutant: two neighbours per thread
// item: offset_add_f64 touches no sector twice when aligned
// diagnosis: uncoalesced
//
// The mistake: thread i takes elements 2i and 2i + 1, one after the other. Each of the two requests touches
// every
//   sector of the warp's range, so that every sector is moved twice.
// Read: the handout, "What a warp asks for".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (2 * i < n) a[offset + 2 * i] += T{1};
  if (2 * i + 1 < n) a[offset + 2 * i + 1] += T{1};
  // END TODO(1)
