// mutant: the upper half is left out
// item: reduce_interleaved adds up every part
// diagnosis: round-left-out
//
// The mistake: the first half that is added is a quarter of the part: no thread adds elements 128 to 255.
// Read: the handout, "The third way to pair up".

  // TODO(3)
  for (unsigned half = part_size / 4; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(3)
