// mutant: the first block takes all products
// item: dot_f32 takes many threads and gives each of them many products
// diagnosis: idle-threads
// backends: sim
//
// The mistake: every other block has nothing to add.
// Read: the handout, "One thread, many products".

  // TODO(2)
  const std::size_t step = blockDim.x;
  if (blockIdx.x == 0)
    for (std::size_t i = threadIdx.x; i < n; i += step) sum += a[i] * b[i];
  // END TODO(2)
