// Lab 02: shared memory. Complete the TODO regions; README.md beside this file is the handout.
//
//   ./warpbook check 02        grades this file and says what is wrong

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <numeric> // std::lcm, which place() may use

namespace {

constexpr unsigned threads_per_block = 256;

// Enough pieces of `size` for n elements: the division is rounded up.
std::size_t pieces(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

} // namespace

// ---- reverse_blocks: a buffer whose size is known to the compiler --------------------------------------

namespace {

// One block for one piece of 256 elements, one thread for one element. The last piece may be shorter.
__global__ void reverse_kernel(int* a, std::size_t n) {
  __shared__ int piece[reverse_piece];
  // TODO(1): reverse this block's piece through `piece`
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[length - 1 - k];
  // END TODO(1)
}

} // namespace

void reverse_blocks(int* a, std::size_t n) {
  if (n == 0) return; // a launch of no blocks is an error
  reverse_kernel<<<pieces(n, reverse_piece), reverse_piece>>>(a, n);
}

// ---- stencil: a buffer whose size is known at the launch ------------------------------------------------

namespace {

// One thread for one element of `out`. The window is what a block's threads need of `in`, radius elements
// further to both sides.
__global__ void stencil_kernel(float* out, const float* in, std::size_t n, unsigned radius) {
  extern __shared__ float window[];
  // TODO(2): fill the window, then sum 2 * radius + 1 of its elements
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after - radius < n ? in[after - radius] : 0.0f;
  }
  __syncthreads(); // all threads come here: none has returned before
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[threadIdx.x + k];
  out[first + threadIdx.x] = sum;
  // END TODO(2)
}

} // namespace

void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n == 0) return;
  std::size_t bytes = 0; // of dynamic shared memory, for every block
  // TODO(3): say how many bytes a window has, and allow the kernel that many
  bytes = (threads_per_block + 2 * radius) * sizeof(float);
  cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  // END TODO(3)
  stencil_kernel<<<pieces(n, threads_per_block), threads_per_block, bytes>>>(out, in, n, radius);
}

// ---- two_arrays: one buffer, two arrays ------------------------------------------------------------------

namespace {

// Each takes one row after the other; at least two for each multiprocessor of any GPU of today.
constexpr std::size_t most_blocks = 512;

__global__ void two_arrays_kernel(double* numbers, char* letters, std::size_t rows, unsigned numbers_per_row,
                                  unsigned letters_per_row) {
  extern __shared__ double buffer[];
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    double* const my_numbers = numbers + row * numbers_per_row;
    char* const my_letters = letters + row * letters_per_row;
    // TODO(4): reverse my_numbers and my_letters through two arrays in `buffer`
    double* const kept_numbers = buffer; // the larger alignment first: chars may begin anywhere
    char* const kept_letters = reinterpret_cast<char*>(buffer + numbers_per_row);
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x) kept_numbers[k] = my_numbers[k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x) kept_letters[k] = my_letters[k];
    __syncthreads(); // both arrays are there
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
      my_numbers[k] = kept_numbers[numbers_per_row - 1 - k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x)
      my_letters[k] = kept_letters[letters_per_row - 1 - k];
    __syncthreads(); // all threads have taken this row out: the next one may come
    // END TODO(4)
  }
}

} // namespace

void two_arrays(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                std::size_t letters_per_row) {
  if (rows == 0 || numbers_per_row + letters_per_row == 0) return;
  std::size_t bytes = 0; // of dynamic shared memory, for every block
  // TODO(5): say how many bytes both arrays of a row have, and allow the kernel that many
  bytes = numbers_per_row * sizeof(double) + letters_per_row;
  cudaFuncSetAttribute(two_arrays_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(bytes));
  // END TODO(5)
  two_arrays_kernel<<<std::min(rows, most_blocks), threads_per_block, bytes>>>(
      numbers, letters, rows, static_cast<unsigned>(numbers_per_row), static_cast<unsigned>(letters_per_row));
}

// ---- gather_strided: what lies apart, without bank conflicts ---------------------------------------------

namespace {

constexpr unsigned records_per_block = 64;

// In which place of the buffer element j lies, below. It grows with j: the last element ends the buffer.
template <typename T>
__host__ __device__ unsigned place(unsigned j, unsigned stride);

// One block for 64 records, which are 64 * stride neighbouring elements of `in`.
template <typename T>
__global__ void gather_kernel(T* out, const T* in, std::size_t n, unsigned stride) {
  extern __shared__ float4 gather_buffer[];
  T* const kept = reinterpret_cast<T*>(gather_buffer);
  const std::size_t first = std::size_t{blockIdx.x} * records_per_block; // record
  const unsigned records = n - first < records_per_block ? n - first : records_per_block;
  // TODO(6): bring all elements to their places in `kept`, and write them out array by array
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + first + threadIdx.x] = kept[place<T>(threadIdx.x * stride + k, stride)];
  // END TODO(6)
}

// Places of the buffer have 4, 8 or 16 bytes, as T.
template <typename T>
__host__ __device__ unsigned place(unsigned j, unsigned stride) {
  // TODO(7): leave gaps, so that lanes `stride` elements apart find their elements in different banks
  constexpr unsigned together = 128 / sizeof(T); // elements in all banks: so many lanes are served at once
  const unsigned power = stride & (~stride + 1); // the largest power of two that divides stride
  const unsigned common = power < together ? power : together;
  const unsigned apart = stride / common * together; // least common multiple of the two
  return j + j / apart; // every `apart` elements the banks repeat: move on by one
  // END TODO(7)
}

template <typename T>
void gather_strided(T* out, const T* in, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  const auto words = static_cast<unsigned>(stride);
  const std::size_t bytes = (place<T>(records_per_block * words - 1, words) + 1) * sizeof(T);
  gather_kernel<T><<<pieces(n, records_per_block), records_per_block, bytes>>>(out, in, n, words);
}

} // namespace

void gather_strided_f32(float* out, const float* in, std::size_t n, std::size_t stride) {
  gather_strided(out, in, n, stride);
}

void gather_strided_f64(double* out, const double* in, std::size_t n, std::size_t stride) {
  gather_strided(out, in, n, stride);
}

void gather_strided_f32x4(Four* out, const Four* in, std::size_t n, std::size_t stride) {
  gather_strided(reinterpret_cast<float4*>(out), reinterpret_cast<const float4*>(in), n, stride);
}

// ---- transpose: coalesced on both sides, and no bank conflicts --------------------------------------------

namespace {

constexpr unsigned tile_side = 32;
constexpr unsigned rows_at_once = 8; // a block has 32 x 8 threads: each has four elements of a tile

// One block for one tile of 32 x 32 elements. blockIdx.x counts the tiles of a row of tiles, then the rows.
__global__ void transpose_kernel(float* out, const float* in, std::size_t rows, std::size_t cols,
                                 unsigned tiles_in_a_row) {
  const std::size_t first_row = blockIdx.x / tiles_in_a_row * tile_side;
  const std::size_t first_col = blockIdx.x % tiles_in_a_row * tile_side;
  // TODO(8): read the tile row by row, write it column by column, so that lanes are neighbours both times
  __shared__ float tile[tile_side][tile_side + 1]; // 33 words per row: a column's words lie in 32 banks
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + y, c = first_col + threadIdx.x;
    if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < tile_side; y += rows_at_once) {
    const std::size_t r = first_row + threadIdx.x, c = first_col + y; // lanes run along the old column
    if (r < rows && c < cols) out[c * rows + r] = tile[threadIdx.x][y];
  }
  // END TODO(8)
}

} // namespace

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  const auto tiles_in_a_row = static_cast<unsigned>(pieces(cols, tile_side));
  const std::size_t tiles = tiles_in_a_row * pieces(rows, tile_side);
  transpose_kernel<<<tiles, dim3(tile_side, rows_at_once)>>>(out, in, rows, cols, tiles_in_a_row);
}
