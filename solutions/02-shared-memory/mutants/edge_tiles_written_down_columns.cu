// mutant: edge tiles written down columns
// item: transpose is coalesced where it reads and where it writes
// diagnosis: edge-tiles-apart
// backends: sim
//
// The mistake: tiles that are not whole go without a tile, from rows of `in` straight to columns of `out`.
//   Of the elements of a large matrix few lie there; of a narrow one all may.
// Read: the handout, "TODO(8): transpose a tile".

  // TODO(8)
  if (first_row + tile_side > rows || first_col + tile_side > cols) { // at an edge
    for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
      const std::size_t r = first_row + y, c = first_col + threadIdx.x;
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
