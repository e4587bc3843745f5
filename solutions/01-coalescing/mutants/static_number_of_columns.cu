// mutant: static number of columns
// item: column_sums sums the columns of a row-major matrix
// diagnosis: depends-on-earlier-calls
// backends: sim
//
// The mistake: a static variable keeps the first call's number of columns, and a later, narrower matrix is summed as if
//   it had as many.
// Read: the handout, "Which way through a matrix?".

// GIVEN(column_sums)
void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return;
  static const std::size_t columns = cols;
  const std::size_t blocks = (columns + threads_per_block - 1) / threads_per_block;
  column_sums_kernel<<<blocks, threads_per_block>>>(sums, matrix, rows, columns);
}
// END GIVEN(column_sums)
