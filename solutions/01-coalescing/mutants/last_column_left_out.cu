// mutant: last column left out
// item: column_sums sums the columns of a row-major matrix
// diagnosis: tail-skipped
// todo: 5
//
// The mistake: the thread's number is compared with cols - 1, so the last column has no thread.
// Read: the handout, "More threads than elements".

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols - 1) return;
  float sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += matrix[r * cols + c];
  sums[c] = sum;
  // END TODO(5)
