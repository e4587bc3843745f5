// mutant: all threads add to one sum
// item: reduce_interleaved has neighbouring threads on neighbouring elements
// diagnosis: added-by-atomics
//
// The mistake: there is no tree: 256 atomics add to one place. They are few requests of the warps, but
// come one after the other.
// Read: the handout, "The third way to pair up".

  // TODO(3)
  if (t == 0) sums[blockIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[blockIdx.x], part[t]);
  // END TODO(3)
