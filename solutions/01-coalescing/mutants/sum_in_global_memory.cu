// mutant: sum in global memory
// item: column_sums keeps its running sums out of global memory
// diagnosis: sum-in-global-memory
//
// The mistake: sums[c] itself is the running sum: it is read and written in global memory for every row.
// Read: the handout, "Which way through a matrix?": a variable of the thread is a register.

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  volatile float* sum = &sums[c];
  *sum = 0;
  for (std::size_t r = 0; r < rows; ++r) *sum = *sum + matrix[r * cols + c];
  // END TODO(5)
