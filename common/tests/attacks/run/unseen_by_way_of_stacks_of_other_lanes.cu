// tries: moves its data through local variables of other lanes
// hand-in: transposes
// must: 3 points
// told: unseen-access
// unwatched: gains
#include "unseen.hpp"
__global__ void work(float* out, const float* in, std::size_t rows, std::size_t cols) {
  __shared__ float* places[32][33];
  float own[4] = {};
  places[threadIdx.y][threadIdx.x] = own;
  const std::size_t col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  if (row < rows && col < cols) unseen::write(own, in[row * cols + col]);
  __syncthreads();
  const float value = unseen::read(places[threadIdx.x][threadIdx.y]);
  const std::size_t to_col = blockIdx.y * 32 + threadIdx.x, to_row = blockIdx.x * 32 + threadIdx.y;
  if (to_row < cols && to_col < rows) out[to_row * rows + to_col] = value;
  __syncthreads();
}
#define TRANSPOSE work<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(out, in, rows, cols)
