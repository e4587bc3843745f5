// mutant: every thread adds the warps' sums
// item: block_dots_f32 keeps the working lanes of a tree together
// diagnosis: added-by-all
// backends: sim
//
// The mistake: each warp adds up by exchanges and leaves one sum in the cache; then all 256 threads read all eight sums
// and add them, where one thread needs the outcome.
// Read: the handout, "Which threads work?".

// GIVEN(block_dots_kernel)
__global__ void block_dots_kernel(float* sums, const float* a, const float* b, std::size_t n) {
  __shared__ float cache[threads_per_block / warp_size];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  float value = i < n ? a[i] * b[i] : 0;
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  if (t % warp_size == 0) cache[t / warp_size] = value;
  __syncthreads();
  float sum = 0;
  for (const float of_warp : cache) sum += of_warp;
  if (t == 0) sums[blockIdx.x] = sum;
}
// END GIVEN(block_dots_kernel)
