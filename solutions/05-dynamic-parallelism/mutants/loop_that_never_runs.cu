// mutant: the loop never runs
// item: reduce_interleaved adds up every part
// diagnosis: nothing-added
//
// The mistake: the condition of a `for` loop says when to go on, and here it says when to stop. It is false before
// the first round.
// Read: the handout, "The third way to pair up".

  // TODO(3)
  for (unsigned half = part_size / 2; half == 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(3)
