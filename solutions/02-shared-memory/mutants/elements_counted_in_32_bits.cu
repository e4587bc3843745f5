// mutant: elements counted in 32 bits
// item: transpose transposes a matrix of any shape
// diagnosis: index-overflow
// todo: 8
//
// The mistake: rows, columns and their products are unsigned: after 2^32 elements the index starts again at 0.
// Read: labs/02-shared-memory/lab.hpp: rows * cols is at most 2^40.

  // TODO(8)
  __shared__ float tile[tile_side][tile_side + 1];
  const unsigned height = static_cast<unsigned>(rows), width = static_cast<unsigned>(cols);
  const unsigned top = static_cast<unsigned>(first_row), left = static_cast<unsigned>(first_col);
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const unsigned r = top + y, c = left + threadIdx.x;
    if (r < height && c < width) tile[y][threadIdx.x] = in[r * width + c];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const unsigned r = top + threadIdx.x, c = left + y;
    if (r < height && c < width) out[c * height + r] = tile[threadIdx.x][y];
  }
  // END TODO(8)
