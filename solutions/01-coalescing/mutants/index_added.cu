// mutant: index added
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: index-added
// todo: 1
//
// The mistake: the number to add is multiplied by the element's number, so the first element keeps its value.
// Read: the handout, "TODO(1): one thread for each element".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset + i] += 1.0f * i;
  // END TODO(1)
