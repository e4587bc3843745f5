// mutant: blocks before threads
// item: offset_add_f32 pays at most one more sector per request when misaligned
// diagnosis: uncoalesced
//
// The mistake: the index has its two parts the wrong way round, so neighbouring threads lie gridDim.x apart.
// Read: the handout, "Which element is mine?".

  // TODO(1)
  const std::size_t i = std::size_t{threadIdx.x} * gridDim.x + blockIdx.x;
  if (i < n) a[offset + i] += T{1};
  // END TODO(1)
