// mutant: half precision
// item: column_sums sums the columns of a row-major matrix
// diagnosis: low-precision
//
// The mistake: every element is cut to the 11 bits of a half-precision number before it is added.
// Read: labs/01-coalescing/lab.hpp: the sums may be off by the rounding of additions of floats.

// GIVEN(column_sums_kernel)
// The leading 11 bits of x.
__device__ float as_half(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }

__global__ void column_sums_kernel(float* sums, const float* matrix, std::size_t rows, std::size_t cols) {
  const std::size_t c = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += as_half(matrix[r * cols + c]);
  sums[c] = sum;
}
// END GIVEN(column_sums_kernel)
