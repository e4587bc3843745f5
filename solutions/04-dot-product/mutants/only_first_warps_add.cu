// mutant: one warp of each block takes products
// item: dot_f32 takes many threads and gives each of them many products
// diagnosis: idle-threads
// backends: sim
//
// The mistake: seven of eight warps have nothing to add.
// Read: the handout, "One thread, many products".

  // TODO(2)
  const std::size_t step = std::size_t{gridDim.x} * 32;
  if (threadIdx.x < 32)
    for (std::size_t i = std::size_t{blockIdx.x} * 32 + threadIdx.x; i < n; i += step) sum += a[i] * b[i];
  // END TODO(2)
