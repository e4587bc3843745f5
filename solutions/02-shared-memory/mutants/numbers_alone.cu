// mutant: numbers alone
// item: two_arrays reverses rows of numbers and letters of any length
// diagnosis: one-array-left
//
// The mistake: only one of the two arrays is reversed.
// Read: labs/02-shared-memory/lab.hpp, two_arrays.

// GIVEN(two_arrays_kernel)
__global__ void two_arrays_kernel(double* numbers, char* letters, std::size_t rows, unsigned numbers_per_row,
                                  unsigned letters_per_row) {
  extern __shared__ double buffer[];
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    double* const my_numbers = numbers + row * numbers_per_row;
    double* const kept_numbers = buffer; // the larger alignment first: chars may begin anywhere
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x) kept_numbers[k] = my_numbers[k];
    __syncthreads(); // both arrays are there
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
      my_numbers[k] = kept_numbers[numbers_per_row - 1 - k];
    __syncthreads(); // all threads have taken this row out: the next one may come
  }
}
// END GIVEN(two_arrays_kernel)
