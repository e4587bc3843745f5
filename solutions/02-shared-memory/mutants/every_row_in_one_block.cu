// mutant: every row in one block
// item: two_arrays keeps both arrays of a row in one buffer at once
// diagnosis: one-block
//
// The mistake: one block is launched. The loop over rows makes it right, and all other multiprocessors have
//   nothing to do.
// Read: the handout, "The next one, into the same buffer".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

} // namespace

namespace {

__global__ void two_arrays_kernel(double* numbers, char* letters, std::size_t rows, unsigned numbers_per_row,
                                  unsigned letters_per_row) {
  extern __shared__ double buffer[];
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
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
  two_arrays_kernel<<<1, threads_per_block, bytes>>>(
      numbers, letters, rows, static_cast<unsigned>(numbers_per_row), static_cast<unsigned>(letters_per_row));
}
