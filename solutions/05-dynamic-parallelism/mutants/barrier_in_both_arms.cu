// mutant: each arm of a branch has its own barrier
// item: reduce_neighbored adds up every part
// diagnosis: barrier-divergence
// backends: sim
//
// The mistake: threads that add come to one barrier and all others to another. A barrier is a place in the
// program, and all threads of the block have to come to the same one; what happens otherwise is undefined,
// and on a GPU anything from right sums to a kernel that never ends.
// Read: the handout, "Rounds and barriers".

  // TODO(1)
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    if (t % (2 * distance) == 0) {
      part[t] += part[t + distance];
      __syncthreads();
    } else {
      __syncthreads();
    }
  }
  if (t == 0) sums[blockIdx.x] = part[0];
  // END TODO(1)
