// mutant: block too flat
// item: transpose transposes a matrix of any shape
// diagnosis: rows-left-out
// backends: sim
//
// The mistake: the loops go on by 8 rows, and the block has 4 rows of threads. Every other four rows of a
//   tile are brought by no thread.
// Read: the handout, "TODO(8): transpose a tile".

// GIVEN(transpose)
namespace {

constexpr unsigned rows_of_threads = 4;

} // namespace

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  const auto tiles_in_a_row = static_cast<unsigned>(pieces(cols, tile_side));
  const std::size_t tiles = tiles_in_a_row * pieces(rows, tile_side);
  transpose_kernel<<<tiles, dim3(tile_side, rows_of_threads)>>>(out, in, rows, cols, tiles_in_a_row);
}
// END GIVEN(transpose)
