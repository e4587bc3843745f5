// A right solution of lab 01 in another style: two-dimensional blocks and grids, shared memory, partial sums.

#include <cuda_runtime.h>

#include <cstdint>

namespace {

const dim3 tile(32, 8);

__device__ std::size_t my_number() {
  const std::size_t block = std::size_t{blockIdx.y} * gridDim.x + blockIdx.x;
  return block * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
}

dim3 grid_for(std::size_t n) {
  const std::size_t blocks = (n + 255) / 256;
  const unsigned wide = blocks < 64 ? static_cast<unsigned>(blocks) : 64;
  return dim3(wide, static_cast<unsigned>((blocks + wide - 1) / wide));
}

template <typename T>
__global__ void add_one(T* a, std::size_t n, std::size_t stride) {
  if (my_number() < n) a[my_number() * stride] += 1;
}

// The last block's threads have head and tail, one element each.
__global__ void copy_pieces(float* out, const float* in, std::size_t n, std::size_t head,
                            std::size_t vectors) {
  const std::size_t i = my_number();
  if (i < vectors)
    *reinterpret_cast<float4*>(out + head + 4 * i) = *reinterpret_cast<const float4*>(in + head + 4 * i);
  if (blockIdx.x + 1 != gridDim.x || blockIdx.y + 1 != gridDim.y) return;
  for (std::size_t k = threadIdx.y * 32 + threadIdx.x; k < head; k += 256) out[k] = in[k];
  for (std::size_t k = head + 4 * vectors + threadIdx.y * 32 + threadIdx.x; k < n; k += 256) out[k] = in[k];
}

__global__ void copy_floats(float* out, const float* in, std::size_t n) {
  if (my_number() < n) out[my_number()] = in[my_number()];
}

// Eight floats of each particle through shared memory: every sector is asked for once.
__global__ void move(float* x, float* y, float* z, const Particle* particles, std::size_t n, float dt) {
  __shared__ float4 halves[512];
  const std::size_t first = (std::size_t{blockIdx.y} * gridDim.x + blockIdx.x) * 256;
  const unsigned t = threadIdx.y * 32 + threadIdx.x;
  const float4* all = reinterpret_cast<const float4*>(particles);
  for (unsigned k = t; k < 512; k += 256) {
    if (2 * first + k < 2 * n) halves[k] = all[2 * first + k];
  }
  __syncthreads();
  const std::size_t i = first + t;
  if (i >= n) return;
  x[i] = halves[2 * t].x + halves[2 * t + 1].x * dt;
  y[i] = halves[2 * t].y + halves[2 * t + 1].y * dt;
  z[i] = halves[2 * t].z + halves[2 * t + 1].z * dt;
}

constexpr std::size_t rows_per_block = 128;

// 32 columns per block; its 8 warps share up to 128 rows. One partial sum per block and column goes to `parts`.
__global__ void sum_tiles(float* parts, const float* matrix, std::size_t rows, std::size_t cols) {
  __shared__ float part[8][32];
  const std::size_t c = std::size_t{blockIdx.x} * 32 + threadIdx.x;
  const std::size_t begin = blockIdx.y * rows_per_block;
  const std::size_t end = begin + rows_per_block < rows ? begin + rows_per_block : rows;
  float sum = 0;
  for (std::size_t r = begin + threadIdx.y; c < cols && r < end; r += 8) sum += matrix[r * cols + c];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || c >= cols) return;
  for (int k = 1; k < 8; ++k) sum += part[k][threadIdx.x];
  parts[blockIdx.y * cols + c] = sum;
}

__global__ void add_parts(float* sums, const float* parts, std::size_t count, std::size_t cols) {
  const std::size_t c = my_number();
  if (c >= cols) return;
  float sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += parts[k * cols + c];
  sums[c] = sum;
}

template <typename T>
void add(T* a, std::size_t n, std::size_t stride) {
  if (n != 0) add_one<<<grid_for(n), tile>>>(a, n, stride);
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n, 1); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n, 1); }
void stride_add_f32(float* a, std::size_t n, std::size_t stride) { add(a, n, stride); }
void stride_add_f64(double* a, std::size_t n, std::size_t stride) { add(a, n, stride); }

void copy_vectorized(float* out, const float* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t to = reinterpret_cast<std::uintptr_t>(out) / 4 % 4,
                    from = reinterpret_cast<std::uintptr_t>(in) / 4 % 4;
  if (to != from) {
    copy_floats<<<grid_for(n), tile>>>(out, in, n);
    return;
  }
  std::size_t head = (4 - from) % 4;
  if (head > n) head = n;
  const std::size_t vectors = (n - head) / 4;
  copy_pieces<<<grid_for(vectors == 0 ? 1 : vectors), tile>>>(out, in, n, head, vectors);
}

void advance_particles(float* x, float* y, float* z, const Particle* particles, std::size_t n, float dt) {
  if (n != 0) move<<<grid_for(n), tile>>>(x, y, z, particles, n, dt);
}

void column_sums(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  if (cols == 0) return;
  const std::size_t count = (rows + rows_per_block - 1) / rows_per_block;
  float* parts = nullptr;
  cudaMallocAsync(&parts, (count + 1) * cols * sizeof(float), nullptr);
  if (count > 0) {
    const dim3 grid(static_cast<unsigned>((cols + 31) / 32), static_cast<unsigned>(count));
    sum_tiles<<<grid, tile>>>(parts, matrix, rows, cols);
  }
  add_parts<<<grid_for(cols), tile>>>(sums, parts, count, cols);
  cudaFreeAsync(parts, nullptr);
}
