// mutant: static number of blocks
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: depends-on-earlier-calls
// backends: sim
//
// The mistake: a static variable of a function gets its value at the first call; a later, larger array has too few blocks.
// Read: the handout, "More threads than elements".

// GIVEN(offset_add_f32)
void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  if (n == 0) return;
  static const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
// END GIVEN(offset_add_f32)
