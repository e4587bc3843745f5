// mutant: added up twice
// item: dot_deterministic_f32 reads every byte of both arrays once
// diagnosis: read-again
//
// The mistake: the last block does not trust the partial sums, and goes through the arrays once more.
// Read: the handout, "One thread, many products".

  // TODO(5)
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  float total = 0;
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) total += a[i] * b[i];
  total = block_sum(total);
  if (threadIdx.x == 0) {
    *result = total;
    blocks_done = 0;
  }
  // END TODO(5)
