// mutant: a second kernel
// item: dot_deterministic_f32 needs one launch of many blocks and counts each of them once
// diagnosis: further-launch
//
// The mistake: a second launch adds up the partial sums. That is right, and gives the same bits; for small
// arrays it takes twice as long.
// Read: the handout, "The last block".

// GIVEN(dot_deterministic_f32)
namespace {

__global__ void partials_kernel(const float* a, const float* b, std::size_t n) {
  const float sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

__global__ void total_kernel(float* result, unsigned count) {
  float total = 0;
  for (unsigned k = threadIdx.x; k < count; k += blockDim.x) total += partials[k];
  total = block_sum(total);
  if (threadIdx.x == 0) *result = total;
}

} // namespace

void dot_deterministic_f32(float* result, const float* a, const float* b, std::size_t n) {
  partials_kernel<<<blocks_for(n), threads_per_block>>>(a, b, n);
  total_kernel<<<1, threads_per_block>>>(result, blocks_for(n));
}
// END GIVEN(dot_deterministic_f32)
