// mutant: flags without atomics or fences
// item: dot_deterministic_f32 needs one launch of many blocks and counts each of them once
// diagnosis: nobody-counted
// backends: sim
//
// The mistake: every block raises a flag in volatile memory, and block 0 looks at them until all are up. Nothing promises
// that a block's sum is seen before its flag.
// Read: the handout, "The last block".

// GIVEN(partials)
__device__ volatile float partials[1024];
// END GIVEN(partials)

// GIVEN(dot_deterministic_kernel)
__device__ volatile unsigned flags[1024];

__global__ void dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n,
                                         unsigned call) {
  const float sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    flags[blockIdx.x] = call;
  }
  if (blockIdx.x != 0) return;
  float total = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) {
    while (flags[k] != call) __nanosleep(100);
    total += partials[k];
  }
  __syncthreads(); // the cache has been read
  total = block_sum(total);
  if (threadIdx.x == 0) *result = total;
}
// END GIVEN(dot_deterministic_kernel)

// GIVEN(dot_deterministic_f32)
void dot_deterministic_f32(float* result, const float* a, const float* b, std::size_t n) {
  static unsigned calls = 0;
  dot_deterministic_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n, ++calls);
}
// END GIVEN(dot_deterministic_f32)
