// The work that benchmark.py times.

namespace {

constexpr unsigned tile = 32, rows = 8;

// out = the transpose of in, n x n floats, by tiles of 32 x 32 with a padded column. Blocks of 32 x 8
// threads.
__global__ void transpose(const float* in, float* out, unsigned n) {
  __shared__ float cells[tile][tile + 1];
  unsigned x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (unsigned row = 0; row < tile; row += rows)
    cells[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x, y = blockIdx.x * tile + threadIdx.y;
  for (unsigned row = 0; row < tile; row += rows)
    out[(y + row) * n + x] = cells[threadIdx.x][threadIdx.y + row];
}

// Two accesses of global memory by each thread.
__global__ void increment(const float* in, float* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
}

// Two accesses of shared memory by each thread and round, with barriers between.
__global__ void rotate(float* out, unsigned count) {
  __shared__ float ring[256];
  ring[threadIdx.x] = threadIdx.x;
  for (unsigned round = 0; round < count; ++round) {
    __syncthreads();
    float next = ring[(threadIdx.x + 1) % 256];
    __syncthreads();
    ring[threadIdx.x] = next;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = ring[0];
}

} // namespace

extern "C" {
void run_transpose(const float* in, float* out, unsigned n) {
  transpose<<<dim3(n / tile, n / tile), dim3(tile, rows)>>>(in, out, n);
}
void run_increment(const float* in, float* out, unsigned n) { increment<<<n / 256, 256>>>(in, out); }
void run_rotate(float* out, unsigned blocks, unsigned count) { rotate<<<blocks, 256>>>(out, count); }
}
