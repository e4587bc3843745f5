// mutant: threads with gaps between them
// item: reduce_neighbored_less lets whole warps finish early
// diagnosis: divergent-threads
//
// The mistake: the threads that add are still those of reduce_neighbored: every second one, then every
// fourth. All eight warps go through five rounds, for the sake of one lane each in the end.
// Read: the handout, "Lanes that only watch".

  // TODO(2)
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(2)
