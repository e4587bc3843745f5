// mutant: nothing added before the offset
// item: offset_add_f32 pays at most one more sector per request when misaligned
// diagnosis: other-elements-read
// backends: sim
//
// The mistake: every element from a[0] on is read and written; those before the offset get 0 added.
// Read: the handout, "One thread, one element".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < offset + n) a[i] += i < offset ? 0.0F : 1.0F;
  // END TODO(1)

// GIVEN(offset_add_f32)
void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  const std::size_t blocks = (offset + n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
// END GIVEN(offset_add_f32)
