// mutant: one partial a thread
// item: dot_deterministic_f32 gives the dot product at any length
// diagnosis[sim]: partials-left-out
// diagnosis[cuda]: wrong-result
// todo[sim]: 5
//
// The mistake: each thread of the last block takes one partial sum. From 257 blocks on, some are left over.
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
  if (threadIdx.x < gridDim.x) total = partials[threadIdx.x];
  total = block_sum(total);
  if (threadIdx.x == 0) {
    *result = total;
    blocks_done = 0;
  }
  // END TODO(5)
