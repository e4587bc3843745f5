// mutant: one block too many
// item: dot_deterministic_f32 gives the dot product at any length
// diagnosis[sim]: nobody-is-last
// diagnosis[cuda]: output-unwritten
//
// The mistake: the count before is compared with gridDim.x. It is one less in the block that counts last,
// so that no block is.
// Read: the handout, "The last block".

  // TODO(5)
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(&blocks_done, 1) == gridDim.x;
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
