// mutant: column major index
// item: column_sums sums the columns of a row-major matrix
// diagnosis: column-major
//
// The mistake: the index has rows where cols belongs, as if the matrix lay column after column.
// Read: the handout, "Which way through a matrix?".

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += matrix[c * rows + r];
  sums[c] = sum;
  // END TODO(5)
