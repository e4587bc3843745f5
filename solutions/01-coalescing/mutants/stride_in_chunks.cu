// mutant: stride in chunks
// item: stride_add_f32 touches only the sectors of its elements
// diagnosis: uncoalesced
//
// The mistake: each thread takes 16 elements that follow one another; at every step the lanes are 16 strides apart.
// Read: the handout, "What a warp asks for".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  constexpr std::size_t chunk = 16;
  for (std::size_t k = i * chunk; k < (i + 1) * chunk && k < n; ++k) a[k * stride] += 1;
  // END TODO(2)

// GIVEN(stride_add_f32)
void stride_add_f32(float* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = (n + 16 * threads_per_block - 1) / (16 * threads_per_block);
  if (blocks == 0) return;
  stride_add_kernel<<<blocks, threads_per_block>>>(a, n, stride);
}
// END GIVEN(stride_add_f32)
