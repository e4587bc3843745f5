// mutant: loop goes on by a block
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: same-element
// backends: sim
//
// The mistake: the loop goes on by the threads of a block, where the other blocks are already, and not by those of the whole grid.
// Read: the handout, "Which element is mine?".

  // TODO(1)
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = first; i < n; i += blockDim.x) a[offset + i] += 1;
  // END TODO(1)
