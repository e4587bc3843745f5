// mutant: edge tiles without a tile
// item: transpose reads and writes shared memory without conflicts
// diagnosis: edge-tiles-apart
// backends: sim
//
// The mistake: tiles that are not whole are read straight from columns of `in`, and never are in shared
//   memory.
// Read: the handout, "TODO(8): transpose a tile".

  // TODO(8)
  if (first_row + tile_side > rows || first_col + tile_side > cols) { // at an edge
    for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
      const std::size_t r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
      if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
    }
    return;
  }
  __shared__ float tile[tile_side][tile_side + 1];
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
