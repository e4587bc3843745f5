// mutant: every thread adds the sum
// item: reduce_neighbored adds up every part
// diagnosis: added-more-than-once
//
// The mistake: an atomic addition in the place of the test for thread 0. It is no race any more, but all 256
// threads of the block add the same sum.
// Read: the handout, "Rounds and barriers".

  // TODO(1)
  if (t == 0) sums[blockIdx.x] = 0;
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
    __syncthreads();
  }
  atomicAdd(&sums[blockIdx.x], part[0]);
  // END TODO(1)
