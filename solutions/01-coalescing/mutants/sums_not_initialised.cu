// mutant: sums not initialised
// item: column_sums sums the columns of a row-major matrix
// diagnosis[sim]: uninitialised-read
// diagnosis[cuda]: sums-not-initialised
//
// The mistake: the elements are added to sums[c], which are never set to 0.
// Read: labs/01-coalescing/lab.hpp: all elements of sums are written.

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  for (std::size_t r = 0; r < rows; ++r) sums[c] += matrix[r * cols + c];
  // END TODO(5)
