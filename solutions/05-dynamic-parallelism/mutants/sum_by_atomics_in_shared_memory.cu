// mutant: all threads add to one sum in shared memory
// item: reduce_neighbored_less lets whole warps finish early
// diagnosis: added-by-atomics
//
// The mistake: there is no tree: 256 atomics add to one int in shared memory, one after the other. No
// warp has finished early.
// Read: the handout, "Lanes that only watch".

  // TODO(2)
  __shared__ int total;
  if (t == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, part[t]);
  __syncthreads();
  if (t == 0) sums[blockIdx.x] = total;
  // END TODO(2)
