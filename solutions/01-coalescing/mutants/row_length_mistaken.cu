// mutant: row length mistaken
// item: column_sums sums the columns of a row-major matrix
// diagnosis: row-length-mistaken
//
// The mistake: the row's number is multiplied by the number of rows, and not by the length of a row.
// Read: the handout, "Which way through a matrix?".

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += matrix[r * rows + c];
  sums[c] = sum;
  // END TODO(5)
