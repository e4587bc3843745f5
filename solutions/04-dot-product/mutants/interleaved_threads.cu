// mutant: interleaved threads
// item: block_dots_f32 keeps the working lanes of a tree together
// diagnosis: divergent-tree
//
// The mistake: in step s the threads whose number is a multiple of 2 s add. They lie apart, so that all
// eight warps go through nearly every step, with half of their lanes, then a quarter and so on.
// Read: the handout, "Which threads work?".

  // TODO(1)
  cache[t] = i < n ? a[i] * b[i] : 0;
  for (unsigned distance = 1; distance < threads_per_block; distance *= 2) {
    __syncthreads();
    if (t % (2 * distance) == 0) cache[t] += cache[t + distance];
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
