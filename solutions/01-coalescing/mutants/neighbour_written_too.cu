// mutant: neighbour written too
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: same-element
// backends: sim
//
// The mistake: each thread writes to its neighbour's element, too, in another line, although it adds nothing there.
// Read: the handout, "One thread, one element".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[offset + i] += 1;
  if (i + 1 < n) a[offset + i + 1] += 0;
  // END TODO(1)
