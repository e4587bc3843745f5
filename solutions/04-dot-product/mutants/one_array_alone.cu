// mutant: one array alone
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: not-the-products
//
// The mistake: the elements of a are added up, without those of b.
// Read: the handout, "TODO(1): a block adds up in shared memory".

  // TODO(1)
  cache[t] = i < n ? a[i] : 0;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
