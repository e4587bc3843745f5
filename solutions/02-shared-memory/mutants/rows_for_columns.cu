// mutant: rows for columns
// item: transpose transposes a matrix of any shape
// diagnosis[sim]: row-of-out
// diagnosis[cuda]: square-only
//
// The mistake: a row of `out` is taken to have as many elements as a row of `in`. It has one for every
//   row of `in`.
// Read: the handout, "TODO(8): transpose a tile".

  // TODO(8)
  __shared__ float tile[tile_side][tile_side + 1]; // 33 words per row: a column's words lie in 32 banks
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + y, c = first_col + threadIdx.x;
    if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
    if (r < rows && c < cols) out[c * cols + r] = tile[threadIdx.x][y];
  }
  // END TODO(8)
