// mutant: block_sum in a condition
// item: dot_deterministic_f32 gives the dot product at any length
// diagnosis: lanes-alone
// backends: sim
// todo: 5
//
// The mistake: in the last block only threads that have a partial sum call block_sum. Its exchanges ask for all
// lanes of a warp, and what comes from those that stay away is undefined.
// Read: the handout, "Lanes exchange values".

  // TODO(5)
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  float total = 0;
  if (threadIdx.x < gridDim.x) {
    for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) total += partials[k];
    total = block_sum(total);
  }
  if (threadIdx.x == 0) {
    *result = total;
    blocks_done = 0;
  }
  // END TODO(5)
