// mutant: rounds begin with the halves
// item: reduce_neighbored_less adds up every part
// diagnosis: rounds-reversed
//
// The mistake: the rounds run from the largest distance to 1, so that most pairs are added after their sum was used.
// Read: the handout, "Rounds and barriers".

  // TODO(2)
  for (unsigned distance = part_size / 2; distance > 0; distance /= 2) {
    const unsigned first = 2 * distance * t; // of the pair that this thread adds
    if (first < part_size) part[first] += part[first + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(2)
