// mutant: total not written
// item: dot_deterministic_f32 gives the dot product at any length
// diagnosis: output-unwritten
// todo: 5
//
// The mistake: the last block adds up all partial sums, sets the counter back, and keeps the total to itself.
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
    blocks_done = 0;
  }
  // END TODO(5)
