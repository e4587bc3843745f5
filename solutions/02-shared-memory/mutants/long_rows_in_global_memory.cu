// mutant: long rows in global memory
// item: two_arrays takes rows of more than 48 KiB
// diagnosis: only-short-rows-shared
// todo: 5
// backends: sim
//
// The mistake: above 48 KiB another kernel swaps the elements of a row in global memory. The result is
//   right, and the buffer that this item asks for is not there.
// Read: the handout, "More than 48 KiB".

// GIVEN(two_arrays)
namespace {

template <typename T>
__device__ void swap_halves(T* row, unsigned length) {
  for (unsigned k = threadIdx.x; k < length / 2; k += blockDim.x) {
    const T mine = row[k];
    row[k] = row[length - 1 - k];
    row[length - 1 - k] = mine;
  }
}

// For rows of more than 48 KiB.
__global__ void long_rows_kernel(double* numbers, char* letters, std::size_t rows, unsigned numbers_per_row,
                                 unsigned letters_per_row) {
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    swap_halves(numbers + row * numbers_per_row, numbers_per_row);
    swap_halves(letters + row * letters_per_row, letters_per_row);
  }
}

} // namespace

void two_arrays(double* numbers, char* letters, std::size_t rows, std::size_t numbers_per_row,
                std::size_t letters_per_row) {
  if (rows == 0 || numbers_per_row + letters_per_row == 0) return;
  const std::size_t bytes = numbers_per_row * sizeof(double) + letters_per_row;
  const auto blocks = static_cast<unsigned>(std::min(rows, most_blocks));
  const auto in_a_row = static_cast<unsigned>(numbers_per_row);
  const auto chars_in_a_row = static_cast<unsigned>(letters_per_row);
  if (bytes <= 48 * 1024)
    two_arrays_kernel<<<blocks, threads_per_block, bytes>>>(numbers, letters, rows, in_a_row, chars_in_a_row);
  else
    long_rows_kernel<<<blocks, threads_per_block>>>(numbers, letters, rows, in_a_row, chars_in_a_row);
}
// END GIVEN(two_arrays)
