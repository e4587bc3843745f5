// mutant: two extern arrays
// item: two_arrays reverses rows of numbers and letters of any length
// diagnosis: shared-names
// diagnosis[cuda]: arrays-overlap
//
// The mistake: two extern arrays are declared, as if the second began behind the first. Both are names of
//   the same address.
// Read: the handout, "TODO(4) and TODO(5): two arrays in one buffer".

// GIVEN(two_arrays_kernel)
__global__ void two_arrays_kernel(double* numbers, char* letters, std::size_t rows, unsigned numbers_per_row,
                                  unsigned letters_per_row) {
  extern __shared__ double kept_numbers[];
  extern __shared__ char kept_letters[];
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    double* const my_numbers = numbers + row * numbers_per_row;
    char* const my_letters = letters + row * letters_per_row;
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x) kept_numbers[k] = my_numbers[k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x) kept_letters[k] = my_letters[k];
    __syncthreads(); // both arrays are there
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
      my_numbers[k] = kept_numbers[numbers_per_row - 1 - k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x)
      my_letters[k] = kept_letters[letters_per_row - 1 - k];
    __syncthreads(); // all threads have taken this row out: the next one may come
  }
}
// END GIVEN(two_arrays_kernel)
