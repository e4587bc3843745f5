// mutant: the first round is missing
// item: reduce_neighbored_less adds up every part
// diagnosis: round-left-out
//
// The mistake: the distance begins with 2, and neighbours are never added.
// Read: the handout, "Lanes that only watch".

  // TODO(2)
  for (unsigned distance = 2; distance < part_size; distance *= 2) {
    const unsigned first = 2 * distance * t;
    if (first < part_size) part[first] += part[first + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(2)
