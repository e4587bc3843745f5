// mutant: the column is compared with the number of rows
// item: column_sums sums the columns of a row-major matrix
// diagnosis: rows-bound-columns
//
// The mistake: thread c has column c, and the matrix has cols of them.
// Read: the handout, "Which way through a matrix?".

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= rows || c >= cols) return;
  float sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += matrix[r * cols + c];
  sums[c] = sum;
  // END TODO(5)
