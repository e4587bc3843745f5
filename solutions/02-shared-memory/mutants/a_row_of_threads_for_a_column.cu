// mutant: a row of threads for a column
// item: transpose is as fast as tiles of 32 x 32 floats can be
// diagnosis: too-slow
// backends: cuda
//
// The mistake: there is no tile: rows are read, and columns written. Every request that writes touches 32
//   sectors and fills an eighth of each.
// Read: the handout, "TODO(8): transpose a tile".

// GIVEN(transpose_kernel)
// One thread for one element; blocks of 32 x 8, numbered through.
__global__ void transpose_kernel(float* out, const float* in, std::size_t rows, std::size_t cols,
                                 unsigned blocks_in_a_row) {
  const std::size_t c = blockIdx.x % blocks_in_a_row * blockDim.x + threadIdx.x;
  const std::size_t r = blockIdx.x / blocks_in_a_row * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
// END GIVEN(transpose_kernel)

// GIVEN(transpose)
void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  const auto blocks_in_a_row = static_cast<unsigned>(pieces(cols, 32));
  transpose_kernel<<<blocks_in_a_row * pieces(rows, 8), dim3(32, 8)>>>(out, in, rows, cols, blocks_in_a_row);
}
// END GIVEN(transpose)
