// A right solution of lab 02 in another style: warps that work alone and wait with __syncwarp, one-dimensional blocks,
// buffers two-dimensional by hand.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

// Eight warps, each with 32 elements of the piece: the warp's are reversed by lanes, the warps by their places.
__global__ void reverse_kernel(int* a, std::size_t n) {
  extern __shared__ int kept[];
  const std::size_t begin = blockIdx.x * reverse_piece, end = min(begin + reverse_piece, n);
  const std::size_t from = begin + threadIdx.x;
  if (from < end) kept[end - 1 - from] = a[from];
  __syncthreads();
  if (from < end) a[from] = kept[threadIdx.x];
}

__global__ void stencil_kernel(float* __restrict__ out, const float* __restrict__ in, std::size_t n,
                               unsigned radius) {
  extern __shared__ float near[];
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  const std::size_t begin = first < radius ? 0 : first - radius;
  const std::size_t end = min(n, first + blockDim.x + radius);
  for (std::size_t j = begin + threadIdx.x; j < end; j += blockDim.x) near[j - begin] = in[j];
  __syncthreads();
  const std::size_t i = first + threadIdx.x;
  if (i >= n) return;
  const std::size_t low = i < radius ? 0 : i - radius, high = min(n - 1, i + radius);
  float even = 0, odd = 0;
  std::size_t j = low;
  for (; j + 1 <= high; j += 2) {
    even += near[j - begin];
    odd += near[j + 1 - begin];
  }
  if (j <= high) even += near[j - begin];
  out[i] = even + odd;
}

__global__ void two_arrays_kernel(double* numbers, char* letters, int rows, int per_row,
                                  int letters_per_row) {
  extern __shared__ char buffer[];
  double* const values = (double*)buffer;
  char* const text = buffer + 8 * per_row;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    for (int k = threadIdx.x; k < per_row + letters_per_row; k += blockDim.x) {
      if (k < per_row)
        values[k] = numbers[(long long)row * per_row + k];
      else
        text[k - per_row] = letters[(long long)row * letters_per_row + k - per_row];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < per_row; k += blockDim.x)
      numbers[(long long)row * per_row + k] = values[per_row - 1 - k];
    for (int k = threadIdx.x; k < letters_per_row; k += blockDim.x)
      letters[(long long)row * letters_per_row + k] = text[letters_per_row - 1 - k];
    __syncthreads();
  }
}

// A warp for 32 records. Word k of record i lies in row i; all rows from (i * stride / lcm) on are moved by a word.
template <typename T, int Lanes>
__global__ void gather_kernel(T* out, const T* in, std::size_t n, unsigned stride) {
  extern __shared__ double2 storage[];
  unsigned records_until_again = 1;
  while (records_until_again * stride % Lanes != 0) ++records_until_again;
  T* const mine = reinterpret_cast<T*>(storage) + threadIdx.y * (32 * stride + 32);
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.y + threadIdx.y) * 32;
  const unsigned records = first >= n ? 0 : min(std::size_t{32}, n - first);
  for (unsigned j = threadIdx.x; j < records * stride; j += 32)
    mine[j + j / stride / records_until_again] = in[first * stride + j];
  __syncwarp();
  if (threadIdx.x >= records) return;
  const T* const record = mine + threadIdx.x * stride + threadIdx.x / records_until_again;
  for (unsigned k = 0; k < stride; ++k) out[k * n + first + threadIdx.x] = record[k];
}

template <typename T>
void gather(T* out, const T* in, std::size_t n, std::size_t stride) {
  const std::size_t warps = 2, blocks = (n + 32 * warps - 1) / (32 * warps);
  const std::size_t bytes = warps * (32 * stride + 32) * sizeof(T);
  if (blocks == 0) return;
  gather_kernel<T, 128 / sizeof(T)><<<blocks, dim3(32, warps), bytes>>>(out, in, n, stride);
}

// A warp for a tile: it needs no barrier of the block.
__global__ void transpose_kernel(float* out, const float* in, std::size_t rows, std::size_t cols) {
  __shared__ float tiles[4][32 * 33];
  float* const tile = tiles[threadIdx.y];
  const std::size_t tiles_down = (rows + 31) / 32, tiles_across = (cols + 31) / 32;
  const std::size_t t = std::size_t{blockIdx.x} * 4 + threadIdx.y;
  if (t >= tiles_down * tiles_across) return;
  const std::size_t top = t / tiles_across * 32, left = t % tiles_across * 32;
  const unsigned high = min(std::size_t{32}, rows - top), wide = min(std::size_t{32}, cols - left);
  for (unsigned y = 0; y < high; ++y)
    if (threadIdx.x < wide) tile[y * 33 + threadIdx.x] = in[(top + y) * cols + left + threadIdx.x];
  __syncwarp();
  for (unsigned x = 0; x < wide; ++x)
    if (threadIdx.x < high) out[(left + x) * rows + top + threadIdx.x] = tile[threadIdx.x * 33 + x];
}

} // namespace

void reverse_blocks(int* a, std::size_t n) {
  const std::size_t blocks = (n + 255) / 256;
  if (blocks != 0) reverse_kernel<<<blocks, 256, 256 * sizeof(int)>>>(a, n);
}

void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n == 0) return;
  // Not more than the array has: the window of a short array is short.
  const std::size_t bytes = std::min<std::size_t>(n, 64 + 2 * std::size_t{radius}) * sizeof(float);
  cudaFuncSetAttribute((const void*)stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  stencil_kernel<<<(n + 63) / 64, 64, bytes>>>(out, in, n, radius);
}

void two_arrays(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                std::size_t letters_per_row) {
  const std::size_t bytes = 8 * numbers_per_row + letters_per_row;
  if (rows == 0 || bytes == 0) return;
  cudaFuncSetAttribute(two_arrays_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most_row_bytes);
  two_arrays_kernel<<<std::min<std::size_t>(rows, 100), 128, bytes>>>(numbers, letters, rows, numbers_per_row,
                                                                      letters_per_row);
}

void gather_strided_f32(float* out, const float* in, std::size_t n, std::size_t stride) {
  gather(out, in, n, stride);
}
void gather_strided_f64(double* out, const double* in, std::size_t n, std::size_t stride) {
  gather(out, in, n, stride);
}
void gather_strided_f32x4(Four* out, const Four* in, std::size_t n, std::size_t stride) {
  gather(reinterpret_cast<float4*>(out), reinterpret_cast<const float4*>(in), n, stride);
}

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  const std::size_t tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
  if (tiles != 0) transpose_kernel<<<(tiles + 3) / 4, dim3(32, 4)>>>(out, in, rows, cols);
}
