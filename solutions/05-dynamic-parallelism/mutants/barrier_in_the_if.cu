// mutant: only those who add come to the barrier
// item: reduce_neighbored adds up every part
// diagnosis: barrier-divergence
// backends: sim
//
// The mistake: the barrier stands in the `if` around the addition. The others do not come to it; that they
// have nothing to do any more and end some time later is no excuse: a barrier in an `if` that some threads
// do not enter is undefined.
// Read: the handout, "Rounds and barriers".

  // TODO(1)
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    if (t % (2 * distance) == 0) {
      part[t] += part[t + distance];
      __syncthreads();
    }
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(1)
