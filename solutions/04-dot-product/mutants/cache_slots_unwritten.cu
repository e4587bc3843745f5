// mutant: cache slots unwritten
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: uninitialised-read
// backends: sim
//
// The mistake: threads without an element write nothing, but the tree reads their places all the same. On a
// GPU whatever the block before left there is added.
// Read: the handout, "A tree in shared memory".

  // TODO(1)
  if (i < n) cache[t] = a[i] * b[i];
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
