// mutant: no barrier between the rounds
// item: reduce_neighbored adds up every part
// diagnosis: global-race
// backends: sim
//
// The mistake: the warps go on to the next round without waiting for each other. Within a warp it often comes
// out right; but a sum may be read before another warp has written it.
// Read: the handout, "Rounds and barriers".

  // TODO(1)
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(1)
