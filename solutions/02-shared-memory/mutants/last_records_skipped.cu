// mutant: last records skipped
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: tail-skipped
//
// The mistake: the number of blocks is rounded down: the last n % 64 records have none.
// Read: the handout of lab 01, "More threads than elements".

// GIVEN(gather_strided)
template <typename T>
void gather_strided(T* out, const T* in, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  const auto words = static_cast<unsigned>(stride);
  const std::size_t bytes = (place<T>(records_per_block * words - 1, words) + 1) * sizeof(T);
  if (n < records_per_block) return;
  gather_kernel<T><<<n / records_per_block, records_per_block, bytes>>>(out, in, n, words);
}
// END GIVEN(gather_strided)
