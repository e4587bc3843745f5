// mutant: the running sum begins with the first row
// item: column_sums sums the columns of a row-major matrix
// diagnosis: no-rows-to-read
// backends: sim
//
// The mistake: a matrix of no rows has no first element of a column.
// Read: the handout, "Which way through a matrix?".

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = matrix[c];
  for (std::size_t r = 1; r < rows; ++r) sum += matrix[r * cols + c];
  sums[c] = sum;
  // END TODO(5)
