// mutant: fence too late
// item: dot_deterministic_f32 gives the dot product at any length
// diagnosis: fence-missing
// todo: 5
// backends: sim
//
// The mistake: the fence stands after the count: whoever has seen the count may not yet see the partial
// sum.
// Read: the handout, "The last block".

  // TODO(5)
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    is_last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  float total = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) total += partials[k];
  total = block_sum(total);
  if (threadIdx.x == 0) {
    *result = total;
    blocks_done = 0;
  }
  // END TODO(5)
