// mutant: tile without padding
// item: transpose reads and writes shared memory without conflicts
// diagnosis: bank-conflict
//
// The mistake: rows of 32 words begin in the same bank, so that all 32 words of a column lie in one.
// Read: the handout, "A stride and its banks".

  // TODO(8)
  __shared__ float tile[tile_side][tile_side];
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + y, c = first_col + threadIdx.x;
    if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
    if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][y];
  }
  // END TODO(8)
