// mutant: rows in one
// item: two_arrays reverses rows of numbers and letters of any length
// diagnosis: whole-array-reversed
//
// The mistake: the rows change places as well: the last becomes the first.
// Read: labs/02-shared-memory/lab.hpp, two_arrays.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads_per_block = 256;

} // namespace

namespace {

constexpr std::size_t most_blocks = 512; // each takes one row after the other

__global__ void two_arrays_kernel(double* numbers, const double* numbers_in, char* letters,
                                  const char* letters_in, std::size_t rows, unsigned numbers_per_row,
                                  unsigned letters_per_row) {
  extern __shared__ double buffer[];
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const double* const my_numbers = numbers_in + row * numbers_per_row;
    const char* const my_letters = letters_in + row * letters_per_row;
    double* const new_numbers = numbers + (rows - 1 - row) * numbers_per_row;
    char* const new_letters = letters + (rows - 1 - row) * letters_per_row;
    double* const kept_numbers = buffer; // the larger alignment first: chars may begin anywhere
    char* const kept_letters = reinterpret_cast<char*>(buffer + numbers_per_row);
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x) kept_numbers[k] = my_numbers[k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x) kept_letters[k] = my_letters[k];
    __syncthreads(); // both arrays are there
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
      new_numbers[k] = kept_numbers[numbers_per_row - 1 - k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x)
      new_letters[k] = kept_letters[letters_per_row - 1 - k];
    __syncthreads(); // all threads have taken this row out: the next one may come
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
  double* numbers_in = nullptr;
  char* letters_in = nullptr;
  cudaMalloc(&numbers_in, rows * numbers_per_row * sizeof(double) + 1);
  cudaMalloc(&letters_in, rows * letters_per_row + 1);
  cudaMemcpy(numbers_in, numbers, rows * numbers_per_row * sizeof(double), cudaMemcpyDeviceToDevice);
  cudaMemcpy(letters_in, letters, rows * letters_per_row, cudaMemcpyDeviceToDevice);
  two_arrays_kernel<<<std::min(rows, most_blocks), threads_per_block, bytes>>>(
      numbers, numbers_in, letters, letters_in, rows, static_cast<unsigned>(numbers_per_row),
      static_cast<unsigned>(letters_per_row));
  cudaFree(numbers_in);
  cudaFree(letters_in);
}
