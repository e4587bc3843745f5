// mutant: rows summed
// item: column_sums sums the columns of a row-major matrix
// diagnosis: rows-summed
//
// The mistake: the loop runs along a row: thread r sums row r.
// Read: the handout, "Which way through a matrix?".

  // TODO(5)
  const std::size_t r = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (r >= rows || r >= cols) return;
  float sum = 0;
  for (std::size_t c = 0; c < cols; ++c) sum += matrix[r * cols + c];
  sums[r] = sum;
  // END TODO(5)
