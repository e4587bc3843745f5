// mutant: last element left out
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: tail-skipped
// backends: sim
//
// The mistake: i + 1 < n is true of every element but the last.
// Read: the handout, "More threads than elements".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i + 1 < n) a[offset + i] += 1;
  // END TODO(1)
