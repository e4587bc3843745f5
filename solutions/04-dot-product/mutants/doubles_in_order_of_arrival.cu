// mutant: doubles in order of arrival
// item: dot_deterministic_f32 gives the same bits on every run
// backends: sim
// diagnosis: bits-differ
//
// The mistake: the blocks' sums are added to a double as they arrive. Rounded to a float that has the same bits most of
// the time; where sums of very different size meet, it has not.
// Read: the handout, "The last block".

// GIVEN(dot_deterministic_kernel)
__device__ double total;

__global__ void dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n) {
  const float sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x != 0) return;
  atomicAdd(&total, static_cast<double>(sum));
  __threadfence();
  if (atomicAdd(&blocks_done, 1) != gridDim.x - 1) return;
  *result = static_cast<float>(atomicAdd(&total, 0.0));
  total = 0;
  blocks_done = 0;
}
// END GIVEN(dot_deterministic_kernel)
