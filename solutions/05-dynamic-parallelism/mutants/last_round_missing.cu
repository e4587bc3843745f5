// mutant: the last round is missing
// item: reduce_neighbored adds up every part
// diagnosis: round-left-out
//
// The mistake: the loop ends when the distance reaches half the part, so that the two halves are never added
// to one another.
// Read: the handout, "Rounds and barriers".

  // TODO(1)
  for (unsigned distance = 1; distance < part_size / 2; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(1)
