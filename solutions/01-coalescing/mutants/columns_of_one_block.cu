// mutant: blockIdx is missing
// item: column_sums sums the columns of a row-major matrix
// diagnosis: block-index-missing
//
// The mistake: threadIdx.x counts inside one block only, so every block sums the first 256 columns.
// Read: the handout, "Which element is mine?".

  // TODO(5)
  const std::size_t c = threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += matrix[r * cols + c];
  sums[c] = sum;
  // END TODO(5)
