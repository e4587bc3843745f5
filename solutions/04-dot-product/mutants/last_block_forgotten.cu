// mutant: last block forgotten
// item: block_dots_f32 gives the dot product of every 256 elements
// diagnosis: tail-left-out
//
// The mistake: n / 256 rounds down, so that the elements after the last whole block have no block and no
// sum.
// Read: labs/04-dot-product/lab.hpp: sums has n / 256 floats, rounded up.

// GIVEN(block_dots_f32)
void block_dots_f32(float* sums, const float* a, const float* b, std::size_t n) {
  const std::size_t blocks = n / threads_per_block;
  if (blocks == 0) return;
  block_dots_kernel<<<blocks, threads_per_block>>>(sums, a, b, n);
}
// END GIVEN(block_dots_f32)
