// mutant: one block, timed
// item: dot_deterministic_f32 is as fast as one element per step can be
// diagnosis: too-slow
// backends: cuda
//
// The mistake: one block goes through everything. The sum has the same bits every time, and 131 of 132
// multiprocessors are idle.
// Read: the handout, "The last block".

// GIVEN(dot_deterministic_kernel)
__global__ void dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n) {
  const float sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) *result = sum;
}
// END GIVEN(dot_deterministic_kernel)

// GIVEN(dot_deterministic_f32)
void dot_deterministic_f32(float* result, const float* a, const float* b, std::size_t n) {
  dot_deterministic_kernel<<<1, threads_per_block>>>(result, a, b, n);
}
// END GIVEN(dot_deterministic_f32)
