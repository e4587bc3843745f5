// mutant: = in place of +=
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: last-product-alone
//
// The mistake: the other half replaces this half, so that the last product of all comes to cache[0].
// Read: the handout, "A tree in shared memory".

  // TODO(1)
  cache[t] = i < n ? a[i] * b[i] : 0;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] = cache[t + half];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
