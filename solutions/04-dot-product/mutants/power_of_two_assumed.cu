// mutant: power of two assumed
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: tail-wrong
//
// The mistake: the tree starts with half of the elements that the block really has. If they are odd in
// number at any level, one is left out.
// Read: the handout, "A tree in shared memory".

  // TODO(1)
  const std::size_t left = n - std::size_t{blockIdx.x} * blockDim.x;
  const unsigned here = left < threads_per_block ? static_cast<unsigned>(left) : threads_per_block;
  if (i < n) cache[t] = a[i] * b[i];
  for (unsigned half = here / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
