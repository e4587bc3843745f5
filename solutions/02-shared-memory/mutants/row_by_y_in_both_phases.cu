// mutant: row by y in both phases
// item: transpose transposes a matrix of any shape
// diagnosis: row-of-out
// backends: sim
//
// The mistake: the second phase takes the row by threadIdx.y, so that no lane of a warp has an element of its own.
// Read: the handout, "TODO(8): transpose a tile".

  // TODO(8)
  __shared__ float tile[tile_side][tile_side + 1]; // 33 words per row: a column's words lie in 32 banks
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + y, c = first_col + threadIdx.x;
    if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + threadIdx.y, c = first_col + y; // lanes run along the old column
    if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][y];
  }
  // END TODO(8)
