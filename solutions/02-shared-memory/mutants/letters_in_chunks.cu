// mutant: letters in chunks
// item: two_arrays reads and writes each byte of global memory once
// diagnosis: uncoalesced
//
// The mistake: a thread takes a chunk of neighbouring letters, as on a CPU.
// Read: the handout of lab 01, "What a warp asks for".

    // TODO(4)
    double* const kept_numbers = buffer; // the larger alignment first: chars may begin anywhere
    char* const kept_letters = reinterpret_cast<char*>(buffer + numbers_per_row);
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x) kept_numbers[k] = my_numbers[k];
    const unsigned chunk = (letters_per_row + blockDim.x - 1) / blockDim.x;
    const unsigned begin = threadIdx.x * chunk;
    for (unsigned k = begin; k < begin + chunk && k < letters_per_row; ++k) kept_letters[k] = my_letters[k];
    __syncthreads(); // both arrays are there
    for (unsigned k = threadIdx.x; k < numbers_per_row; k += blockDim.x)
      my_numbers[k] = kept_numbers[numbers_per_row - 1 - k];
    for (unsigned k = begin; k < begin + chunk && k < letters_per_row; ++k)
      my_letters[k] = kept_letters[letters_per_row - 1 - k];
    __syncthreads(); // all threads have taken this row out: the next one may come
    // END TODO(4)
