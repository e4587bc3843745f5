// mutant: return without an element
// item: transpose transposes a matrix of any shape
// diagnosis: edge-tiles-incomplete
//
// The mistake: a thread returns if it has no element to bring. It has one to take out all the same, which
//   another thread brought.
// Read: the handout, "Barriers".

  // TODO(8)
  __shared__ float tile[tile_side][tile_side + 1]; // 33 words per row: a column's words lie in 32 banks
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + y, c = first_col + threadIdx.x;
    if (r >= rows || c >= cols) return;
    tile[y][threadIdx.x] = in[r * cols + c];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
    if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][y];
  }
  // END TODO(8)
