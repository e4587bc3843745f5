// mutant: one element of each array
// item: two_arrays reverses rows of numbers and letters of any length
// diagnosis: row-not-brought
// backends: sim
//
// The mistake: a thread brings one number and one letter, and takes one of each out. A row can be longer than the
//   block.
// Read: the handout, "TODO(4) and TODO(5): two arrays in one buffer".

    // TODO(4)
    const unsigned k = threadIdx.x;
    double* const kept_numbers = buffer; // the larger alignment first: chars may begin anywhere
    char* const kept_letters = reinterpret_cast<char*>(buffer + numbers_per_row);
    if (k < numbers_per_row) kept_numbers[k] = my_numbers[k];
    if (k < letters_per_row) kept_letters[k] = my_letters[k];
    __syncthreads(); // both arrays are there
    if (k < numbers_per_row)
      my_numbers[k] = kept_numbers[numbers_per_row - 1 - k];
    if (k < letters_per_row)
      my_letters[k] = kept_letters[letters_per_row - 1 - k];
    __syncthreads(); // all threads have taken this row out: the next one may come
    // END TODO(4)
