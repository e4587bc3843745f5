// mutant: tile for half a warp
// item: transpose reads and writes shared memory without conflicts
// diagnosis: warp-of-several-rows
// backends: sim
//
// The mistake: a tile of 16 x 16, padded to 17, as for the first CUDA GPUs. A warp writes two rows of it at
//   once, and the last word of the second lies in the bank of the first word of the first.
// Read: the handout, "What was true of older hardware".

#include <cuda_runtime.h>

namespace {

std::size_t pieces(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

} // namespace

namespace {

constexpr unsigned tile_side = 16; // a block has 16 x 16 threads

// One block for one tile of 16 x 16 elements. blockIdx.x counts the tiles of a row of tiles, then the rows.
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
  transpose_kernel<<<tiles, dim3(tile_side, tile_side)>>>(out, in, rows, cols, tiles_in_a_row);
}
