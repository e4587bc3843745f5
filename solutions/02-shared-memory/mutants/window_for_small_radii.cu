// mutant: window for small radii
// item: stencil sums all elements within a radius
// diagnosis: out-of-bounds
// backends: sim
//
// The mistake: the window has a fixed size, for radii up to 32.
// Read: the handout, "Dynamic shared memory".

// GIVEN(stencil_kernel)
__global__ void stencil_kernel(float* out, const float* in, std::size_t n, unsigned radius) {
  __shared__ float window[threads_per_block + 2 * 32];
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after - radius < n ? in[after - radius] : 0.0f;
  }
  __syncthreads(); // all threads come here: none has returned before
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[threadIdx.x + k];
  out[first + threadIdx.x] = sum;
}
// END GIVEN(stencil_kernel)

// GIVEN(stencil)
void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n == 0) return;
  stencil_kernel<<<pieces(n, threads_per_block), threads_per_block>>>(out, in, n, radius);
}
// END GIVEN(stencil)
