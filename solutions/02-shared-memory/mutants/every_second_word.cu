// mutant: every second word
// item: reverse_blocks passes every element through shared memory without conflicts
// diagnosis: bank-conflict
//
// The mistake: the elements are kept in every second word of the buffer, as if that kept them apart. Two
//   lanes meet in every bank, and half of the banks have nothing to do.
// Read: the handout, "TODO(7): banks".

// GIVEN(reverse_kernel)
__global__ void reverse_kernel(int* a, std::size_t n) {
  __shared__ int piece[2 * reverse_piece];
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k < length) piece[2 * k] = a[first + k];
  __syncthreads(); // all of the piece is there, whoever read it
  if (k < length) a[first + k] = piece[2 * (length - 1 - k)];
}
// END GIVEN(reverse_kernel)
