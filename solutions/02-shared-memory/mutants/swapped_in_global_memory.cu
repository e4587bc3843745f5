// mutant: swapped in global memory
// item: reverse_blocks passes every element through shared memory without conflicts
// diagnosis: shared-memory-not-used
//
// The mistake: half as many threads exchange two elements each in global memory. It is right, but there
//   is no buffer to learn from.
// Read: the handout, "TODO(1): exchange elements".

// GIVEN(reverse_kernel)
__global__ void reverse_kernel(int* a, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * reverse_piece;
  const std::size_t length = n - first < reverse_piece ? n - first : reverse_piece;
  const unsigned k = threadIdx.x;
  if (k >= length / 2) return;
  const int mine = a[first + k];
  a[first + k] = a[first + length - 1 - k];
  a[first + length - 1 - k] = mine;
}
// END GIVEN(reverse_kernel)
