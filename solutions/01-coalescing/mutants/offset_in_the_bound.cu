// mutant: offset in the bound
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: offset-in-bound
// backends: sim
//
// The mistake: the element's number, and not the thread's, is compared with n, so the last `offset` elements are left out.
// Read: the handout, "More threads than elements".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (offset + i < n) a[offset + i] += 1;
  // END TODO(1)
