// mutant: both phases in one loop
// item: transpose transposes a matrix of any shape
// diagnosis: taken-before-brought
// backends: sim
//
// The mistake: the same turn of a loop brings elements and takes others out, with a barrier in between. Of
//   the rows that a thread takes a column out of, only eight are there in the first turn.
// Read: the handout, "TODO(8): transpose a tile".

  // TODO(8)
  __shared__ float tile[tile_side][tile_side + 1]; // 33 words per row: a column's words lie in 32 banks
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + y, c = first_col + threadIdx.x;
    if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
    __syncthreads();
    const std::size_t old_r = first_row + threadIdx.x,
                      old_c = first_col + y; // lanes run along the old column
    if (old_r < rows && old_c < cols) out[old_c * rows + old_r] = tile[threadIdx.x][y];
  }
  // END TODO(8)
