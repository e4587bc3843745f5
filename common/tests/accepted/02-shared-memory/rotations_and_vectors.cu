// A right solution of lab 02 in another style: letters before numbers with the alignment made by hand, rotation
// instead of free words, 16 bytes per access, four sums per thread.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

__host__ __device__ std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}
std::size_t divide_up(std::size_t value, std::size_t unit) { return round_up(value, unit) / unit; }

template <typename Kernel>
void allow(Kernel kernel, std::size_t bytes) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

// A block of 64 threads for a piece; whole pieces go in vectors of four.
__global__ void reverse_kernel(int* a, std::size_t n) {
  __shared__ int4 piece[reverse_piece / 4];
  int* const words = reinterpret_cast<int*>(piece);
  int* const mine = a + std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t left = n - std::size_t{blockIdx.x} * reverse_piece;
  if (left >= reverse_piece) {
    piece[threadIdx.x] = reinterpret_cast<int4*>(mine)[threadIdx.x];
    __syncthreads();
    const int4 v = piece[63 - threadIdx.x];
    reinterpret_cast<int4*>(mine)[threadIdx.x] = make_int4(v.w, v.z, v.y, v.x);
  } else {
    for (std::size_t k = threadIdx.x; k < left; k += 64) words[k] = mine[k];
    __syncthreads(); // every thread of this block is in this branch
    for (std::size_t k = threadIdx.x; k < left; k += 64) mine[k] = words[left - 1 - k];
  }
}

// Left halo, own elements and right halo are brought in three loops, two elements per thread are summed.
__global__ void stencil_kernel(float* out, const float* in, std::size_t n, unsigned radius) {
  extern __shared__ float around[];
  const unsigned own = 2 * blockDim.x;
  const std::size_t first = std::size_t{own} * blockIdx.x;
  for (unsigned k = threadIdx.x; k < radius; k += blockDim.x) {
    around[k] = first + k >= radius && first + k - radius < n ? in[first + k - radius] : 0;
    around[radius + own + k] = first + own + k < n ? in[first + own + k] : 0;
  }
  for (unsigned k = threadIdx.x; k < own; k += blockDim.x)
    around[radius + k] = first + k < n ? in[first + k] : 0;
  __syncthreads();
  float low = 0, high = 0;
  for (unsigned k = 0; k < 2 * radius + 1; ++k) {
    low += around[threadIdx.x + k];
    high += around[threadIdx.x + blockDim.x + k];
  }
  const std::size_t i = first + threadIdx.x;
  if (i < n) out[i] = low;
  if (i + blockDim.x < n) out[i + blockDim.x] = high;
}

__global__ void two_arrays_kernel(double* numbers, char* letters, std::size_t numbers_per_row,
                                  std::size_t letters_per_row) {
  extern __shared__ double aligned[];
  char* const kept_letters = reinterpret_cast<char*>(aligned);
  double* const kept_numbers = aligned + round_up(letters_per_row, sizeof(double)) / sizeof(double);
  numbers += blockIdx.x * numbers_per_row;
  letters += blockIdx.x * letters_per_row;
  for (std::size_t k = threadIdx.x; k < letters_per_row; k += blockDim.x)
    kept_letters[letters_per_row - 1 - k] = letters[k];
  for (std::size_t k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
    kept_numbers[numbers_per_row - 1 - k] = numbers[k];
  __syncthreads();
  for (std::size_t k = threadIdx.x; k < letters_per_row; k += blockDim.x) letters[k] = kept_letters[k];
  for (std::size_t k = threadIdx.x; k < numbers_per_row; k += blockDim.x) numbers[k] = kept_numbers[k];
}

// Rows of 128 bytes; each time the banks come round again, the rows are rotated by one more word.
template <typename T>
__device__ unsigned rotated(unsigned j, unsigned stride) {
  constexpr unsigned row = 128 / sizeof(T);
  unsigned a = stride, b = row;
  while (b != 0) {
    const unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return j / row * row + (j + j / (stride / a * row)) % row;
}

template <typename T>
__global__ void gather_kernel(T* out, const T* in, std::size_t n, unsigned stride) {
  extern __shared__ float4 raw[];
  T* const tile = reinterpret_cast<T*>(raw);
  const std::size_t first = std::size_t{blockIdx.x} * 128;
  const std::size_t count = n - first < 128 ? n - first : 128;
  for (unsigned j = threadIdx.y * 32 + threadIdx.x; j < count * stride; j += 128)
    tile[rotated<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  for (unsigned k = 0; k < stride; ++k) {
    const unsigned i = threadIdx.y * 32 + threadIdx.x;
    if (i < count) out[k * n + first + i] = tile[rotated<T>(i * stride + k, stride)];
  }
}

template <typename T>
void gather(T* out, const T* in, std::size_t n, unsigned stride) {
  if (n == 0) return;
  const std::size_t bytes = 128 * stride * sizeof(T);
  allow(gather_kernel<T>, bytes);
  gather_kernel<<<divide_up(n, 128), dim3(32, 4), bytes>>>(out, in, n, stride);
}

// Tiles of 32 x 32, swizzled; a block of 32 x 32 threads.
__global__ void transpose_kernel(float* out, const float* in, std::size_t rows, std::size_t cols) {
  __shared__ float tile[32 * 32];
  const std::size_t tiles = (cols + 31) / 32;
  const std::size_t r0 = blockIdx.x / tiles * 32, c0 = blockIdx.x % tiles * 32;
  const unsigned x = threadIdx.x, y = threadIdx.y;
  if (r0 + y < rows && c0 + x < cols) tile[32 * y + (x ^ y)] = in[(r0 + y) * cols + c0 + x];
  __syncthreads();
  if (c0 + y < cols && r0 + x < rows) out[(c0 + y) * rows + r0 + x] = tile[32 * x + (x ^ y)];
}

} // namespace

void reverse_blocks(int* a, std::size_t n) {
  if (n > 0) reverse_kernel<<<divide_up(n, reverse_piece), 64>>>(a, n);
}

void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  const std::size_t bytes = (256 + 2 * std::size_t{radius}) * sizeof(float);
  allow(stencil_kernel, bytes);
  if (n > 0) stencil_kernel<<<divide_up(n, 256), 128, bytes>>>(out, in, n, radius);
}

void two_arrays(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                std::size_t letters_per_row) {
  const std::size_t bytes = round_up(letters_per_row, sizeof(double)) + numbers_per_row * sizeof(double);
  if (rows == 0 || bytes == 0) return;
  allow(two_arrays_kernel, bytes);
  two_arrays_kernel<<<rows, 192, bytes>>>(numbers, letters, numbers_per_row, letters_per_row);
}

void gather_strided_f32(float* out, const float* in, std::size_t n, std::size_t stride) {
  gather(out, in, n, static_cast<unsigned>(stride));
}
void gather_strided_f64(double* out, const double* in, std::size_t n, std::size_t stride) {
  gather(out, in, n, static_cast<unsigned>(stride));
}
void gather_strided_f32x4(Four* out, const Four* in, std::size_t n, std::size_t stride) {
  gather(reinterpret_cast<float4*>(out), reinterpret_cast<const float4*>(in), n,
         static_cast<unsigned>(stride));
}

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows * cols == 0) return;
  transpose_kernel<<<divide_up(rows, 32) * divide_up(cols, 32), dim3(32, 32)>>>(out, in, rows, cols);
}
