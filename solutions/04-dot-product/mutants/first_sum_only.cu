// mutant: first sum only
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: first-sum-only
//
// The mistake: the first block writes its sum, and the others keep theirs.
// Read: the handout, "A tree in shared memory".

  // TODO(1)
  cache[t] = i < n ? a[i] * b[i] : 0;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  if (t == 0 && blockIdx.x == 0) sums[0] = cache[0];
  // END TODO(1)
