// mutant: one row a block
// item: two_arrays reverses rows of numbers and letters of any length
// backends: sim
// diagnosis: later-rows-left
//
// The mistake: a block takes the row of its own number and no other. There are at most 512 blocks, and more rows.
// Read: the handout, "The next one, into the same buffer".

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads_per_block = 256;

} // namespace

namespace {

constexpr std::size_t most_blocks = 512;

__global__ void two_arrays_kernel(double* numbers, char* letters, std::size_t rows, unsigned numbers_per_row,
                                  unsigned letters_per_row) {
  extern __shared__ double buffer[];
  if (const std::size_t row = blockIdx.x; row < rows) {
    double* const my_numbers = numbers + row * numbers_per_row;
    char* const my_letters = letters + row * letters_per_row;
    double* const kept_numbers = buffer; // the larger alignment first: chars may begin anywhere
    char* const kept_letters = reinterpret_cast<char*>(buffer + numbers_per_row);
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x) kept_numbers[k] = my_numbers[k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x) kept_letters[k] = my_letters[k];
    __syncthreads(); // both arrays are there
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
      my_numbers[k] = kept_numbers[numbers_per_row - 1 - k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x)
      my_letters[k] = kept_letters[letters_per_row - 1 - k];
    __syncthreads(); // nobody needs this row's any more: the next one may come
  }
}

} // namespace

void two_arrays(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                std::size_t letters_per_row) {
  if (rows == 0 || numbers_per_row + letters_per_row == 0) return;
  std::size_t bytes = 0; // of dynamic shared memory, for every block
  bytes = numbers_per_row * sizeof(double) + letters_per_row;
  cudaFuncSetAttribute(two_arrays_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(bytes));
  two_arrays_kernel<<<std::min(rows, most_blocks), threads_per_block, bytes>>>(
      numbers, letters, rows, static_cast<unsigned>(numbers_per_row), static_cast<unsigned>(letters_per_row));
}
