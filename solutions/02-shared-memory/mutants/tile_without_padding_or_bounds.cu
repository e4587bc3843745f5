// mutant: a tile without padding, and without a look at the matrix's end
// item: transpose reads and writes shared memory without conflicts
// diagnosis: right-in-whole-tiles
// backends: sim
//
// The mistake: two at once. Where all tiles are whole the result is right and lanes meet in one bank; elsewhere threads
// go beyond the matrix.
// Read: the handout, "TODO(8): transpose a tile".

  // TODO(8)
  __shared__ float tile[tile_side][tile_side];
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once)
    tile[y][threadIdx.x] = in[(first_row + y) * cols + first_col + threadIdx.x];
  __syncthreads();
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once)
    out[(first_col + y) * rows + first_row + threadIdx.x] = tile[threadIdx.x][y];
  // END TODO(8)
