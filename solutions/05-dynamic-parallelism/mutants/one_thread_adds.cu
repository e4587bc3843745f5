// mutant: one thread adds up all
// item: reduce_neighbored_less lets whole warps finish early
// diagnosis: added-one-by-one
//
// The mistake: thread 0 adds up the part, as a CPU would. 255 threads wait, and 31 lanes of the working warp
// are idle.
// Read: the handout, "Lanes that only watch".

  // TODO(2)
  if (t != 0) return;
  int sum = 0;
  for (unsigned i = 0; i < part_size; ++i) sum += part[i];
  sums[blockIdx.x] = sum;
  // END TODO(2)
