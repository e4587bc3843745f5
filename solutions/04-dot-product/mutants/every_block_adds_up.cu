// mutant: every block adds up
// item: dot_deterministic_f32 gives the dot product at any length
// diagnosis: nobody-counted
// backends: sim
//
// The mistake: no block waits for the others: each adds up all partials as soon as its own is there, and
// the value that comes last stays.
// Read: the handout, "The last block".

// GIVEN(dot_deterministic_kernel)
__global__ void dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n) {
  const float sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
  __syncthreads();
  float total = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) total += partials[k];
  total = block_sum(total);
  if (threadIdx.x == 0) *result = total;
}
// END GIVEN(dot_deterministic_kernel)
