// mutant: block index missing
// item: dot_f32 gives the dot product at any length
// diagnosis[sim]: same-place-in-every-block
// diagnosis[cuda]: wrong-result
// todo[sim]: 2
//
// The mistake: threadIdx.x alone is taken for the number of the thread. Every block begins at element 0.
// Read: the handout, "One thread, many products".

  // TODO(2)
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = threadIdx.x; i < n; i += step) sum += a[i] * b[i];
  // END TODO(2)
