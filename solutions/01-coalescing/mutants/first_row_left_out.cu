// mutant: first row left out
// item: column_sums sums the columns of a row-major matrix
// diagnosis: row-left-out
//
// The mistake: the loop begins with 1.
// Read: the handout, "TODO(5): the columns of a matrix".

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (std::size_t r = 1; r < rows; ++r) sum += matrix[r * cols + c];
  sums[c] = sum;
  // END TODO(5)
