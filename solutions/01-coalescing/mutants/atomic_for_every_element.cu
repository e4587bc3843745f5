// mutant: atomic for every element
// item: offset_add_f32 touches no sector twice when aligned
// diagnosis: atomics-not-needed
//
// The mistake: atomicAdd protects an element from other threads, but no other thread has this element.
// Read: the handout, "One thread, one element".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(a + offset + i, T{1});
  // END TODO(1)
