// mutant: first warp only
// item: dot_f32 gives the dot product at any length
// diagnosis: one-warp-only
//
// The mistake: thread 0 has the sum of its warp, and takes it for the sum of its block.
// Read: the handout, "One addition per block".

// GIVEN(block_sum)
// The sum of a block's values, in thread 0.
template <typename T>
__device__ T block_sum(T value) {
  return warp_sum(value);
}
// END GIVEN(block_sum)
