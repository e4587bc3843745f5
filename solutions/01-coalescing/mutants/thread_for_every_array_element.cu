// mutant: thread for every array element
// item: stride_add_f32 touches only the sectors of its elements
// diagnosis: idle-lanes
//
// The mistake: there is a thread for each of the n * stride elements, and all but one in stride find nothing to do.
// Read: the handout, "What a stride costs".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n * stride && i % stride == 0) a[i] += 1;
  // END TODO(2)

// GIVEN(stride_add_f32)
void stride_add_f32(float* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = (n * stride + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  stride_add_kernel<<<blocks, threads_per_block>>>(a, n, stride);
}
// END GIVEN(stride_add_f32)
