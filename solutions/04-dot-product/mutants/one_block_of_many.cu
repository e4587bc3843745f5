// mutant: many blocks, and one that works
// item: dot_deterministic_f32 needs one launch of many blocks and counts each of them once
// diagnosis: idle-blocks
// backends: sim
//
// The mistake: the grid has many blocks, and block 0 goes through everything: the others end at once.
// Read: the handout, "The last block".

  // TODO(2)
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) sum += a[i] * b[i];
  // END TODO(2)

// GIVEN(dot_deterministic_kernel)
__global__ void dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n) {
  if (blockIdx.x != 0) return;
  const float sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) *result = sum;
}
// END GIVEN(dot_deterministic_kernel)
