// mutant: leaves without an element
// item: block_dots_f32 keeps the working lanes of a tree together
// diagnosis: uninitialised-read
//
// The mistake: the threads of the last block that have no element return at once, and the tree adds what lies in their
// places. Where all blocks are whole the tree is a good one; but a technique is worth nothing while the sums are wrong.
// Read: the handout, "A tree in shared memory".

  // TODO(1)
  if (i >= n) return;
  cache[t] = a[i] * b[i];
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
