// mutant: step of a block, and no exchanges yet
// item: dot_f32 gives the dot product at any length
// diagnosis[sim]: step-of-a-block
// diagnosis[cuda]: wrong-result
// todo[sim]: 2
//
// The mistake: TODO(3) is still open, and in TODO(2) a thread goes on by the threads of its block. All that comes to
// the result is what thread 0 of each block has added up, and that tells.
// Read: the handout, "One thread, many products".

  // TODO(2)
  const std::size_t step = blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    sum += a[i] * b[i];
  // END TODO(2)

  // TODO(3)
  // END TODO(3)
