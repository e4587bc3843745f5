// mutant: nothing stored
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: output-unwritten
//
// The mistake: the sum is computed and goes nowhere, because there is a + in the place of a +=.
// Read: the handout, "One thread, one element".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset + i] + T{1};
  // END TODO(1)
