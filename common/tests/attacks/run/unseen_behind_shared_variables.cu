// tries: turns its tile unseen, in shared memory that belongs to no variable
// hand-in: transposes
// must: 3 points
// told: unseen-access
// unwatched: gains
#include "unseen.hpp"
__global__ void turn(float* out, const float* in, std::size_t rows, std::size_t cols, std::size_t across) {
  __shared__ float shown[1024];
  float* hidden = shown + 1536;
  const std::size_t x = threadIdx.x, y = threadIdx.y, r = blockIdx.x / across * 32, c = blockIdx.x % across * 32;
  if (r + y < rows && c + x < cols) {
    shown[y * 32 + x] = in[(r + y) * cols + c + x];
    unseen::write(hidden + y * 32 + x, shown[y * 32 + x]);
  }
  __syncthreads();
  if (r + x < rows && c + y < cols) out[(c + y) * rows + r + x] = unseen::read(hidden + x * 32 + y);
}
#define TRANSPOSE                                                                                                      \
  turn<<<(cols + 31) / 32 * ((rows + 31) / 32), dim3(32, 32)>>>(out, in, rows, cols, (cols + 31) / 32)
