// mutant: grid size for block size
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: same-element
// backends: sim
//
// The mistake: gridDim is the number of blocks, and blockDim the number of threads in each; so threads of two blocks share an i.
// Read: the handout, "Which element is mine?".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * gridDim.x + threadIdx.x;
  if (i < n) a[offset + i] += 1;
  // END TODO(1)
