// mutant: every row in one block
// item: two_arrays keeps both arrays of a row in one buffer at once
// diagnosis: one-block
//
// The mistake: one block is launched. The loop over rows makes it right, and all other multiprocessors have
//   nothing to do.
// Read: the handout, "The next row".

// GIVEN(two_arrays)
void two_arrays(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                std::size_t letters_per_row) {
  if (rows == 0 || numbers_per_row + letters_per_row == 0) return;
  std::size_t bytes = 0; // of dynamic shared memory, for every block
  bytes = numbers_per_row * sizeof(double) + letters_per_row;
  cudaFuncSetAttribute(two_arrays_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(bytes));
  two_arrays_kernel<<<1, threads_per_block, bytes>>>(
      numbers, letters, rows, static_cast<unsigned>(numbers_per_row), static_cast<unsigned>(letters_per_row));
}
// END GIVEN(two_arrays)
