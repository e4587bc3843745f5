// mutant: edge tiles skipped
// item: transpose transposes a matrix of any shape
// diagnosis: edge-tiles-missing
//
// The mistake: the number of tiles is rounded down: the right and lower edges of the matrix have none.
// Read: the handout of lab 01, "More threads than elements".

#include <cuda_runtime.h>

namespace {

constexpr unsigned tile_side = 32;
constexpr unsigned rows_at_once = 8; // a block has 32 x 8 threads: each has four elements of a tile

// One block for one tile of 32 x 32 elements. blockIdx.x counts the tiles of a row of tiles, then the rows.
__global__ void transpose_kernel(float* out, const float* in, std::size_t rows, std::size_t cols,
                                 unsigned tiles_in_a_row) {
  const std::size_t first_row = blockIdx.x / tiles_in_a_row * tile_side;
  const std::size_t first_col = blockIdx.x % tiles_in_a_row * tile_side;
  __shared__ float tile[tile_side][tile_side + 1]; // 33 words a row: a column's words lie in 32 banks
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

} // namespace

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows < tile_side || cols < tile_side) return;
  const auto tiles_in_a_row = static_cast<unsigned>(cols / tile_side);
  const std::size_t tiles = tiles_in_a_row * (rows / tile_side);
  transpose_kernel<<<tiles, dim3(tile_side, rows_at_once)>>>(out, in, rows, cols, tiles_in_a_row);
}
