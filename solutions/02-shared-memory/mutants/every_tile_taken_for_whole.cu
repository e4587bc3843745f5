// mutant: every tile taken for whole
// item: transpose transposes a matrix of any shape
// diagnosis: first-phase-unbounded
// backends: sim
//
// The mistake: the tiles at the right and lower edges are taken for whole ones.
// Read: the handout, "TODO(8): transpose a tile".

  // TODO(8)
  __shared__ float tile[tile_side][tile_side + 1]; // 33 words per row: a column's words lie in 32 banks
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + y, c = first_col + threadIdx.x;
    tile[y][threadIdx.x] = in[r * cols + c];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
    out[c * rows + r] = tile[threadIdx.x][y];
  }
  // END TODO(8)
