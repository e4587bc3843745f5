// mutant: one array after the other
// item: two_arrays keeps both arrays of a row in one buffer at once
// diagnosis: buffer-too-small
//
// The mistake: numbers and letters use the same memory one after the other. That is right, with twice the
//   barriers; the task is to keep both.
// Read: the handout, "TODO(4) and TODO(5): two arrays in one buffer".

    // TODO(4)
    double* const kept_numbers = buffer;
    char* const kept_letters = reinterpret_cast<char*>(buffer);
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x) kept_numbers[k] = my_numbers[k];
    __syncthreads(); // both arrays are there
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
      my_numbers[k] = kept_numbers[numbers_per_row - 1 - k];
    __syncthreads(); // the numbers are out: now the letters
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x) kept_letters[k] = my_letters[k];
    __syncthreads();
    for (unsigned k = threadIdx.x; k < letters_per_row; k += blockDim.x)
      my_letters[k] = kept_letters[letters_per_row - 1 - k];
    __syncthreads(); // all threads have taken this row out: the next one may come
    // END TODO(4)

  // TODO(5)
  bytes = std::max(numbers_per_row * sizeof(double), letters_per_row);
  cudaFuncSetAttribute(two_arrays_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(bytes));
  // END TODO(5)
