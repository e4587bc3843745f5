// mutant: sum replaced
// item: column_sums sums the columns of a row-major matrix
// diagnosis: only-last-row
//
// The mistake: = stands where += belongs: each row's element replaces the sum.
// Read: the handout, "TODO(5): the columns of a matrix".

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum = matrix[r * cols + c];
  sums[c] = sum;
  // END TODO(5)
