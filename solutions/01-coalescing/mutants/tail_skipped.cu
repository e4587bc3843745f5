// mutant: tail skipped
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: tail-skipped
//
// The mistake: n / threads_per_block rounds down; the last n % threads_per_block elements have no thread.
// Read: the handout, "More threads than elements".

// GIVEN(offset_add)
template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  const std::size_t blocks = n / threads_per_block;
  if (blocks == 0) return;
  offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
// END GIVEN(offset_add)
