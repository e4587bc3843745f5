// mutant: lanes in global memory
// item: dot_f32 adds the lanes of a warp without shared memory
// diagnosis: no-shuffles
//
// The mistake: every thread leaves its sum in global memory, and thread 0 adds up its block's.
// Read: the handout, "Lanes exchange values".

// GIVEN(block_sum)
__device__ double sums_of_threads[most_blocks * threads_per_block];

// The sum of a block's values, in thread 0.
template <typename T>
__device__ T block_sum(T value) {
  double* sums = sums_of_threads + std::size_t{blockIdx.x} * threads_per_block;
  sums[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x != 0) return 0;
  double sum = 0;
  for (unsigned t = 0; t < threads_per_block; ++t) sum += sums[t];
  return static_cast<T>(sum);
}
// END GIVEN(block_sum)
