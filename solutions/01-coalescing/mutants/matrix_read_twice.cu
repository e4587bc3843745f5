// mutant: matrix read twice
// item: column_sums reads the matrix coalesced and once
// diagnosis: read-more-than-once
//
// The mistake: one pass looks whether the column has anything but zeros, and a second one adds; each reads the whole matrix.
// Read: the handout, "What a warp asks for": every request pays.

  // TODO(5)
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  bool any = false;
  for (std::size_t r = 0; r < rows; ++r) any = (matrix[r * cols + c] != 0) | any;
  float sum = 0;
  if (any) {
    for (std::size_t r = 0; r < rows; ++r) sum += matrix[r * cols + c];
  }
  sums[c] = sum;
  // END TODO(5)
