// mutant: `volatile` instead of a barrier
// item: reduce_interleaved adds up every part
// diagnosis: global-race
// backends: sim
//
// The mistake: the last warp goes without barriers, as in the code of 2010, and `volatile` should make up for
// it. It makes every access go to memory, but no thread waits; and the lanes of a warp need not run in step
// since compute capability 7.0.
// Read: the handout, "Rounds and barriers".

  // TODO(3)
  for (unsigned half = part_size / 2; half > 32; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t < 32) {
    volatile int* last = part;
    for (unsigned half = 32; half > 0; half /= 2) last[t] = last[t] + last[t + half];
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(3)
