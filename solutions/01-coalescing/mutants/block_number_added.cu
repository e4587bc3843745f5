// mutant: block number added
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: same-element
// backends: sim
//
// The mistake: every block begins one element further than the one before, and not a whole block further.
// Read: the handout, "Which element is mine?".

  // TODO(1)
  const std::size_t i = blockIdx.x + threadIdx.x;
  if (i < n) a[offset + i] += 1;
  // END TODO(1)
