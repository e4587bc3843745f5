// mutant: tile a column short
// item: transpose transposes a matrix of any shape
// diagnosis: tile-too-narrow
// backends: sim
//
// The mistake: a row of the tile has 31 places, so that the 32nd element lies where the next row begins.
// Read: the handout, "TODO(8): transpose a tile".

  // TODO(8)
  __shared__ float tile[tile_side][tile_side - 1];
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
