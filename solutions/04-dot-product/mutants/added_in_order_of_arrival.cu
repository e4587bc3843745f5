// mutant: added in order of arrival
// item: dot_deterministic_f32 gives the same bits on every run
// diagnosis: bits-differ
//
// The mistake: blocks add to *result with atomics, in the order in which they end. That is another one
// every time, and float additions in another order round otherwise.
// Read: the handout, "The last block".

// GIVEN(dot_deterministic_kernel)
__global__ void dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n) {
  const float sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}
// END GIVEN(dot_deterministic_kernel)

// GIVEN(dot_deterministic_f32)
void dot_deterministic_f32(float* result, const float* a, const float* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(float));
  dot_deterministic_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END GIVEN(dot_deterministic_f32)
