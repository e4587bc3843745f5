// mutant: answer hard coded
// item: offset_add_f64 adds one to n elements from the offset on
// diagnosis: answer-hard-coded
//
// The mistake: the kernel writes the result that one particular input would have, whatever is in the array.
// Read: the handout, "TODO(1): one thread for each element": the result is the old value plus one.

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset + i] = T{2};
  // END TODO(1)
