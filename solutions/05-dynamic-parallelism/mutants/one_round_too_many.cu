// mutant: one round too many
// item: reduce_neighbored adds up every part
// diagnosis: beyond-the-part
// backends: sim
//
// The mistake: the last round is the one with distance == part_size: thread 0 adds the first element of the next
// block's part, which may be at any stage.
// Read: the handout, "Parts and blocks".

  // TODO(1)
  for (unsigned distance = 1; distance <= part_size; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(1)
