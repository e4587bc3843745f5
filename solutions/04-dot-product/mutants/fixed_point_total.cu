// mutant: fixed-point total
// item: dot_deterministic_f32 gives the dot product at any length
// diagnosis: small-values-lost
// backends: sim
//
// The mistake: the blocks' sums are added as whole numbers of 1/1024. Whole numbers add up to the same in any order,
// but sums smaller than that are 0.
// Read: more.md, "How far the sum may be off".

// GIVEN(dot_deterministic_kernel)
__device__ unsigned long long total; // in 1/1024

__global__ void dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n) {
  const float sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x != 0) return;
  atomicAdd(&total, static_cast<unsigned long long>(static_cast<long long>(sum * 1024)));
  __threadfence();
  if (atomicAdd(&blocks_done, 1) != gridDim.x - 1) return;
  *result = static_cast<float>(static_cast<long long>(atomicExch(&total, 0ull))) / 1024;
  blocks_done = 0;
}
// END GIVEN(dot_deterministic_kernel)
