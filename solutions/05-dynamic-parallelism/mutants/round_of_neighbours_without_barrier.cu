// mutant: round of neighbours without a barrier
// item: reduce_neighbored_less adds up every part
// diagnosis: round-without-barrier
// backends: sim
//
// The mistake: the threads go on to the next round as soon as they have added their own pair.
// Read: the handout, "Rounds and barriers".

  // TODO(2)
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    const unsigned first = 2 * distance * t; // of the pair that this thread adds
    if (first < part_size) part[first] += part[first + distance];
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(2)
