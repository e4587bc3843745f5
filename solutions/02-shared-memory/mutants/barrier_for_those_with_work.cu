// mutant: barrier for those with work
// item: two_arrays reverses rows of numbers and letters of any length
// diagnosis: barrier-divergence
// backends: sim
//
// The mistake: only threads with a letter wait at the first barrier; the others are already at the second
//   one.
// Read: the handout, "Barriers".

    // TODO(4)
    double* const kept_numbers = buffer; // the larger alignment first: chars may begin anywhere
    char* const kept_letters = reinterpret_cast<char*>(buffer + numbers_per_row);
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x) kept_numbers[k] = my_numbers[k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x) kept_letters[k] = my_letters[k];
    if (threadIdx.x < letters_per_row) __syncthreads();
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
      my_numbers[k] = kept_numbers[numbers_per_row - 1 - k];
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x)
      my_letters[k] = kept_letters[letters_per_row - 1 - k];
    __syncthreads(); // all threads have taken this row out: the next one may come
    // END TODO(4)
