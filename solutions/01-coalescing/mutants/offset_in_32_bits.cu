// mutant: offset in 32 bits
// item: offset_add_f32 adds one to n elements from the offset on
// backends: sim
// diagnosis: index-overflow
//
// The mistake: the offset becomes an unsigned int, and elements behind the first 2^32 become elements at the beginning.
// Read: the handout, "TODO(1): one thread for each element".

  // TODO(1)
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned place = static_cast<unsigned>(offset) + i;
  if (i < n) a[place] += T{1};
  // END TODO(1)
