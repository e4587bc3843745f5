// mutant: one element a thread
// item: transpose transposes a matrix of any shape
// diagnosis: taken-before-brought
// backends: sim
//
// The mistake: code for 32 x 32 threads, in a block of 32 x 8: each thread brings one element, and 24 of 32
//   rows are never brought.
// Read: the handout, "TODO(8): transpose a tile".

  // TODO(8)
  __shared__ float tile[tile_side][tile_side + 1];
  const unsigned y = threadIdx.y;
  std::size_t r = first_row + y, c = first_col + threadIdx.x;
  if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][y];
  // END TODO(8)
