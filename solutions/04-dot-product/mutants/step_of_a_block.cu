// mutant: step of a block
// item: dot_f32 gives the dot product at any length
// diagnosis[sim]: step-of-a-block
// diagnosis[cuda]: wrong-result
// todo[sim]: 2
//
// The mistake: a thread goes on by the threads of its block, not of the grid: what lies behind a block is
// taken by that block as well.
// Read: the handout, "One thread, many products".

  // TODO(2)
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    sum += a[i] * b[i];
  // END TODO(2)
