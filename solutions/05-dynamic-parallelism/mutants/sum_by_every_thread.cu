// mutant: every thread's element is taken for the sum
// item: reduce_interleaved adds up every part
// diagnosis: sum-by-several-threads
// backends: sim
//
// The mistake: all threads write what they have to sums[blockIdx.x], and only thread 0 has the sum.
// Read: the handout, "The third way to pair up".

  // TODO(3)
  for (unsigned half = part_size / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  sums[blockIdx.x] = part[t];
  // END TODO(3)
