// mutant: tile for half a warp
// item: transpose reads and writes shared memory without conflicts
// diagnosis: warp-of-several-rows
// backends: sim
//
// The mistake: a tile of 16 x 16, padded to 17, as for the first CUDA GPUs. A warp writes two rows of it at
//   once, and the last word of the second lies in the bank of the first word of the first.
// Read: more.md, "Older hardware".

// GIVEN(tile_side)
constexpr unsigned tile_side = 16; // a block has 16 x 16 threads
// END GIVEN(tile_side)

  // TODO(8)
  // One block for one tile of 16 x 16 elements.
  __shared__ float tile[tile_side][tile_side + 1];
  const unsigned y = threadIdx.y;
  std::size_t r = first_row + y, c = first_col + threadIdx.x;
  if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][y];
  // END TODO(8)

// GIVEN(transpose)
void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  const auto tiles_in_a_row = static_cast<unsigned>(pieces(cols, tile_side));
  const std::size_t tiles = tiles_in_a_row * pieces(rows, tile_side);
  transpose_kernel<<<tiles, dim3(tile_side, tile_side)>>>(out, in, rows, cols, tiles_in_a_row);
}
// END GIVEN(transpose)
