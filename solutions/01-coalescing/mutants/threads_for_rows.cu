// mutant: threads for rows
// item: column_sums sums the columns of a row-major matrix
// diagnosis: output-unwritten
//
// The mistake: the launch counts rows, but a thread is for a column: where there are more columns than rows, some have no thread.
// Read: the handout, "More threads than elements".

// GIVEN(column_sums)
void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  column_sums_kernel<<<(rows + threads_per_block - 1) / threads_per_block, threads_per_block>>>(sums, matrix,
                                                                                                rows, cols);
}
// END GIVEN(column_sums)
