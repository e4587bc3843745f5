// mutant: fixed-point products
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: small-values-lost
// backends: sim
//
// The mistake: products are rounded to multiples of 1/1024, which is enough for some numbers and nothing for others.
// Read: more.md, "How far the sum may be off".

  // TODO(1)
  cache[t] = i < n ? rintf(a[i] * b[i] * 1024) / 1024 : 0;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
