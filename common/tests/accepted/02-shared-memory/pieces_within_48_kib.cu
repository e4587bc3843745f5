// A right solution of lab 02 in another style: never more than 48 KiB of shared memory. The window slides along, long
// rows go from both ends to the middle, and tiles have 16 x 16 elements.
// A part of the contract.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

unsigned pieces(std::size_t n, std::size_t size) { return static_cast<unsigned>((n + size - 1) / size); }

// ---- stencil: of the window as much at a time as `part` holds --------------------------------------------

constexpr unsigned sums = 256;   // of a block
constexpr unsigned steps = 1024; // offsets of a sum that a part serves

__global__ void stencil_kernel(float* out, const float* in, std::size_t n, unsigned radius) {
  __shared__ float part[steps + sums];
  const std::size_t first = std::size_t{blockIdx.x} * sums, width = 2 * std::size_t{radius} + 1;
  const auto bring = [&](std::size_t place) { // of the window
    const std::size_t after = first + place;
    const bool needed = place < width - 1 + sums && after >= radius && after - radius < n;
    return needed ? in[after - radius] : 0.0f;
  };
  part[threadIdx.x] = bring(threadIdx.x);
  float sum = 0;
  for (std::size_t done = 0; done < width; done += steps) {
    for (unsigned k = sums + threadIdx.x; k < steps + sums; k += sums) part[k] = bring(done + k);
    __syncthreads();
    const unsigned count = width - done < steps ? width - done : steps;
    for (unsigned k = 0; k < count; ++k) sum += part[threadIdx.x + k];
    __syncthreads();
    part[threadIdx.x] = part[steps + threadIdx.x]; // those that the next part needs again
  }
  if (first + threadIdx.x < n) out[first + threadIdx.x] = sum;
}

// ---- two_arrays: whole rows where they fit, else pieces from both ends ------------------------------------

constexpr std::size_t room = 48 * 1024;

__global__ void rows_kernel(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                            std::size_t letters_per_row) {
  extern __shared__ double buffer[];
  char* const kept = reinterpret_cast<char*>(buffer + numbers_per_row);
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    double* const d = numbers + row * numbers_per_row;
    char* const c = letters + row * letters_per_row;
    for (std::size_t k = threadIdx.x; k < numbers_per_row; k += blockDim.x) buffer[k] = d[k];
    for (std::size_t k = threadIdx.x; k < letters_per_row; k += blockDim.x) kept[k] = c[k];
    __syncthreads();
    for (std::size_t k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
      d[k] = buffer[numbers_per_row - 1 - k];
    for (std::size_t k = threadIdx.x; k < letters_per_row; k += blockDim.x)
      c[k] = kept[letters_per_row - 1 - k];
    __syncthreads();
  }
}

// A piece of the row's beginning changes places with one of its end. The middle element of an odd row stays.
template <typename T>
__device__ void from_both_ends(T* row, std::size_t length, T* front) {
  constexpr std::size_t most = room / 2 / sizeof(T);
  T* const back = front + most;
  for (std::size_t first = 0; first < length / 2; first += most) {
    const std::size_t count = min(most, length / 2 - first);
    T* const end = row + length - first - count;
    for (std::size_t k = threadIdx.x; k < count; k += blockDim.x) {
      front[k] = row[first + k];
      back[k] = end[k];
    }
    __syncthreads();
    for (std::size_t k = threadIdx.x; k < count; k += blockDim.x) {
      row[first + k] = back[count - 1 - k];
      end[k] = front[count - 1 - k];
    }
    __syncthreads();
  }
}

__global__ void long_rows_kernel(double* numbers, char* letters, std::size_t rows,
                                 std::size_t numbers_per_row, std::size_t letters_per_row) {
  extern __shared__ double buffer[];
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    from_both_ends(numbers + row * numbers_per_row, numbers_per_row, buffer);
    from_both_ends(letters + row * letters_per_row, letters_per_row, reinterpret_cast<char*>(buffer));
  }
}

// ---- transpose: a warp has two rows of a tile, and two columns --------------------------------------------

constexpr unsigned side = 16;

// Two neighbouring rows fill the banks; exchanging pairs of words within a row, so do two neighbouring columns.
__device__ unsigned place_in_tile(unsigned y, unsigned x) { return y * side + (x ^ (y & ~1u)); }

__global__ void transpose_kernel(float* out, const float* in, std::size_t rows, std::size_t cols,
                                 unsigned across) {
  __shared__ float tile[side * side];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const std::size_t row = std::size_t{blockIdx.x / across} * side,
                    col = std::size_t{blockIdx.x % across} * side;
  if (row + y < rows && col + x < cols) tile[place_in_tile(y, x)] = in[(row + y) * cols + col + x];
  __syncthreads();
  if (row + x < rows && col + y < cols) out[(col + y) * rows + row + x] = tile[place_in_tile(x, y)];
}

} // namespace

void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n != 0) stencil_kernel<<<pieces(n, sums), sums>>>(out, in, n, radius);
}

void two_arrays(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                std::size_t letters_per_row) {
  const std::size_t bytes = 8 * numbers_per_row + letters_per_row;
  if (rows == 0 || bytes == 0) return;
  const bool fits = bytes <= room;
  (fits ? rows_kernel : long_rows_kernel)<<<std::min<std::size_t>(rows, 300), 256, fits ? bytes : room>>>(
      numbers, letters, rows, numbers_per_row, letters_per_row);
}

void transpose(float* out, const float* in, std::size_t rows, std::size_t cols) {
  if (rows == 0 || cols == 0) return;
  const unsigned across = pieces(cols, side);
  transpose_kernel<<<across * pieces(rows, side), dim3(side, side)>>>(out, in, rows, cols, across);
}
