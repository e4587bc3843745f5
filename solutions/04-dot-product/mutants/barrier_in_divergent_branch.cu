// mutant: barrier in a divergent branch
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: barrier-divergence
// backends: sim
//
// The mistake: only the threads that add come to the barrier. All threads of a block must, or the others
// wait for ever, or at another barrier.
// Read: the handout, "Who waits for whom".

  // TODO(1)
  cache[t] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    if (t < half) {
      cache[t] += cache[t + half];
      __syncthreads();
    }
  }
  __syncthreads();
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
