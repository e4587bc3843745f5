// mutant: counted without an atomic
// item: dot_deterministic_f32 gives the dot product at any length
// diagnosis: counted-without-atomic
// backends: sim
// todo: 5
//
// The mistake: blocks_done++ is a read, an addition and a write. Two blocks that read the same number count as one,
// and then none is the last.
// Read: the handout, "The last block".

  // TODO(5)
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();
    is_last = blocks_done++ == gridDim.x - 1;
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
