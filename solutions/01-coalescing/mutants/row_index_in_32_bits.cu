// mutant: row index in 32 bits
// item: column_sums sums the columns of a row-major matrix
// backends: cuda
// diagnosis: index-overflow
//
// The mistake: rows and columns are counted by unsigned, and so is their product: beyond 2^32 elements the walk begins again in the first rows.
// Read: labs/01-coalescing/lab.hpp: rows * cols may exceed 2^31.

// GIVEN(column_sums_kernel)
__global__ void column_sums_kernel(float* sums, const float* matrix, unsigned rows, unsigned cols) {
  const unsigned c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (unsigned r = 0; r < rows; ++r) sum += matrix[r * cols + c];
  sums[c] = sum;
}
// END GIVEN(column_sums_kernel)
