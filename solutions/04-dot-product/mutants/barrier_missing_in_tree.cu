// mutant: barrier missing in the tree
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: shared-race
// backends: sim
//
// The mistake: one barrier stands before the tree and none in it. A thread may read a place before another
// warp has added to it.
// Read: the handout, "Who waits for whom".

  // TODO(1)
  cache[t] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    if (t < half) cache[t] += cache[t + half];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
