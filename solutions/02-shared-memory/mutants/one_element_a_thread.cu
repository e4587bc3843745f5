// mutant: one element a thread
// item: transpose transposes a matrix of any shape
// diagnosis: taken-before-brought
// backends: sim
//
// The mistake: code for 32 x 32 threads, in a block of 32 x 8: each thread brings one element, and 24 of 32
//   rows are never brought.
// Read: the handout, "Turning a tile".

#include <cuda_runtime.h>

namespace {

std::size_t pieces(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

} // namespace

namespace {

constexpr unsigned tile_side = 32;
constexpr unsigned rows_at_once = 8; // a block has 32 x 8 threads

// One block for one tile of 32 x 32 elements. blockIdx.x counts the tiles of a row of tiles, then the rows.
__global__ void transpose_kernel(float* out, const float* in, std::size_t rows, std::size_t cols,
                                 unsigned tiles_in_a_row) {
  const std::size_t first_row = blockIdx.x / tiles_in_a_row * tile_side;
  const std::size_t first_col = blockIdx.x % tiles_in_a_row * tile_side;
  __shared__ float tile[tile_side][tile_side + 1];
  const unsigned y = threadIdx.y;
  std::size_t r = first_row + y, c = first_col + threadIdx.x;
  if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
  if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][y];
}

} // namespace

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  const auto tiles_in_a_row = static_cast<unsigned>(pieces(cols, tile_side));
  const std::size_t tiles = tiles_in_a_row * pieces(rows, tile_side);
  transpose_kernel<<<tiles, dim3(tile_side, rows_at_once)>>>(out, in, rows, cols, tiles_in_a_row);
}
