// mutant: every thread counts
// item: dot_deterministic_f32 needs one launch of many blocks and counts each of them once
// diagnosis: atomics-not-needed
//
// The mistake: all threads count themselves, and the last thread of the grid finds that it is in the last
// block.
// Read: the handout, "The last block".

  // TODO(5)
  if (threadIdx.x == 0) {
    is_last = false;
    partials[blockIdx.x] = sum;
    __threadfence();
  }
  __syncthreads();
  if (atomicAdd(&blocks_done, 1) == gridDim.x * blockDim.x - 1) is_last = true;
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
