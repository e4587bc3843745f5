// mutant: edge tiles skipped
// item: transpose transposes a matrix of any shape
// diagnosis: edge-tiles-missing
//
// The mistake: the number of tiles is rounded down: the right and lower edges of the matrix have none.
// Read: the handout of lab 01, "More threads than elements".

// GIVEN(transpose)
void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows < tile_side || cols < tile_side) return;
  const auto tiles_in_a_row = static_cast<unsigned>(cols / tile_side);
  const std::size_t tiles = tiles_in_a_row * (rows / tile_side);
  transpose_kernel<<<tiles, dim3(tile_side, rows_at_once)>>>(out, in, rows, cols, tiles_in_a_row);
}
// END GIVEN(transpose)
