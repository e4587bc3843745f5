// mutant: shorter numbers
// item: stencil sums all elements within a radius
// diagnosis: low-precision
//
// The mistake: every element is cut to the 11 bits of a half-precision number, so that the window takes
//   less room.
// Read: labs/02-shared-memory/lab.hpp: the sums are those of floats.

// GIVEN(stencil_kernel)
// The leading 11 bits of x.
__device__ float as_half(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }

__global__ void stencil_kernel(float* out, const float* in, std::size_t n, unsigned radius) {
  extern __shared__ float window[];
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after - radius < n ? as_half(in[after - radius]) : 0.0f;
  }
  __syncthreads(); // all threads come here: none has returned before
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[threadIdx.x + k];
  out[first + threadIdx.x] = sum;
}
// END GIVEN(stencil_kernel)
