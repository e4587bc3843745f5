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
  // First compute which elements are this block's: where does its piece begin, and how many elements has it?
  // (The last one may be shorter; min(a, b) is there for two numbers of one type, and reverse_piece is a std::size_t.)
  // Then every thread puts its element into `piece`; all threads wait; every thread takes another thread's element
  // out of `piece` and writes it to its own place in `a`.
  (void)piece[0]; // no warning that nothing uses it: put your lines in place of this one
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
  // A block needs blockDim.x + 2 * radius elements, more than it has threads: each thread brings several, in a
  // loop. Before in[0] and after in[n - 1] the window needs zeros. All threads wait. Then each thread adds up, in a
  // variable of its own, and writes out[i] if there is such an i.
  // END TODO(2)
}

} // namespace

void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n == 0) return;
  std::size_t bytes = 0; // of dynamic shared memory, for every block
  // TODO(3): say how many bytes a window has, and allow the kernel that many
  // The window has as many floats as in TODO(2). For more than 48 KiB the launch needs an attribute of the kernel:
  // cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).
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
    // Cut `buffer` in two: a pointer to numbers_per_row doubles, and one to letters_per_row chars. A double may
    // only lie at a multiple of 8 bytes. Then as in TODO(1), with loops, because a row may be longer than the
    // block. And the block brings its next row into the same buffer.
    (void)my_numbers, (void)my_letters; // your lines in place of this one
    // END TODO(4)
  }
}

} // namespace

void two_arrays(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                std::size_t letters_per_row) {
  if (rows == 0 || numbers_per_row + letters_per_row == 0) return;
  std::size_t bytes = 0; // of dynamic shared memory, for every block
  // TODO(5): say how many bytes both arrays of a row have, and allow the kernel that many
  // The bytes of both arrays of one row; and the attribute, as in TODO(3).
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
  // Two phases. In the first, element number j of the block's is in[first * stride + j], and goes to
  // kept[place<T>(j, stride)]: neighbouring threads on neighbouring elements, until all are there. In the
  // second, thread i writes word k of record i to out[k * n + first + i], for every k: which element is that?
  // (A block has 64 threads, one for each record; the last block may have fewer records.)
  (void)kept, (void)records; // your lines in place of this one
  // END TODO(6)
}

// Places of the buffer have 4, 8 or 16 bytes, as T.
template <typename T>
__host__ __device__ unsigned place(unsigned j, unsigned stride) {
  // TODO(7): leave gaps, so that lanes `stride` elements apart find their elements in different banks
  // Do TODO(6) first; it works with this line, but its lanes meet in the same banks when it reads. After how many
  // elements do the banks repeat, at this stride and with elements of this size? (128 / sizeof(T) of them fill the
  // banks.) Leave a gap of one element each time the banks repeat, and none in between: a gap in another place
  // makes conflicts in writing or in reading.
  return j;
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
  // A tile in shared memory. In the first phase thread (x, y) brings element (y, x) of the tile, and those 8, 16
  // and 24 rows below: lanes are neighbours in a row of `in`. In the second the lanes are neighbours in a row of
  // `out`. Not every tile is whole. And in which banks lie the words of a tile's column?
  (void)first_row, (void)first_col; // your lines in place of this one
  // END TODO(8)
}

} // namespace

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  const auto tiles_in_a_row = static_cast<unsigned>(pieces(cols, tile_side));
  const std::size_t tiles = tiles_in_a_row * pieces(rows, tile_side);
  transpose_kernel<<<tiles, dim3(tile_side, rows_at_once)>>>(out, in, rows, cols, tiles_in_a_row);
}
