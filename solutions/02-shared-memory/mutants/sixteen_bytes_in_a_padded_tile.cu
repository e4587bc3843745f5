// mutant: sixteen bytes in a padded tile
// item: transpose transposes a matrix of any shape
// diagnosis[sim]: misaligned-access
// diagnosis[cuda]: cuda-error
//
// The mistake: four floats at a time are put into a tile with rows of 33 words. The second row begins 132
//   bytes behind the first: no multiple of 16.
// Read: more.md, "Padding and alignment".

  // TODO(8)
  __shared__ float tile[tile_side][tile_side + 1]; // 33 words per row: a column's words lie in 32 banks
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + y, c = first_col + threadIdx.x;
    if (cols % 4 != 0) { // rows of `in` begin anywhere
      if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
    } else if (threadIdx.x % 4 == 0 && r < rows && c < cols) {
      *reinterpret_cast<float4*>(&tile[y][threadIdx.x]) = *reinterpret_cast<const float4*>(&in[r * cols + c]);
    }
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
    if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][y];
  }
  // END TODO(8)
