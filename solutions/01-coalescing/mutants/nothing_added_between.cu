// mutant: nothing added between
// item: stride_add_f32 touches only the sectors of its elements
// diagnosis: other-elements-read
// backends: sim
//
// The mistake: every element of the array is read and written; those between get 0 added.
// Read: the handout, "What a stride costs".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n * stride) a[i] += i % stride == 0 ? 1.0F : 0.0F;
  // END TODO(2)

// GIVEN(stride_add_f32)
void stride_add_f32(float* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = (n * stride + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  stride_add_kernel<<<blocks, threads_per_block>>>(a, n, stride);
}
// END GIVEN(stride_add_f32)
