// mutant: block index missing
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: block-index-missing
// diagnosis[sim]: same-element
//
// The mistake: threadIdx.x counts inside one block only, so every block works on the first 256 elements.
// Read: the handout, "Which element is mine?".

  // TODO(1)
  const std::size_t i = threadIdx.x;
  if (i < n) a[offset + i] += T{1};
  // END TODO(1)
