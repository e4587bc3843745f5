// mutant: warps not waited for
// item: dot_f32 gives the dot product at any length
// diagnosis: shared-race
// backends: sim
//
// The mistake: the first warp reads the other warps' sums without a barrier after they were written.
// Read: the handout, "One addition per block".

// GIVEN(block_sum)
// The sum of a block's values, in thread 0.
template <typename T>
__device__ T block_sum(T value) {
  constexpr unsigned warps = threads_per_block / warp_size;
  __shared__ T cache[warps];
  const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
  value = warp_sum(value);
  if (lane == 0) cache[warp] = value;
  if (warp != 0) return 0;
  return warp_sum(lane < warps ? cache[lane] : 0);
}
// END GIVEN(block_sum)
