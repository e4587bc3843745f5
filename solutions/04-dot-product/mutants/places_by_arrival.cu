// mutant: places by arrival
// item: dot_deterministic_f32 gives the same bits on every run
// diagnosis: bits-differ
//
// The mistake: a block puts its sum where the counter says, not where its own number says. The last block
// adds in a fixed order, of numbers that lie there in another one every time.
// Read: the handout, "The last block".

// GIVEN(blocks_done)
__device__ unsigned blocks_done, places_taken;
// END GIVEN(blocks_done)

  // TODO(5)
  if (threadIdx.x == 0) {
    partials[atomicAdd(&places_taken, 1)] = sum;
    __threadfence();
    is_last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  float total = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) total += partials[k];
  total = block_sum(total);
  if (threadIdx.x == 0) {
    *result = total;
    blocks_done = 0;
    places_taken = 0;
  }
  // END TODO(5)
