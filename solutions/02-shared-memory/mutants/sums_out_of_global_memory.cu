// mutant: sums out of global memory
// item: stencil reads each element once per block and halo
// diagnosis: read-more-than-once
//
// The mistake: every thread reads its 2 * radius + 1 elements from global memory. Each element is fetched
//   2 * radius + 1 times.
// Read: the handout, "TODO(2) and TODO(3): a window with a halo".

// GIVEN(stencil_kernel)
__global__ void stencil_kernel(float* out, const float* in, std::size_t n, unsigned radius) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (std::size_t j = i < radius ? 0 : i - radius; j < n && j <= i + radius; ++j) sum += in[j];
  out[i] = sum;
}
// END GIVEN(stencil_kernel)

// GIVEN(stencil)
void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n == 0) return;
  stencil_kernel<<<pieces(n, threads_per_block), threads_per_block>>>(out, in, n, radius);
}
// END GIVEN(stencil)
