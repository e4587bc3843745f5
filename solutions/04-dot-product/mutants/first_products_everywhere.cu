// mutant: first products everywhere
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: same-place-in-every-block
//
// The mistake: the thread's number in its block is taken for that of its element, which it is in the first block only.
// Read: the handout, "A tree in shared memory".

  // TODO(1)
  cache[t] = i < n ? a[t] * b[t] : 0;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
