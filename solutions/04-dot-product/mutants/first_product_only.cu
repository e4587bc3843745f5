// mutant: first product only
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: tree-missing
//
// The mistake: the products are in the cache, and thread 0 writes the first of them as if it were their
// sum.
// Read: the handout, "A tree in shared memory".

  // TODO(1)
  cache[t] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  if (t == 0) sums[blockIdx.x] = cache[0];
  // END TODO(1)
