// mutant: no rows no sums
// item: column_sums sums the columns of a row-major matrix
// diagnosis: no-rows-no-sums
//
// The mistake: an empty matrix is taken for nothing to do, but without rows every sum is 0 and must be written.
// Read: labs/01-coalescing/lab.hpp: all elements of sums are written, 0 where rows is 0.

// GIVEN(column_sums)
void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  column_sums_kernel<<<(cols + threads_per_block - 1) / threads_per_block, threads_per_block>>>(sums, matrix,
                                                                                                rows, cols);
}
// END GIVEN(column_sums)
