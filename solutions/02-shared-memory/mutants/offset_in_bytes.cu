// mutant: offset in bytes
// item: two_arrays reverses rows of numbers and letters of any length
// diagnosis: shared-names
// backends: sim
//
// The mistake: the chars begin numbers_per_row bytes behind the beginning, not numbers_per_row doubles.
//   The arrays overlap.
// Read: the handout, "TODO(4) and TODO(5): two arrays in one buffer".

    // TODO(4)
    double* const kept_numbers = buffer; // the larger alignment first: chars may begin anywhere
    char* const kept_letters = reinterpret_cast<char*>(buffer) + numbers_per_row;
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x) kept_numbers[k] = my_numbers[k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x) kept_letters[k] = my_letters[k];
    __syncthreads(); // both arrays are there
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
      my_numbers[k] = kept_numbers[numbers_per_row - 1 - k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x)
      my_letters[k] = kept_letters[letters_per_row - 1 - k];
    __syncthreads(); // all threads have taken this row out: the next one may come
    // END TODO(4)
