// mutant: rows of tiles in y
// item: transpose transposes a matrix of any shape
// diagnosis: grid-too-high
// backends: cuda
//
// The mistake: the rows of tiles are counted by blockIdx.y. A grid has at most 65,535 blocks in y, so
//   2,097,120 rows of a matrix.
// Read: the handout, "TODO(8): transpose a tile".

// GIVEN(transpose_kernel)
// One block for one tile of 32 x 32 elements.
__global__ void transpose_kernel(float* out, const float* in, std::size_t rows, std::size_t cols) {
  const std::size_t first_row = std::size_t{blockIdx.y} * tile_side;
  const std::size_t first_col = std::size_t{blockIdx.x} * tile_side;
  __shared__ float tile[tile_side][tile_side + 1]; // 33 words per row: a column's words lie in 32 banks
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + y, c = first_col + threadIdx.x;
    if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
    if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][y];
  }
}
// END GIVEN(transpose_kernel)

// GIVEN(transpose)
void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 tiles(pieces(cols, tile_side), pieces(rows, tile_side));
  transpose_kernel<<<tiles, dim3(tile_side, rows_at_once)>>>(out, in, rows, cols);
}
// END GIVEN(transpose)
