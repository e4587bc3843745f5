// mutant: lanes in shared memory
// item: dot_f32 adds the lanes of a warp without shared memory
// diagnosis: lanes-through-shared-memory
//
// The mistake: a tree over all 256 threads in shared memory, as in block_dots, where five shuffles do for a
// warp.
// Read: the handout, "Lanes exchange values".

// GIVEN(block_sum)
// The sum of a block's values, in thread 0.
template <typename T>
__device__ T block_sum(T value) {
  __shared__ T cache[threads_per_block];
  const unsigned t = threadIdx.x;
  cache[t] = value;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cache[t] += cache[t + half];
  }
  return t == 0 ? cache[0] : 0;
}
// END GIVEN(block_sum)
