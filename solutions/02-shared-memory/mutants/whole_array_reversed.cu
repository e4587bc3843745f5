// mutant: whole array reversed
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: whole-array-reversed
//
// The mistake: element i changes places with element n - 1 - i, so that the array is reversed as a whole.
// Read: labs/02-shared-memory/lab.hpp, reverse_blocks.

// GIVEN(reverse_kernel)
__global__ void reverse_kernel(int* a, std::size_t n) {
  __shared__ int front[reverse_piece], back[reverse_piece];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned k = threadIdx.x;
  if (i >= n / 2) return;
  front[k] = a[i];
  back[k] = a[n - 1 - i];
  a[i] = back[k];
  a[n - 1 - i] = front[k];
}
// END GIVEN(reverse_kernel)

// GIVEN(reverse_blocks)
void reverse_blocks(int* a, std::size_t n) {
  if (n < 2) return;
  reverse_kernel<<<pieces(n / 2, reverse_piece), reverse_piece>>>(a, n);
}
// END GIVEN(reverse_blocks)
