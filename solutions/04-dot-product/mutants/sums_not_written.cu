// mutant: sums not written
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: output-unwritten
// todo: 1
//
// The mistake: the tree is complete, and no thread writes its sum to sums.
// Read: the handout, "A tree in shared memory".

  // TODO(1)
  cache[t] = i < n ? a[i] * b[i] : 0;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  // END TODO(1)
