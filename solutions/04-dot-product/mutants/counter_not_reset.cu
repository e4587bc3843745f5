// mutant: counter not reset
// item: dot_deterministic_f32 gives the dot product at any length
// diagnosis: works-once
// todo: 5
//
// The mistake: blocks_done is never set back, so that in the second call no block is the last.
// Read: the handout, "The last block".

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
  for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) total += partials[k];
  total = block_sum(total);
  if (threadIdx.x == 0) {
    *result = total;
  }
  // END TODO(5)
