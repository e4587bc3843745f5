// mutant: the last warp without a barrier
// item: reduce_interleaved adds up every part
// diagnosis: global-race
// backends: sim
//
// The mistake: once a single warp is left, the barrier is dropped, because its lanes run in step. They did on
// GPUs before Volta; since then each lane may be elsewhere, and what one has written another sees after
// __syncwarp() only.
// Read: the handout, "Rounds and barriers".

  // TODO(3)
  for (unsigned half = part_size / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    if (half > 32) __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(3)
