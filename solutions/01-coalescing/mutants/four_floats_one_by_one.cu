// mutant: four floats one by one
// item: copy_vectorized moves 16 bytes per lane where both arrays are aligned
// diagnosis: uncoalesced
//
// The mistake: a thread copies 4 neighbouring floats one after the other; each of the four requests asks for every sector again.
// Read: the handout, "Sixteen bytes per access": one instruction of 16 bytes, not four of 4.

// GIVEN(copy_kernel)
__global__ void copy_kernel(float* out, const float* in, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t k = 4 * i; k < 4 * i + 4 && k < n; ++k) out[k] = in[k];
}
// END GIVEN(copy_kernel)

  // TODO(3)
  if (n != 0) copy_kernel<<<blocks_for(n / 4 + 1), threads_per_block>>>(out, in, n);
  // END TODO(3)
