// mutant: the running sum begins with one
// item: column_sums sums the columns of a row-major matrix
// diagnosis: start-value
//
// The mistake: what is added up must begin with 0.
// Read: the handout, "Which way through a matrix?".

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 1;
  for (std::size_t r = 0; r < rows; ++r) sum += matrix[r * cols + c];
  sums[c] = sum;
  // END TODO(5)
