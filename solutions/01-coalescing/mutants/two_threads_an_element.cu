// mutant: two threads per element
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: same-element
// backends: sim
//
// The mistake: two neighbouring threads of a block compute the same i.
// Read: the handout, "One thread, one element".

  // TODO(1)
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 2;
  if (i < n) a[offset + i] += 1;
  // END TODO(1)

// GIVEN(offset_add_f32)
void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  const std::size_t blocks = (2 * n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
// END GIVEN(offset_add_f32)
