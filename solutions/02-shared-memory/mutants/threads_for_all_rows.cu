// mutant: threads for all rows
// item: transpose is coalesced where it reads and where it writes
// diagnosis: more-than-once
//
// The mistake: the block has 32 x 32 threads, and each still walks down the tile in steps of 8. Every
//   element is moved up to four times.
// Read: the handout, "TODO(8): transpose a tile".

// GIVEN(transpose)
void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  const auto tiles_in_a_row = static_cast<unsigned>(pieces(cols, tile_side));
  const std::size_t tiles = tiles_in_a_row * pieces(rows, tile_side);
  transpose_kernel<<<tiles, dim3(tile_side, tile_side)>>>(out, in, rows, cols, tiles_in_a_row);
}
// END GIVEN(transpose)
