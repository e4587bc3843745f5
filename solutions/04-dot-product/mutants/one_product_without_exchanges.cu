// mutant: one product a thread, and no exchanges yet
// item: dot_f32 gives the dot product at any length
// diagnosis[sim]: grid-covers-once
// diagnosis[cuda]: wrong-result
// todo[sim]: 2
//
// The mistake: TODO(3) is still open, and in TODO(2) a thread takes one product. All that comes to the result is
// that of thread 0 of each block.
// Read: the handout, "One thread, many products".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) sum += a[i] * b[i];
  // END TODO(2)

  // TODO(3)
  // END TODO(3)
