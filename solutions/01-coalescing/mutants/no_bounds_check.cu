// mutant: no bounds check
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis[sim]: out-of-bounds
// diagnosis[cuda]: guard-damaged
//
// The mistake: the grid is rounded up to whole blocks, and nothing stops the threads beyond n.
// Read: the handout, "More threads than elements".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  a[offset + i] += T{1};
  // END TODO(1)
