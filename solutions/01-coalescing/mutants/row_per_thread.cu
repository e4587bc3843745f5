// mutant: row per thread
// item: column_sums sums the columns of a row-major matrix
// diagnosis: sum-shared
// todo: 5
// backends: sim
//
// The mistake: each thread walks along a row and adds to the sums of all columns, which other threads add to as well.
// Read: the handout, "Which way through a matrix?".

  // TODO(5)
  const std::size_t r = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (std::size_t c = 0; c < cols; ++c) {
    if (r == 0) sums[c] = 0;
    sums[c] += matrix[r * cols + c];
  }
  // END TODO(5)
